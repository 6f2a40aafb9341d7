/** Encodings, sheets of XLSX, JSON and NDJSON in the shape of the API, OFX, and which format a file is in. */
import { describe, expect, test } from 'bun:test';
import { lines, readBytes, readFixture, readText, references } from './files.ts';
import { workbook } from './workbook.ts';

const TEXT = 'Date;Details;Amount\r\n13/04/2026;"Café; Zoë";"£1,234.56"\r\n';
const EXPECTED = ['2 2026-04-13 +123456 Café; Zoë'];

describe('encodings:', () => {
  const utf16 = (text: string, isLittle: boolean) => {
    const view = new DataView(new ArrayBuffer(text.length * 2));
    for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
    return new Uint8Array(view.buffer);
  };
  const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

  test.each<[string, Uint8Array]>([
    ['UTF-8', new TextEncoder().encode(TEXT)],
    ['UTF-8 with a byte order mark', new TextEncoder().encode(`\ufeff${TEXT}`)],
    ['UTF-16LE', utf16(TEXT, true)],
    ['UTF-16LE with a byte order mark', utf16(`\ufeff${TEXT}`, true)],
    ['UTF-16BE', utf16(TEXT, false)],
    ['UTF-16BE with a byte order mark', utf16(`\ufeff${TEXT}`, false)],
    ['Latin-1', latin1(TEXT)],
  ])('%s', async (_, bytes) => {
    expect(lines(await readBytes(bytes))).toEqual(EXPECTED);
  });

  test('Windows-1252 has the euro sign and curly quotes where Latin-1 has control characters', async () => {
    const bytes = latin1('Date,Details,Amount\n13/04/2026,\x80 \x93a\x94 \xa3,1\n');
    expect(lines(await readBytes(bytes))).toEqual(['2 2026-04-13 +100 € “a” £']);
  });
});

