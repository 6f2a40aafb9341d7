/** The bounds of a file: what is within is read, and what is beyond is refused in a sentence that says the bound. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { unzipSync, zipSync } from 'fflate';
import { requireRows } from '../../../../clients/typescript/import/files/bounds.ts';
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { readBytes, readText } from './files.ts';
import { archive, bookParts, sheetXml, stylesXml, workbook } from './workbook.ts';

setDefaultTimeout(60_000);

const HEADER = 'Date,Description,Amount\n';
const ROW = '2026-04-01,a,1.00\n';
const CAMT_ENTRY = '<BkToCstmrStmt><Stmt><Ntry><NtryDtls>';
const CAMT_END = '</NtryDtls></Ntry></Stmt></BkToCstmrStmt>';
const ENTRY = '{"date":"2026-04-01","type":"income","amountPence":1}';
const refused = (message: string) => ({ code: 'unreadable_file', message: expect.stringContaining(message) });

test('100,000 rows are read, and one more is refused', () => {
  expect(() => requireRows(100_000)).not.toThrow();
  expect(() => requireRows(100_001)).toThrow('more than 100,000 rows; split it into smaller files.');
});

test.each<[string, string, string, string, ImportOptions?]>([
  // The header is a row.
  ['CSV', HEADER, ROW, ''],
  ['NDJSON', `${ENTRY}\n`, `${ENTRY}\n`, '', { format: 'ndjson' }],
  ['JSON', `[${ENTRY}`, `,${ENTRY}`, ']'],
  ['OFX', '<OFX><STMTTRN>', '<STMTTRN>', ''],
  ['CAMT', '<BkToCstmrStmt><Stmt><Ntry/>', '<Ntry/>', '</Stmt></BkToCstmrStmt>'],
  ['CAMT, in one entry', `${CAMT_ENTRY}<TxDtls/>`, '<TxDtls/>', CAMT_END],
  ['CAMT, statements', '<BkToCstmrStmt><Stmt/>', '<Stmt/>', '</BkToCstmrStmt>'],
  ['OFX, statements', '<OFX><STMTRS>', '<STMTRS>', ''],
  ['QIF', '!Type:Bank\nx\n^\n', 'x\n^\n', ''],
])('rows are counted in each format: %s', async (_, first, row, tail, options) => {
  const text = (rows: number) => first + row.repeat(rows - 1) + tail;
  await expect(readText(text(100_001), options)).rejects.toMatchObject(refused('more than 100,000 rows'));
});

test('32 MiB are read, and one byte more is refused', async () => {
  const bytes = new Uint8Array(32 * 2 ** 20 + 1).fill(32);
  bytes.set(new TextEncoder().encode(HEADER + ROW));
  expect((await readBytes(bytes.subarray(0, -1))).entries).toHaveLength(1);
  await expect(readBytes(bytes)).rejects.toMatchObject(refused('more than 32 MiB'));
});

test('a record of 1,000 cells is read, and one of more is refused with its line', async () => {
  const record = (cells: number) => `${HEADER}2026-04-01,a,1.00${','.repeat(cells - 3)}\n`;
  expect((await readText(record(1_000))).entries).toHaveLength(1);
  await expect(readText(record(1_001))).rejects.toMatchObject(refused('line 2 has more than 1,000 cells'));
});

test('a table of more than 5,000,000 cells is refused', async () => {
  const text = HEADER + `2026-04-01,a,1.00${','.repeat(997)}\n`.repeat(5_001);
  await expect(readText(text)).rejects.toMatchObject(refused('more than 5,000,000 cells'));
});

describe('a text', () => {
  test('of 32,767 characters is read, and a longer one makes its row invalid', async () => {
    const rows = [32_767, 32_768].map((length) => `2026-04-01,${'x'.repeat(length)},1.00\n`);
    const { entries, invalid } = await readText(HEADER + rows.join(''));
    expect(entries.map(({ row }) => row)).toEqual([2]);
    expect(invalid).toMatchObject([{ row: 3, message: expect.stringContaining('32,767 characters') }]);
  });

  test('with 100 accents on one letter is read, and one with more makes its row invalid until it is corrected', async () => {
    const rows = [100, 101].map((count) => `2026-04-01,${'e'.padEnd(count + 1, '\u0301')},1.00\n`);
    const { entries, invalid } = await readText(HEADER + rows.join(''));
    expect(entries.map(({ row }) => row)).toEqual([2]);
    expect(invalid).toMatchObject([{ row: 3, field: 'description', column: 'Description' }]);
    const corrections = { 3: { description: 'e' } };
    expect((await readText(HEADER + rows.join(''), { corrections })).invalid).toEqual([]);
    const ofx = `<OFX><STMTTRN><DTPOSTED>20260401<TRNAMT>1<NAME>${'e'.padEnd(102, '\u0301')}</STMTTRN></OFX>`;
    expect((await readText(ofx)).invalid).toMatchObject([{ row: 1, field: 'description' }]);
    const qif = `!Type:Bank\nD2026-04-01\nT1\nP${'e'.padEnd(102, '\u0301')}\n^\n`;
    expect((await readText(qif)).invalid).toMatchObject([{ row: 2, field: 'description' }]);
  });

  test('that names the account has at most 500 characters, in the file and in the option', async () => {
    const message = 'The name of the account has more than 500 characters';
    const ofx = (id: string) => `<OFX><STMTRS><BANKACCTFROM><ACCTID>${id}</BANKACCTFROM></STMTRS></OFX>`;
    expect((await readText(ofx('1'.repeat(500)))).rowCount).toBe(0);
    await expect(readText(ofx('1'.repeat(501)))).rejects.toMatchObject(refused(message));
    const camt = `<BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>${'1'.repeat(501)}</Id></Othr></Id></Acct></Stmt></BkToCstmrStmt>`;
    await expect(readText(camt)).rejects.toMatchObject(refused(message));
    const qif = `!Account\nN${'1'.repeat(501)}\n^\n!Type:Bank\n`;
    await expect(readText(qif)).rejects.toMatchObject(refused(message));
    await expect(readText(HEADER + ROW, { accountLabel: 'x'.repeat(501) })).rejects.toMatchObject({
      option: 'accountLabel',
      message: expect.stringContaining(message),
    });
  });
});

describe('JSON:', () => {
  test.each(['json', 'ndjson'] as const)(
    'brackets in brackets are no entry, however deep: %s',
    async (format) => {
      const deep = '['.repeat(200_000) + ']'.repeat(200_000);
      for (const text of [deep, `{"date":${deep}}`]) {
        const result = await readText(text, { format }).catch((error) => error);
        expect(result.code ?? result.entries).toEqual(result.code ? 'unreadable_file' : []);
      }
    },
  );

  test.each([
    ['objects', '{}', 'json'],
    ['arrays', '[]', 'ndjson'],
  ] as const)('1,000,000 %s are read, and one more is refused', async (_, each, format) => {
    // The entry and its list are one of each.
    const text = (count: number) => `{"of":[${Array(count - 1).fill(each)}]}`;
    expect((await readText(text(1_000_000), { format })).rowCount).toBe(1);
    await expect(readText(text(1_000_001), { format })).rejects.toMatchObject(refused('split the file'));
  });
});

describe('rules:', () => {
  const read = (rules: string) => readText(HEADER + ROW, { rules });
  const RULE = 'type is income -> a';

  test('1,000 are read, and one more is refused with its line', async () => {
    expect((await read(`${RULE}\n`.repeat(1_000))).entries[0]?.entry.category).toBe('a');
    await expect(read(`${RULE}\n`.repeat(1_001))).rejects.toThrow('Line 1001 of the rules');
  });

  test('a line of 1,000 characters is read, and a longer one is refused', async () => {
    expect((await read(RULE.padEnd(1_000))).entries[0]?.entry.category).toBe('a');
    await expect(read(RULE.padEnd(1_001))).rejects.toThrow('more than 1000 characters');
    expect((await read(`# ${'x'.repeat(5_000)}\n${RULE}`)).entries[0]?.entry.category).toBe('a');
  });
});

describe('XLSX:', () => {
  const amount = (row: number) => ({ [row]: ['2026-04-01', { number: '1' }] });
  const rows = { 1: ['Date', 'Amount'], ...amount(2) };
  const sheet = (xml: string) => archive({ ...bookParts(['a']), 'xl/worksheets/sheet1.xml': sheetXml(xml) });

  test('row 100,000 is read, and a row after it is refused', async () => {
    const read = (row: number) => readBytes(workbook([{ name: 'a', rows: { ...rows, ...amount(row) } }]));
    expect((await read(100_000)).entries.map(({ row }) => row)).toEqual([2, 100_000]);
    await expect(read(100_001)).rejects.toMatchObject(refused('a row after row 100,000'));
  });

  test.each([
    ['of a row', '<row r="100001"/>'],
    ['of a row, with a prefix', '<row x:r="100001"/>'],
    ['of a row, with an entity', '<row r="&#49;00001"/>'],
    ['of a row, with an exponent', '<row r="1e6"/>'],
    ['of a cell', '<row><c r="A100001"/></row>'],
    ['of a cell, with an entity', '<row><c r="&#65;100001"/></row>'],
    ['of none', '<row/>'.repeat(100_001)],
  ])('a row after row 100,000 is refused however it is written: the number %s', async (_, xml) => {
    await expect(readBytes(sheet(xml))).rejects.toMatchObject(refused('a row after row 100,000'));
  });

  test('cells without content may go to the last column of Excel, and content makes the table as wide', async () => {
    const header = '<row r="1"><c r="A1" t="str"><v>Date</v></c><c r="B1" t="str"><v>Amount</v></c></row>';
    const wide = (cell: string) =>
      `${header}<row r="2"><c r="A2" t="str"><v>2026-04-01</v></c><c r="B2"><v>1</v></c>${cell}</row>`;
    expect((await readBytes(sheet(wide('<c r="XFD2"/>')))).entries).toHaveLength(1);
    await expect(readBytes(sheet(wide('<c r="XFD2"><v>1</v></c>')))).rejects.toMatchObject(
      refused('more than 1,000 cells'),
    );
    await expect(readBytes(sheet(wide('<c r="XFE2"/><c r="AAAA2"/>')))).rejects.toMatchObject(
      refused('a column that Excel lacks'),
    );
  });

  test('an archive that unpacks to more than 64 MB is refused, whatever it says of its size', async () => {
    const bytes = sheet(' '.repeat(64_000_000));
    expect(bytes.length).toBeLessThan(100_000);
    const { view, records } = directoryOf(bytes);
    for (const at of records) view.setUint32(at + 24, 1, true);
    await expect(readBytes(bytes)).rejects.toMatchObject(refused('more than 64 MB'));
  });

  test('sizes in Zip64 fields are read', async () => {
    const bytes = zipSync(unzipSync(workbook([{ name: 'a', rows }])), { extra: { 1: new Uint8Array(24) } });
    const { view, records } = directoryOf(bytes);
    for (const at of records) {
      const field = at + 46 + view.getUint16(at + 28, true) + 4;
      for (const [index, offset] of [24, 20, 42].entries()) {
        view.setBigUint64(field + index * 8, BigInt(view.getUint32(at + offset, true)), true);
        view.setUint32(at + offset, 0xffffffff, true);
      }
    }
    expect((await readBytes(bytes)).entries).toHaveLength(1);
  });

  test('two sheets that are one file are a damaged workbook', async () => {
    const rels = 'xl/_rels/workbook.xml.rels';
    const { [rels]: links = '', ...parts } = bookParts(['a', 'b']);
    const sheets = { 'xl/worksheets/sheet1.xml': sheetXml('') };
    const bytes = archive({ ...parts, ...sheets, [rels]: links.replace('sheet2.xml', 'sheet1.xml') });
    await expect(readBytes(bytes)).rejects.toMatchObject(refused('damaged'));
  });

  test('a number format that Excel has is read, and a longer one is refused', async () => {
    const read = (length: number) => {
      const styles = stylesXml(`<numFmt numFmtId="200" formatCode="${'0'.repeat(length)}"/>`);
      const sheets = { 'xl/worksheets/sheet1.xml': sheetXml('') };
      return readBytes(archive({ ...bookParts(['a']), ...sheets, 'xl/styles.xml': styles }));
    };
    await expect(read(255)).rejects.toMatchObject({ code: 'no_header' });
    await expect(read(256)).rejects.toMatchObject(refused('number formats'));
  });
});

/** Where the records of the files are in the directory of an archive. */
function directoryOf(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const isRecord = (at: number) => view.getUint32(at, true) === 0x02014b50;
  return { view, records: Array.from({ length: bytes.length - 4 }, (_, at) => at).filter(isRecord) };
}
