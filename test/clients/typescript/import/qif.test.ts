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
  const text = qif('D2026-04-01\nT-15.00\nPa\nSx\nEb\n$-5.00\nSy\n$-10.00');
  expect(lines(await readText(text))).toEqual(['2 2026-04-01 -1500 a']);
});

describe('what speaks of the amount of a payment', () => {
  const D = 'D2026-04-13';
  const invalid = async (text: string, options = {}) =>
    (await readText(text, options)).invalid.map(({ row, column }) => `${row} ${column}`);

  test('is in two lines, with any thousands', async () => {
    expect(await invalid(qif(`${D}\nU1,234.00\nT1234`, `${D}\nU1.00\nT2.00`))).toEqual(['6 T']);
  });

  test('are its splits, if all have amounts', async () => {
    const split = (...amounts: string[]) =>
      `${D}\nT-15.00\n${amounts.map((amount) => `Sx\n$${amount}`).join('\n')}`;
    const records = [split('-5.00', '-10.00'), split('-5.00', '-9.00'), split('15.00')];
    expect(await invalid(qif(...records))).toEqual(['9 $', '16 $']);
  });

  test('is the currency of its account', async () => {
    const account = '!Account\nNEUR account\nTCash\n^\n!Type:Cash\n';
    expect(await invalid(`${account}${D}\nT-5.00\n^\n`)).toEqual(['6 the account']);
  });
});

test('void payments, an opening balance, and a transfer of an account to itself, are none', async () => {
  const text = `!Account\nNGiro\nTBank\n^\n${qif('D2026-04-13\nT9.00\nPAnfangssaldo\nL[Giro]', 'D2026-04-13\nT-1.00\nP**VOID**Shop', 'D2026-04-13\nT-2.00\nCv', 'D2026-04-13\nT-3.00', 'D2026-04-13\nT9.00\nPOpening Balance')}`;
  const { entries, skipped, invalid, statements } = await readText(text);
  expect([entries, skipped, invalid].map((rows) => rows.map(({ row }) => row))).toEqual([
    [19],
    [6, 11, 15],
    [22],
  ]);
  expect(statements[0]?.opening?.pence).toBe(900);
});

test('a payee alone is no opening balance: a person leaves the record out, or keeps it', async () => {
  const text = qif('D2026-04-13\nT9.00\nPOpening Balance', 'D2026-04-14\nT-3.00\nPa');
  const asked = await readText(text);
  expect(asked.invalid).toMatchObject([
    { row: 2, column: 'P', value: 'Opening Balance', option: 'rowMeanings' },
  ]);
  expect(asked.entries).toHaveLength(1);
  const left = await readText(text, { rowMeanings: { 2: 'skip' } });
  expect([left.entries.length, left.invalid, left.statements[0]?.opening?.pence]).toEqual([1, [], 900]);
  const kept = await readText(text, { rowMeanings: { 2: 'keep' } });
  expect([kept.entries.length, kept.invalid, kept.statements[0]?.opening]).toEqual([2, [], undefined]);
});

test('a line ^ with spaces ends a record, and one with a text does not', async () => {
  const { entries, invalid } = await readText(
    qif('D2026-04-13\nT1.00\nPa\n ^\nD2026-04-13\nT2.00\nPb\n^more'),
  );
  expect(entries.map(({ row }) => row)).toEqual([2]);
  expect(invalid).toMatchObject([{ row: 6, column: '^' }]);
});

test.each([
  ['accounts', '!Account\nNa\nTBank\n^'],
  ['categories', '!Type:Cat\nNa\n^'],
])('payments behind a list of %s, without a section of their own, are not left out', async (_, list) => {
  await expect(readText(`${list}\nD13/04/2026\nT1.00\n^\n`)).rejects.toThrow('has a date and an amount');
});

test('equal payments of two sections are asked about', async () => {
  const text = qif('D2026-04-13\nT1.00');
  expect((await readText(text + text)).invalid).toMatchObject([{ row: 6, option: 'repeated' }]);
});

describe('dates', () => {
  test('are read as banks and Quicken write them, with years of two digits, an apostrophe and a space for a zero', async () => {
    const dates = ['13/04/2026', '14/04/26', "15/04'26", "3/ 4'26", "3/ 4' 5", '1-12-2026', '2026-04-06'];
    expect((await datesOf(dated(...dates))).join(' ')).toBe(
      '2026-04-13 2026-04-14 2026-04-15 2026-04-03 2005-04-03 2026-12-01 2026-04-06',
    );
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
  const point = qif('D2026-04-01\nU1,234.56', 'D2026-04-01\nT-2');
  expect(lines(await readText(point))).toEqual(['2 2026-04-01 +123456', '5 2026-04-01 -200']);
  const comma = qif('D2026-04-01\nT1.234,56');
  expect(lines(await readText(comma, { decimal: ',' }))).toEqual(['2 2026-04-01 +123456']);
});

test('a record without a date or an amount is invalid, and a file whose last record has no end is refused', async () => {
  const text = qif('Pa', 'T1.00');
  await expect(readText(`${text}D2026-04-01\r\nT5.00`)).rejects.toThrow('is not whole');
  const { invalid } = await readText(text);
  expect(invalid.map(({ row, column }) => `${row} ${column}`)).toEqual(['2 D', '2 T', '4 D']);
});

test('records of investments are no payments', async () => {
  const investment = '!Type:Invst\nD2026-04-01\nNBuy\nT5.00\n^\n';
  const { entries, skipped } = await readText(`${investment}!Type:Bank\nD2026-04-01\nT-5.00\n^\n`);
  expect([entries.map(({ row }) => row), skipped.map(({ row }) => row)]).toEqual([[7], [2]]);
  await expect(readText(investment)).rejects.toThrow('No row is a payment');
});

test('a file that does not say of what type its records are is refused', async () => {
  for (const text of ['D2026-04-01\nT1\n^\n', '!Option:AllXfr\n']) {
    await expect(readText(text, { format: 'qif' })).rejects.toThrow('The file is not QIF');
  }
});