describe('XLSX:', () => {
  test('the first sheet that has rows is read, with its dates, its numbers as Excel shows them, and its row numbers', async () => {
    const result = await readFixture('landlord.xlsx', { dateFormat: 'dmy' });
    expect(lines(result)).toEqual([
      '5 2026-04-01 +125000 Rent April',
      '6 2026-04-04 -110 Plumber',
      '8 2026-04-04 -110 Plumber',
      '9 2026-04-07 -123456 Agent fee',
    ]);
    expect(result.recognised.format).toBe('xlsx');
    const [unreadable, total] = result.invalid;
    expect(unreadable).toMatchObject({ row: 10, column: 'Expenses', value: '33.3333333333333' });
    // Row 10 may be in the sum.
    expect(total).toMatchObject({ row: 11, column: 'Description', value: 'Total', option: 'rowMeanings' });
    expect([result.invalid.length, result.skipped.length]).toEqual([2, 0]);
  });

  test.each(['Old', 'old', '3'])('the option %s names a sheet by its name or number', async (sheet) => {
    expect(lines(await readFixture('landlord.xlsx', { sheet }))).toEqual(['2 2023-03-15 -30']);
  });

  test('a sheet that is not there is refused with the names', async () => {
    await expect(readFixture('landlord.xlsx', { sheet: 'May' })).rejects.toThrow(
      '"Notes", "Rent & costs", "Old"',
    );
  });

  test('a decimal comma concerns texts, not the numbers of the sheet', async () => {
    const rows = {
      1: ['Date', 'Amount'],
      2: ['2026-04-01', { number: '12.5' }],
      3: ['2026-04-02', '1.000,25'],
    };
    expect(lines(await readBytes(workbook([{ name: 'a', rows }]), { decimal: ',' }))).toEqual([
      '2 2026-04-01 +1250',
      '3 2026-04-02 +100025',
    ]);
  });

  test('a bank is recognised in a workbook too', async () => {
    const header = ['Date', 'Counter Party', 'Reference', 'Type', 'Amount (GBP)', 'Balance (GBP)'];
    const row = [{ dateSerial: 46115 }, 'A', 'B', 'CARD', { number: '-2.5' }, { number: '1' }];
    const result = await readBytes(workbook([{ name: 'a', rows: { 1: header, 2: row } }]));
    expect([result.recognised.bank, ...lines(result)]).toEqual(['starling', '2 2026-04-03 -250 A - B']);
  });

  test('a damaged workbook, an old one and a PDF are refused in words', async () => {
    const bytes = workbook([{ name: 'a', rows: { 1: ['Date', 'Amount'] } }]);
    await expect(readBytes(bytes.subarray(0, 300))).rejects.toMatchObject({ code: 'unreadable_file' });
    const ole = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, ...Buffer.from('Workbook', 'utf16le'));
    await expect(readBytes(ole)).rejects.toThrow('Excel 2003');
    await expect(readText('%PDF-1.7')).rejects.toThrow('PDF');
    await expect(readBytes(bytes, { fileName: 'Rents.numbers' })).rejects.toThrow(
      'export it as Excel or CSV',
    );
  });

  describe('if the first sheet has no table,', () => {
    const notes = { name: 'Notes', rows: { 1: ['Rents of 2026', null], 2: ['Ask the agent', 'in May'] } };
    const sheet = (name: string, header: string) => ({
      name,
      rows: { 1: ['Date', header], 2: ['2026-04-01', { number: '895' }] },
    });

    test('the only one that has a table is read', async () => {
      const result = await readBytes(workbook([notes, sheet('Flat 2', 'Amount'), { name: 'End', rows: {} }]));
      expect(lines(result)).toEqual(['2 2026-04-01 +89500']);
      expect(result.recognised).toMatchObject({ sheet: 'Flat 2', sheets: ['Notes', 'Flat 2', 'End'] });
    });

    test.each<[string, Record<number, (string | { number: string } | { dateSerial: number })[]>]>([
      ['a header alone', { 1: ['Date', 'Description', 'Amount'] }],
      ['sums of months', { 1: ['Month', 'Income', 'Net'], 2: ['April', { number: '9' }, { number: '8' }] }],
      ['a total', { 1: ['Date', 'Amount'], 2: ['Total', { number: '9' }] }],
      [
        'a date above',
        { 1: ['Of', { dateSerial: 46142 }], 2: ['Income', 'Net'], 3: [{ number: '9' }, { number: '8' }] },
      ],
    ])('or no dated row, as a summary: %s', async (_, rows) => {
      const summary = { name: 'Summary', rows };
      const one = await readBytes(workbook([summary, sheet('Flat 2', 'Amount')]));
      expect(one.recognised.sheet).toBe('Flat 2');
      const several = workbook([summary, sheet('Flat 2', 'Amount'), sheet('Flat 3', 'Amount')]);
      await expect(readBytes(several)).rejects.toThrow('"Flat 2", "Flat 3"; choose one');
      // Without another table it is the sheet to talk about.
      expect(
        await readBytes(workbook([summary, notes])).catch(({ table }) => ({ recognised: table })),
      ).toMatchObject({
        recognised: { sheet: 'Summary' },
      });
    });

    test('none of several tables is chosen, though one of them has columns that are not settled', async () => {
      const bytes = workbook([notes, sheet('Flat 2', 'Amount'), sheet('Flat 3', 'Rent')]);
      await expect(readBytes(bytes)).rejects.toMatchObject({
        code: 'several_sheets',
        option: 'sheet',
        message: 'Several sheets have a table: "Flat 2", "Flat 3"; choose one.',
        table: { sheets: ['Notes', 'Flat 2', 'Flat 3'] },
      });
      expect(lines(await readBytes(bytes, { sheet: 'Flat 2' }))).toEqual(['2 2026-04-01 +89500']);
    });
  });
});

