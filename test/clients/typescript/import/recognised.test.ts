/** What the reader reports about a file, so that a person can see it and choose otherwise. */
import { describe, expect, test } from 'bun:test';
import { ImportError, type ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { lines, readBytes, readFixture, readText } from './files.ts';
import { workbook } from './workbook.ts';

test('of a bank: its layout, the line of its header and the column of each field', async () => {
  const { recognised } = await readFixture('nationwide.csv');
  expect(recognised).toMatchObject({
    bank: 'nationwide',
    format: 'csv',
    encoding: 'windows-1252',
    dateFormat: null,
    decimal: '.',
    header: ['Date', 'Transaction type', 'Description', 'Paid out', 'Paid in', 'Balance'],
    headerRow: 5,
    columns: { date: 0, description: 2, moneyOut: 3, moneyIn: 4 },
  });
  expect(recognised.sampleRows[0]).toHaveLength(6);
});

test('of other files: by usual names, and as the map option says', async () => {
  const text = 'Date,Details,Amount,Category\n13/04/2026,a,5,x\n';
  const recognised = async (options?: ImportOptions) => (await readText(text, options)).recognised;
  expect(await recognised()).toMatchObject({
    bank: null,
    encoding: 'utf-8',
    dateFormat: 'dmy',
    columns: { date: 0, description: 1, amount: 2, category: 3 },
    sampleRows: [['13/04/2026', 'a', '5', 'x']],
  });
  const { columns } = await recognised({ map: { category: '', description: '4' } });
  expect(columns).toEqual({ date: 0, description: 3, amount: 2 });
});

test('of a file without a header row the header is empty', async () => {
  const { recognised } = await readFixture('hsbc-no-header.csv', { bank: 'hsbc' });
  expect([recognised.header, recognised.headerRow, recognised.columns]).toEqual([
    [],
    null,
    { date: 0, description: 1, amount: 2 },
  ]);
});

test('of a column whose words are the direction: its field, and that it is not left out', async () => {
  const text = 'Date,Description,Amount,Flag\n2026-04-01,A,10.00,C\n2026-04-02,B,12.00,D\n';
  const { recognised } = await readText(text);
  expect([recognised.columns.type, recognised.ignored]).toEqual([3, []]);
});

test('of OFX and JSON: the format and the encoding', async () => {
  for (const [file, format] of Object.entries({ 'statement.ofx': 'ofx', 'entries.json': 'json' })) {
    const { recognised } = await readFixture(file);
    expect(recognised).toMatchObject({ format, bank: null, dateFormat: null, header: [], columns: {} });
    expect(recognised.encoding).not.toBeNull();
  }
});

test('a sample is bounded', async () => {
  const header = ['Date', 'Amount', ...Array.from({ length: 100 }, (_, n) => `c${n}`)];
  const row = ['2026-04-01', '5', 'x'.repeat(5_000)];
  const text = [header, ...Array(50).fill(row)].map((cells) => cells.join(',')).join('\n');
  const { recognised } = await readText(text, { ignore: ['c0'] });
  expect([recognised.header.length, recognised.sampleRows.length]).toEqual([40, 20]);
  expect(JSON.stringify(recognised).length).toBeLessThan(10_000);
});

describe('the encoding option', () => {
  const bytes = new TextEncoder().encode('Date,Details,Amount\n2026-04-01,Café,5\n');

  test('goes before what the bytes look like', async () => {
    const result = await readBytes(bytes, { encoding: 'windows-1252' });
    expect([result.recognised.encoding, ...lines(result)]).toEqual([
      'windows-1252',
      '2 2026-04-01 +500 CafÃ©',
    ]);
    const wrong = Buffer.from('Date,Details,Amount\n2026-04-01,Caf\xe9,5\n', 'latin1');
    expect((await readBytes(wrong)).recognised.encoding).toBe('windows-1252');
    expect(lines(await readBytes(wrong, { encoding: 'utf-8' }))).toEqual(['2 2026-04-01 +500 Caf\ufffd']);
  });

  test('must be one that the reader knows', async () => {
    await expect(readBytes(bytes, { encoding: 'koi8-r' as 'utf-8' })).rejects.toMatchObject({
      code: 'invalid_option',
      option: 'encoding',
    });
  });
});

describe('a table that cannot be read', () => {
  const failure = (bytes: Uint8Array, options?: ImportOptions) =>
    readBytes(bytes, options).then(
      () => undefined,
      (error) => error as ImportError,
    );

  test('comes with its first rows, and reads with the columns that they show', async () => {
    const text = 'Notes of May\nWhen;How much;What\nMonday;5,00;a\n12.05.2026;6,00;b\n';
    const bytes = new TextEncoder().encode(text);
    const error = await failure(bytes);
    expect(error).toBeInstanceOf(ImportError);
    expect(error).toMatchObject({
      option: 'map',
      table: { headerRow: 2, columns: { date: 0, description: 2 } },
    });
    expect(error?.table?.rows.map((cells) => cells.join(';'))).toEqual(text.trim().split('\n'));
    expect(error?.table?.header).toEqual(['When', 'How much', 'What']);
    expect(error?.table?.sampleRows?.[0]).toEqual(['Monday', '5,00', 'a']);
    const map = { date: '1', amount: '2', description: '3' };
    const result = await readBytes(bytes, { map, decimal: ',' });
    expect(lines(result)).toEqual(['4 2026-05-12 +600 b']);
    expect(result.recognised).toMatchObject({
      headerRow: 2,
      columns: { date: 0, amount: 1, description: 2 },
    });
  });

  test('of a workbook comes with the names of its sheets', async () => {
    const bytes = workbook([
      { name: 'Notes', rows: { 1: ['a', 'b'] } },
      { name: 'Old', rows: {} },
    ]);
    const { table } = (await failure(bytes)) ?? {};
    expect(table).toMatchObject({ sheets: ['Notes', 'Old'], sheet: 'Notes', rows: [['a', 'b']] });
  });
});
