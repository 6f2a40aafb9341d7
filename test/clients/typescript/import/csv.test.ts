/** CSV: delimiters, lines, quotes, and rows that are no transactions. What the ledger exports: ../export/. */
import { describe, expect, test } from 'bun:test';
import { lines, readFixture, readText } from './files.ts';

describe('CSV:', () => {
  test.each([',', ';', '\t', '|'])('the delimiter %p is found', async (delimiter) => {
    const [header, row] = ['Date_Details_Amount', '13/04/2026_"a, b; c"_-5.00'];
    const text = `${header}\n${row}`.replaceAll('_', delimiter);
    expect(lines(await readText(text))).toEqual(['2 2026-04-13 -500 a, b; c']);
  });

  test("Excel's own line about the delimiter counts as a line", async () => {
    expect(lines(await readText('sep=;\r\nDate;Amount\r\n13/04/2026;5\r\n'))).toEqual(['3 2026-04-13 +500']);
  });

  test.each(['\n', '\r\n', '\r'])(
    'rows are numbered by the line that they begin on, with line ends %j',
    async (end) => {
      const before = 'My bank\n\nDate,Details,Amount\n';
      const rows = '13/04/2026,"two\nlines",5\n\n14/04/2026,next,2\n15/04/2026,last,4';
      expect(lines(await readText((before + rows).replaceAll('\n', end)))).toEqual([
        '4 2026-04-13 +500 two lines',
        '7 2026-04-14 +200 next',
        '8 2026-04-15 +400 last',
      ]);
    },
  );

  test('a spreadsheet with a title, decimal commas, labels and a total is read', async () => {
    const result = await readFixture('spreadsheet.csv', { decimal: ',' });
    expect(lines(result)).toEqual([
      '5 2026-04-06 +125000 Rent flat 2',
      '6 2026-04-07 -8950 Boiler service and "safety" check',
      '9 2026-04-07 -250 Parking',
      '10 2026-04-07 -250 Parking',
    ]);
    expect(result.skipped).toEqual([{ row: 11, reason: 'This is a total, not a transaction.' }]);
  });

  test('a row with more cells than the header, or with a broken quote, is invalid and the others are read', async () => {
    const text = 'Date,Details,Amount\n13/04/2026,a, b,5\n14/04/2026,"a "b" c",6\n15/04/2026,d,7\n';
    const result = await readText(text);
    expect(lines(result)).toEqual(['4 2026-04-15 +700 d']);
    expect(result.invalid.map(({ row, column }) => `${row}${column}`)).toEqual(['2', '3']);
  });

  test('headings, notes and the header of a second export are skipped and listed', async () => {
    const text =
      'Date,Details,Amount\nApril 2026,,\n13/04/2026,a,5\nDate,Details,Amount\n14/04/2026,b,6\n,c,7\nEnd of report,,\n';
    const { skipped, invalid, entries } = await readText(text);
    expect(entries.map(({ row }) => row)).toEqual([3, 5]);
    expect(skipped.map(({ row }) => row)).toEqual([2, 4, 7]);
    expect(invalid).toMatchObject([
      { row: 6, column: 'Date', message: expect.stringMatching(/^The date is missing\./) },
    ]);
  });

  test('a date that is given once a day has to be in each row', async () => {
    const text = 'Date,Details,Amount\n13/04/2026,a,-5\n,b,-6\n14/04/2026,c,-7\n,Total,-18\n';
    const { skipped, invalid, entries } = await readText(text);
    expect(entries.map(({ row }) => row)).toEqual([2, 4]);
    expect(skipped.map(({ row }) => row)).toEqual([5]);
    const message =
      'The date is missing. If it is the date of the row above, copy it down into the empty cells.';
    expect(invalid).toMatchObject([{ row: 3, field: 'date', message }]);
  });

  test('a quoted cell that never ends is refused: it would swallow rows', async () => {
    const text = 'Date,Details,Amount\n13/04/2026,a,1\n13/04/2026,"a,1\n14/04/2026,b,2\n';
    const refused = { code: 'unreadable_file', message: expect.stringContaining('line 3') };
    await expect(readText(text)).rejects.toMatchObject(refused);
  });

  test.each(['14-Apr-2026', '20260414', '14th April 2026', 'Tue 14 Apr 2026', '14/04/2026'])(
    'a quoted text that swallows a row with the date %s is found',
    async (date) => {
      const text = `Date,Details,Paid out\n13/04/2026,"ACME,12.00\n${date},PIPE 3",5.00\n15/04/2026,c,6.00\n`;
      const { entries, invalid } = await readText(text);
      expect([entries.map(({ row }) => row), invalid.map(({ row }) => row)]).toEqual([[4], [2]]);
    },
  );

  test('cells without text, spaces that do not break and zero characters are trimmed away', async () => {
    const text = 'Date,Details,Amount\n\u00a013/04/2026 ,\0 a\u00a0\tb ,5\0\n,,\n';
    expect(lines(await readText(text))).toEqual(['2 2026-04-13 +500 a b']);
  });

  test('rows that all lack the cell of an amount are invalid', async () => {
    const rows = (more: string) =>
      `Date,Details,Paid out,Paid in,Notes\n13/04/2026,a,950.00${more}\n14/04/2026,b,5.00\n15/04/2026,c,6.00\n`;
    const { entries, invalid } = await readText(rows(''));
    expect([entries, invalid.map(({ row }) => row)]).toEqual([[], [2, 3, 4]]);
    expect(lines(await readText(rows(',').replace('950.00', ',950.00')))).toHaveLength(3);
  });

  test('an amount that may go on in the next cell is invalid: 1,250 without quotes', async () => {
    const rows = (...ends: string[]) =>
      `Date,Details,Paid in,Ref\n${ends.map((end) => `13/04/2026,a,${end}\n`).join('')}`;
    expect((await readText(rows('950,', '1,250', '45,'))).invalid.map(({ row }) => row)).toEqual([3]);
    expect((await readText(rows('950,101', '1,250', '45,'))).invalid.map(({ row }) => row)).toEqual([2, 3]);
    expect((await readText(rows('950,A7', '1,250', '45,'))).invalid).toEqual([]);
  });
});