describe('JSON and NDJSON:', () => {
  test('entries as the API takes them, by their index', async () => {
    const result = await readFixture('entries.json');
    expect(lines(result)).toEqual([
      '1 2026-04-01 +95000 Rent flat 2',
      '2 2026-04-03 -250 Parking',
      '3 2026-04-03 -250 Parking',
    ]);
    expect(result.entries[0]).toMatchObject({
      entry: { category: 'periodAmount', externalRef: 'rent-2026-04' },
      isReferenceDerived: false,
    });
    expect(result.invalid.map(({ row, column, value }) => `${row} ${column} ${value}`)).toEqual([
      ...['4 date 2026-04-31', '4 amountPence 2.5', '4 desciption Parking'],
    ]);
    expect(result.rowCount).toBe(4);
  });

  test('entries as the API returns them, by their line; a line that is not JSON is invalid', async () => {
    const result = await readFixture('entries.ndjson');
    expect(lines(result)).toEqual(['1 2026-04-01 +95000', '3 2026-04-03 -250 Parking']);
    expect(result.invalid.map(({ row, message }) => [row, message])).toEqual([[4, 'The line is not JSON.']]);
    expect([result.recognised.format, result.rowCount]).toEqual(['ndjson', 3]);
  });

  test('a page of the API, a single entry, and texts exactly as they are', async () => {
    const entry = { date: '2026-04-01', type: 'income', amountPence: 1, description: "  'a \n b" };
    for (const value of [entry, [entry], { transactions: [entry], nextCursor: null }]) {
      const { entries, recognised } = await readText(JSON.stringify(value));
      expect([recognised.format, entries[0]?.entry.description]).toEqual(['json', entry.description]);
    }
  });

  test('what the API would refuse is invalid', async () => {
    const good = { date: '2026-04-01', type: 'income', amountPence: 1 };
    const bad = [
      { date: '01/04/2026' },
      { type: 'credit' },
      { amountPence: 0 },
      { amountPence: '1' },
      { amountPence: 2 ** 53 },
      { description: 'x'.repeat(501) },
      { externalRef: '🏠'.repeat(181) },
      { description: 'a\0' },
      { description: '\ud800' },
      { category: 1 },
    ];
    const { entries, invalid } = await readText(
      JSON.stringify([...bad.map((part) => ({ ...good, ...part })), null, good]),
    );
    expect(entries.map(({ row }) => row)).toEqual([12]);
    expect(invalid.map(({ row, column }) => [row, column])).toEqual([
      ...bad.map((part, index) => [index + 1, Object.keys(part)[0]]),
      [11, ''],
    ] as [number, string][]);
  });

  test('a property with a name of every object is as unknown as any other', async () => {
    const { invalid } = await readText(
      '[{"date":"2026-04-01","type":"income","amountPence":1,"__proto__":1,"constructor":2}]',
    );
    const message = 'An entry has no such property.';
    expect(invalid).toEqual([
      { row: 1, column: '__proto__', value: '1', message },
      { row: 1, column: 'constructor', value: '2', message },
    ]);
  });

  test('broken JSON is refused', async () => {
    await expect(readText('[{"date":', { fileName: 'a.json' })).rejects.toMatchObject({
      code: 'unreadable_file',
      option: 'format',
    });
  });
});

