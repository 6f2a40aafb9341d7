/** What a workbook says of its cells beside their values: formats, errors, heights, and the day from which it counts. */
import { describe, expect, test } from 'bun:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { lines, readBytes } from './files.ts';
import { archive, bookParts, sheetXml, type WorkbookCell, workbook } from './workbook.ts';

describe('workbooks', () => {
  const text = (address: string, value: string) =>
    `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const book = ({
    cell = '<c r="C2"><v>5</v></c>',
    date = '<c r="A2" s="1"><v>46126</v></c>',
    row = '',
    format = '',
    epoch = '',
  }) => {
    const parts = bookParts(['Entries']);
    const header = ['Date', 'Description', 'Amount']
      .map((name, index) => text(`${'ABC'[index]}1`, name))
      .join('');
    const rows = `<row r="1">${header}</row><row r="2"${row}>${date}${text('B2', 'A')}${cell}</row>`;
    const formats = `<numFmts><numFmt numFmtId="200" formatCode="${format}"/></numFmts>`;
    return archive({
      ...parts,
      'xl/styles.xml': `${parts['xl/styles.xml']}`.replace('<numFmts></numFmts>', () =>
        format === '' ? '' : formats,
      ),
      'xl/workbook.xml': `${parts['xl/workbook.xml']}`.replace('<sheets>', `${epoch}<sheets>`),
      'xl/worksheets/sheet1.xml': sheetXml(rows),
    });
  };

  test.each([
    ['1.1000000000000001', '1.1'],
    ['0.30000000000000004', '0.3'],
    ['-37.499999999999993', '-37.5'],
    ['1E+3', '1000'],
    ['33.333333333333336', '33.3333333333333'],
  ])('the stored number %s is the 15 digits that Excel shows: %s', async (stored, shown) => {
    const { recognised } = await readBytes(book({ cell: `<c r="C2"><v>${stored}</v></c>` }));
    expect(recognised.sampleRows[0]?.[2]).toBe(shown);
  });

  test.each([
    '[$kr-41D] #,##0.00',
    '[$₹-4009]#,##0.00',
    '#,##0.00 &quot;zł&quot;',
    '(#,##0.00)',
    '#,##0.00&quot; DR&quot;',
    '0%',
    '0.00&quot;%&quot;',
    '0.00&quot; due&quot;',
    '0.0,&quot;k&quot;',
    '0.00,',
    '#,##0 kr',
    '&quot;₦&quot;#,##0',
    ';;;',
    '0\\.00',
    '0&quot;00&quot;',
    '0.00\\%',
  ])('an amount in the format %s is invalid', async (format) => {
    const { entries, invalid } = await readBytes(book({ format, cell: '<c r="C2" s="2"><v>5</v></c>' }));
    expect(entries).toEqual([]);
    expect(invalid).toHaveLength(1);
  });

  test.each([
    ['[$€-407]#,##0.00', '2 2026-04-14 +250 A - EUR 5.00 at 0.5 GBP per EUR'],
    ['[$EUR] #,##0.00', '2 2026-04-14 +250 A - EUR 5.00 at 0.5 GBP per EUR'],
    ['#,##0.00 &quot;zł&quot;', '2 2026-04-14 +100 A - PLN 5.00 at 0.2 GBP per PLN'],
  ])('an amount in the format %s is in that currency, with rates', async (format, expected) => {
    const rates = 'month,currency,pounds per unit\n2026-04,EUR,0.5\n2026-04,PLN,0.2\n';
    const cell = '<c r="C2" s="2"><v>5</v></c>';
    expect(lines(await readBytes(book({ format, cell }), { rates }))).toEqual([expected]);
    const { invalid } = await readBytes(book({ format: '(#,##0.00)', cell }), { rates });
    expect(invalid).toHaveLength(1);
  });

  test('CR in the format of an amount contradicts money out', async () => {
    const money = { cell: '<c r="C2" s="2"><v>5</v></c>', format: '0.00&quot; CR&quot;' };
    expect(lines(await readBytes(book(money)))).toEqual(['2 2026-04-14 +500 A']);
    expect((await readBytes(book(money), { map: { moneyOut: 'Amount' } })).invalid).toHaveLength(1);
  });

  test('an amount or a date that is struck through is invalid', async () => {
    const struck = (xml: string, cells: Parameters<typeof book>[0]) => {
      const files = unzipSync(book({ format: '0.00', ...cells }));
      const styles = strFromU8(files['xl/styles.xml'] ?? new Uint8Array());
      const fonts = `<fonts><font/><font>${xml}</font></fonts><cellXfs`;
      const changed = styles
        .replace('<cellXfs', fonts)
        .replace('<xf numFmtId="200"/>', '<xf numFmtId="200" fontId="1"/>')
        .replace('<xf numFmtId="14"', '<xf fontId="0" numFmtId="14"');
      return readBytes(zipSync({ ...files, 'xl/styles.xml': strToU8(changed) }));
    };
    const amount = { cell: '<c r="C2" s="2"><v>5</v></c>' };
    expect((await struck('<strike/>', amount)).invalid).toMatchObject([{ field: 'amount' }]);
    expect((await struck('<strike val="0"/>', amount)).entries).toHaveLength(1);
    const date = { date: '<c r="A2" s="2"><v>46126</v></c>', format: 'dd/mm/yyyy' };
    expect((await struck('<strike/>', date)).invalid).toMatchObject([{ field: 'date' }]);
  });

  test('a row with a text that is struck through is asked about', async () => {
    const parts = unzipSync(book({ format: '0.00' }));
    const change = (name: string, from: string, to: string) => {
      const text = strFromU8(parts[name] ?? new Uint8Array());
      parts[name] = strToU8(text.replace(from, to));
    };
    change('xl/styles.xml', '<cellXfs', '<fonts><font/><font><strike/></font></fonts><cellXfs');
    change('xl/styles.xml', '<xf numFmtId="200"/>', '<xf numFmtId="200" fontId="1"/>');
    change('xl/worksheets/sheet1.xml', '<c r="B2"', '<c r="B2" s="2"');
    const bytes = zipSync(parts);
    expect((await readBytes(bytes)).invalid).toMatchObject([{ row: 2, option: 'rowMeanings' }]);
    expect((await readBytes(bytes, { rowMeanings: { 2: 'keep' } })).entries).toHaveLength(1);
    expect((await readBytes(bytes, { rowMeanings: { 2: 'skip' } })).skipped).toHaveLength(1);
  });

  test.each([
    ['mmm yyyy', '46113', false],
    ['[$-809]mmmm\\ yy;@', '46113', false],
    ['yyyy', '46023', false],
    ['mmm yyyy', '46126', true],
    ['dd mmm', '46113', true],
    ['dd/mm/yyyy hh:mm', '46113', true],
    ['dd/mm/&quot;2025&quot;', '46126', false],
    ['&quot;due &quot;dd/mm/yyyy', '46126', false],
    ['d&quot;th&quot; mmmm yyyy', '46126', true],
  ])(
    'a date shown as %s is invalid if it is the first of a month and no day is shown, or another text is shown',
    async (format, serial, isRead) => {
      const date = `<c r="A2" s="2"><v>${serial}</v></c>`;
      const { entries, invalid } = await readBytes(book({ format, date }));
      expect([entries.length, invalid.length]).toEqual(isRead ? [1, 0] : [0, 1]);
    },
  );

  test('Excel has formats of its own for a month and for percent', async () => {
    const read = async (id: string, cells: Parameters<typeof book>[0]) => {
      const files = unzipSync(book({ format: '0.00', ...cells }));
      const styles = strFromU8(files['xl/styles.xml'] ?? new Uint8Array());
      const changed = strToU8(styles.replace('<xf numFmtId="200"/>', `<xf numFmtId="${id}"/>`));
      return (await readBytes(zipSync({ ...files, 'xl/styles.xml': changed }))).invalid.map(
        ({ field }) => field,
      );
    };
    expect(await read('17', { date: '<c r="A2" s="2"><v>46113</v></c>' })).toEqual(['date']);
    expect(await read('9', { cell: '<c r="C2" s="2"><v>5</v></c>' })).toEqual(['amount']);
    expect(await read('2', { cell: '<c r="C2" s="2"><v>5</v></c>' })).toEqual([]);
  });

  test.each([
    ['SUM(C3:C9)', false],
    ['SUMIFS(Rents!$D$2:$D$90,Rents!$A$2:$A$90,A2)', false],
    ['C3+C5', false],
    ['C3+5', false],
    ['$C$3/6', false],
    ['+C3', true],
    ['Rents!C3', true],
    ['D3*10%', true],
    ['SUM(D2:F2)', true],
    ['C3', true],
    ['VLOOKUP(B2,Rents!$A$1:$B$20,2,FALSE)', true],
  ])(
    'an amount by the formula %s may be a total unless it is of its row, or one cell',
    async (formula, isRead) => {
      const cell = `<c r="C2"><f>${formula}</f><v>5</v></c>`;
      const { entries, invalid } = await readBytes(book({ cell }));
      expect([entries.length, invalid.map(({ option }) => option)]).toEqual(
        isRead ? [1, []] : [0, ['rowMeanings']],
      );
      expect((await readBytes(book({ cell }), { rowMeanings: { 2: 'keep' } })).entries).toHaveLength(1);
    },
  );

  test('a date by the formula TODAY is the day on which the workbook was computed', async () => {
    const date = '<c r="A2" s="1"><f>TODAY()-1</f><v>46126</v></c>';
    expect((await readBytes(book({ date }))).invalid).toMatchObject([{ field: 'date' }]);
    expect((await readBytes(book({ date: date.replace('TODAY()', '46127') }))).entries).toHaveLength(1);
  });

  test.each([
    '[$£-809]#,##0.00',
    '_-* #,##0.00_-;\\-* #,##0.00_-',
    '#,##0.00_);(#,##0.00)',
    '&quot;£&quot;#,##0.00',
    '#,##0.00 &quot;GBP&quot;',
    '0.00E+00',
  ])('an amount in the format %s is read', async (format) => {
    const result = await readBytes(book({ format, cell: '<c r="C2" s="2"><v>5</v></c>' }));
    expect(lines(result)).toEqual(['2 2026-04-14 +500 A']);
  });

  test('an error and a formula that was not computed are no empty cells, and a row without height is hidden', async () => {
    const cells = ['<c r="C2" t="e"><f>X</f><v>#REF!</v></c>', '<c r="C2"><f>SUM(A1)</f><v></v></c>'];
    const message = expect.stringContaining('saved without its value; open and save the workbook');
    for (const cell of cells) {
      const { invalid } = await readBytes(book({ cell }));
      expect(invalid).toMatchObject([
        { row: 2, field: 'amount', value: '(a formula without a value)', message },
      ]);
    }
    await expect(readBytes(book({ row: ' ht="0" customHeight="1"' }))).rejects.toThrow(
      'No row is a payment; row 2: The row is hidden',
    );
  });

  describe('a formula with the value 0', () => {
    const zero = '<c r="C2"><f>-50-10</f><v>0</v></c>';
    const plain = '<c r="A2" s="1"><v>46126</v></c>';
    const computed = '<c r="A2" s="1"><f>X</f><v>46126</v></c>';
    test.each([
      ['alone', zero, 'invalid', plain],
      ['beside a formula with another value', zero, 'skipped', computed],
      ['that is 0.00 in a text', '<c r="C2" t="str"><f>X</f><v>0.00</v></c>', 'skipped', plain],
      ['that is none', '<c r="C2"><v>0</v></c>', 'skipped', plain],
    ])('%s', async (_, cell, expected, date) => {
      const { entries, invalid, skipped } = await readBytes(book({ cell, date }));
      const outcome = entries.length > 0 ? 'entry' : invalid.length > 0 ? 'invalid' : 'skipped';
      expect([outcome, skipped.length]).toEqual([expected, expected === 'skipped' ? 1 : 0]);
      if (expected === 'invalid') expect(invalid[0]?.message).toContain('saved without its value');
    });

    test('is computed if the workbook has the list of computed formulas', async () => {
      const files = unzipSync(book({ cell: zero }));
      const bytes = zipSync({ ...files, 'xl/calcChain.xml': strToU8('<calcChain/>') });
      expect((await readBytes(bytes)).skipped).toHaveLength(1);
    });
  });

  test.each(['date1904="TRUE"', 'date1904 = "1"', 'date1904=" true "'])(
    'days count from 1904: %s',
    async (attribute) => {
      const epoch = `<workbookPr ${attribute}/>`;
      expect(lines(await readBytes(book({ epoch, date: '<c r="A2" s="1"><v>44664</v></c>' })))).toEqual([
        '2 2026-04-14 +500 A',
      ]);
      expect((await readBytes(book({ epoch, date: '<c r="A2"><v>44664</v></c>' }))).invalid).toHaveLength(1);
    },
  );
});

describe('a sheet whose rows are sums of other sheets is no list of payments:', () => {
  const header = ['Date', 'Details', 'Paid in', 'Paid out'];
  const row = (day: number, text: string, paidIn: string, paidOut: string) => [
    { dateSerial: 46125 + day },
    text,
    paidIn === '' ? null : { number: paidIn },
    paidOut === '' ? null : { number: paidOut },
  ];
  const month = (fee: string) => [
    row(0, 'rent', '950', ''),
    row(1, 'rent', '800', ''),
    row(2, 'fee', '', fee),
  ];
  const total = [null, 'Total', { number: '1750' }, { number: '50' }];
  const book = (first: WorkbookCell[][], ...others: WorkbookCell[][][]) =>
    workbook(
      [first, ...others].map((rows, index) => ({
        name: `Sheet ${index + 1}`,
        rows: Object.fromEntries([header, ...rows].map((cells, at) => [at + 1, cells])),
      })),
    );
  const summary = [row(17, 'Rents', '1750', ''), row(17, 'Fees', '', '30')];

  test.each([
    ['with rows alone', [month('20'), month('30')]],
    ['with a total', [[...month('20'), total], month('30')]],
  ])('of sheets %s', async (_, others) => {
    const refused = { code: 'several_sheets', message: expect.stringContaining('sums of other sheets') };
    await expect(readBytes(book(summary, ...others))).rejects.toMatchObject(refused);
    expect((await readBytes(book(summary, ...others), { sheet: '2' })).entries).toHaveLength(3);
    expect((await readBytes(book(summary, ...others), { sheet: '1' })).entries).toHaveLength(2);
  });

  test('months with equal rents are none', async () => {
    expect((await readBytes(book(month('20'), month('20')))).entries).toHaveLength(3);
    const one = [row(0, 'rent', '950', ''), row(1, 'fee', '', '20')];
    const sum = [null, 'Total', { number: '950' }, { number: '20' }];
    expect((await readBytes(book([...one, sum], [...one, sum]))).entries).toHaveLength(2);
  });
});
