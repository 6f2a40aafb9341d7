/** QIF: the records of payments, the order of dates of the whole file, and what is not read. */
import { describe, expect, test } from 'bun:test';
import { lines, readFixture, readText } from './files.ts';

const qif = (...records: string[]) => `!Type:Bank\n${records.map((record) => `${record}\n^\n`).join('')}`;
const dated = (...dates: string[]) => qif(...dates.map((date) => `D${date}\nT1.00`));
const datesOf = async (text: string, options = {}) =>
  (await readText(text, options)).entries.map(({ entry }) => entry.date);

test('records of bank and cash accounts, with payee and memo, by the line on which each begins', async () => {
  const result = await readFixture('statement.qif');
  expect(result.recognised).toMatchObject({ format: 'qif', dateFormat: 'dmy' });
  expect(lines(result)).toEqual([
    '13 2026-04-13 +95000 M PATEL - RENT FLAT 2',
    '21 2026-04-14 -11050 HARDWARE & TIMBER LTD',
    '36 2026-04-16 -250 PARKING',
  ]);
  expect(result.skipped).toEqual([
    { row: 8, reason: 'This is a balance, not a transaction.' },
    { row: 41, reason: 'A record of !Type:Cat is no payment.' },
  ]);
  expect(result.invalid).toMatchObject([{ row: 31, field: 'amount', column: 'T', value: '-1.0x' }]);
  expect(
    result.statements.map(({ account, opening, rows }) => [account, opening?.pence, rows.length]),
  ).toEqual([
    ['Current account', 100_000, 2],
    ['', undefined, 1],
  ]);
});

test('a record with splits is one row, with its whole amount', async () => {
  const { entries } = await readText(qif('D2026-04-01\nT-15.00\nPa\nSx\nEb\n$-5.00\nSy\n$-10.00'));
  expect(entries.map(({ entry }) => [entry.amountPence, entry.description])).toEqual([[1500, 'a']]);
});

describe('dates', () => {
  test('are read as banks and Quicken write them, with years of two digits, an apostrophe and a space for a zero', async () => {
    expect(
      await datesOf(
        dated('13/04/2026', '14/04/26', "15/04'26", "3/ 4'26", "3/ 4' 5", '1-12-2026', '2026-04-06'),
      ),
    ).toEqual([
      '2026-04-13',
      '2026-04-14',
      '2026-04-15',
      '2026-04-03',
      '2005-04-03',
      '2026-12-01',
      '2026-04-06',
    ]);
  });

  test('have the order that the whole file shows, or an option gives', async () => {
    expect(await datesOf(dated("3/4'26", "4/13'26"))).toEqual(['2026-03-04', '2026-04-13']);
    await expect(readText(dated('13/4/26', '4/13/26'))).rejects.toMatchObject({ code: 'ambiguous_dates' });
    await expect(readText(dated("3/4'26"))).rejects.toMatchObject({
      code: 'ambiguous_dates',
      option: 'dateFormat',
      message: expect.stringContaining('row 2'),
    });
    expect(await datesOf(dated("3/4'26"), { dateFormat: 'dmy' })).toEqual(['2026-04-03']);
  });
});

test('amounts have thousands, and a decimal comma by the option', async () => {
  const { entries } = await readText(qif('D2026-04-01\nU1,234.56', 'D2026-04-01\nT-2'));
  expect(entries.map(({ entry }) => [entry.type, entry.amountPence])).toEqual([
    ['income', 123_456],
    ['expense', 200],
  ]);
  const comma = await readText(qif('D2026-04-01\nT1.234,56'), { decimal: ',' });
  expect(comma.entries.map(({ entry }) => entry.amountPence)).toEqual([123_456]);
});

test('a record without a date or an amount is invalid, and a file whose last record has no end is refused', async () => {
  const text = qif('Pa', 'T1.00');
  await expect(readText(`${text}D2026-04-01\r\nT5.00`)).rejects.toThrow('is not whole');
  const { invalid } = await readText(text);
  expect(invalid.map(({ row, column }) => [row, column])).toEqual([
    [2, 'D'],
    [2, 'T'],
    [4, 'D'],
  ]);
});

test('records of investments are no payments', async () => {
  const { entries, skipped } = await readText('!Type:Invst\nD2026-04-01\nNBuy\nT5.00\n^\n');
  expect([entries, skipped.map(({ row }) => row)]).toEqual([[], [2]]);
});

test('a file that does not say of what type its records are is refused', async () => {
  for (const text of ['D2026-04-01\nT1\n^\n', '!Option:AllXfr\n']) {
    await expect(readText(text, { format: 'qif' })).rejects.toThrow('The file is not QIF');
  }
});