describe('OFX:', () => {
  test('SGML of version 1, with two accounts whose FITIDs are equal', async () => {
    const result = await readFixture('statement.ofx');
    expect(lines(result)).toEqual([
      '1 2026-04-01 +95000 M PATEL - RENT FLAT 2',
      '2 2026-04-03 -2349 B&Q LEEDS',
      '5 2026-04-03 -1230 TRAINLINE',
    ]);
    expect(references(result)).toEqual([
      '20000012345678:202604010001',
      '20000012345678:202604030001',
      '376400000000001:202604030001',
    ]);
    expect(result.invalid).toMatchObject([{ row: 3, column: 'TRNAMT', value: '-1.0x' }]);
    expect(result.skipped.map(({ row }) => row)).toEqual([4]);
    expect([result.recognised.format, result.recognised.bank, result.rowCount]).toEqual(['ofx', null, 5]);
  });

  test('XML of version 2, with a payee, entities and a decimal comma', async () => {
    const result = await readFixture('statement.qfx', { accountLabel: 'joint' });
    expect(lines(result)).toEqual([
      '1 2026-04-03 -4590 Café Zoë - lunch <team>',
      '2 2026-04-04 +120050 Rent',
    ]);
    expect(references(result)).toEqual(['joint:A1', 'joint:A2']);
  });

  test('the text of a CDATA section is read', async () => {
    const name = '<NAME><![CDATA[Tom & Co]]></NAME>';
    const ofx = `<OFX><STMTTRN><DTPOSTED>20260420</DTPOSTED><TRNAMT>-5.00</TRNAMT>${name}</STMTTRN></OFX>`;
    expect(lines(await readText(ofx))).toEqual(['1 2026-04-20 -500 Tom & Co']);
  });

  test('each account has its own currency and its own id', async () => {
    const one = '<STMTTRN><DTPOSTED>20260401<TRNAMT>1.00<FITID>1<NAME>a</STMTTRN>';
    const ofx = `<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM>${one}</STMTRS><STMTRS>${one}</STMTRS></OFX>`;
    const result = await readText(ofx);
    expect(result.invalid).toMatchObject([{ row: 1, column: 'CURDEF', value: 'EUR' }]);
    expect(references(result)).toEqual(['1']);
  });

  test('a long FITID is shortened to a hash', async () => {
    const transaction = `<STMTTRN><DTPOSTED>20260401<TRNAMT>1.00<FITID>${'x'.repeat(255)}<NAME>a</STMTTRN>`;
    const long = await readText(`<OFX><STMTRS><CURDEF>GBP${transaction}</STMTRS></OFX>`);
    expect(references(long)).toEqual(['imp1-f590ef0fbddcda769576942041dc6d1c']);
    expect(long.entries[0]?.isReferenceDerived).toBe(false);
  });
});

describe('the format', () => {
  test('is the one that the content shows, whatever the extension', async () => {
    const xlsx = workbook([
      { name: 'a', rows: { 1: ['Date', 'Amount'], 2: ['2026-04-01', { number: '1' }] } },
    ]);
    expect((await readBytes(xlsx, { fileName: 'a.csv' })).recognised.format).toBe('xlsx');
    expect((await readText('Date,Amount\n', { fileName: 'a.xlsx' })).recognised.format).toBe('csv');
    expect(
      (await readText('{"date":"2026-04-01","type":"income","amountPence":1}\n{}', {})).recognised.format,
    ).toBe('ndjson');
  });

  test('is the one of the option, if that is a format', async () => {
    await expect(readText('Date,Amount\n', { format: 'json' })).rejects.toMatchObject({
      code: 'unreadable_file',
    });
    await expect(readText('Date,Amount\n', { format: 'mt940' as 'csv' })).rejects.toThrow(
      'The option format takes one of csv, xlsx, json, ndjson, ofx, camt, qif',
    );
  });

  test.each(['constructor', 'tostring', 'valueof'])(
    'a name of every object is no entity and no extension: %s',
    async (name) => {
      const ofx = `<OFX><STMTTRN><DTPOSTED>20260420<TRNAMT>1<NAME>a &${name}; b</STMTTRN></OFX>`;
      expect((await readText(ofx)).entries[0]?.entry.description).toBe(`a &${name}; b`);
      const json = '[{"date":"2026-04-20","type":"income","amountPence":1}]';
      expect((await readText(json, { fileName: `file.${name}` })).recognised.format).toBe('json');
    },
  );

  test('of an empty file is none', async () => {
    await expect(readText('')).rejects.toThrow('The file is empty.');
    await expect(readText(' \n\n')).rejects.toMatchObject({ code: 'no_header' });
  });
});
