/** What is probably known: a payment whose date or description the bank has changed since it was stored. */
import { describe, expect, test } from 'bun:test';
import { compareWithBooks, newEntries } from '../../../../clients/typescript/books/comparison.ts';
import { withProbable } from '../../../../clients/typescript/books/probably.ts';
import { type Books, dayAfter, widened } from '../../../../clients/typescript/books/stored-books.ts';
import { plan } from '../import/plan.ts';
import { pushed } from './pushed.ts';

const RULES = [
  'description contains "AGENT" -> Web design / split: expense professionalFees 12 % of gross, rest turnover',
  'description contains "SAVINGS" -> leave out',
  'description contains "MILL" -> "Flat 3, Mill Lane"',
  'description contains "SHOP" and amount over 999 -> 12 Acacia Avenue',
  'otherwise -> 27 Station Road',
];

/** The books after the rows were pushed by the rules. */
const booksOf = async (rows: readonly string[], rules: readonly string[] = RULES) =>
  pushed((await plan(rules, rows)).entries);

async function compared(books: Books, rows: readonly string[]) {
  const statement = await plan(RULES, rows);
  const { entries } = statement;
  const comparison = compareWithBooks(entries, books, undefined);
  const files = [{ name: 'a.csv', statement }];
  return { entries, marked: withProbable(entries, comparison, books, undefined, files) };
}

/** `row date description` of the stored entry, of each row that is marked. */
async function probable(books: Books, ...rows: string[]): Promise<string[]> {
  const { entries, marked } = await compared(books, rows);
  return marked.rows.flatMap(({ probably }, index) =>
    probably
      ? [`${entries[index]?.row} ${probably.stored.date.slice(8)} ${probably.stored.description}`]
      : [],
  );
}

const [FIRST, LAST] = ['2026-10-01,FIRST,1', '2026-10-31,LAST,2'];

describe('a new row is probably a stored entry', () => {
  test('of the same amount, type and source, at most three days away', async () => {
    const books = await booksOf([FIRST, '2026-10-10,PENDING,-40', LAST]);
    expect(await probable(books, FIRST, '2026-10-13,BOOKED,-40', LAST)).toEqual(['3 10 PENDING']);
    expect(await probable(books, FIRST, '2026-10-07,BOOKED,-40', LAST)).toEqual(['3 10 PENDING']);
    for (const other of ['14,BOOKED,-40', '10,BOOKED,40', '10,BOOKED,-40.01', '10,BOOKED MILL,-40'])
      expect(await probable(books, FIRST, `2026-10-${other}`, LAST)).toEqual([]);
  });

  test('if no row of the file is that entry', async () => {
    const books = await booksOf(['2026-10-10,TAXI,-40']);
    expect(await probable(books, '2026-10-10,TAXI,-40', '2026-10-11,TAXI,-40')).toEqual([]);
    // Stored by the rules of then, left out or split by those of now.
    const whole = ['otherwise -> 27 Station Road'];
    const savings = await booksOf(['2026-10-10,SAVINGS,-40'], whole);
    expect(await probable(savings, '2026-10-10,SAVINGS,-40', '2026-10-11,TAXI,-40')).toEqual([]);
  });

  test('the nearest one, and no entry twice', async () => {
    const books = await booksOf(['2026-10-09,A,-40', '2026-10-11,B,-40', '2026-10-12,C,-40', FIRST, LAST]);
    const rows = ['X', 'Y', 'Z', '4'].map((text) => `2026-10-12,${text},-40`);
    expect(await probable(books, FIRST, ...rows, LAST)).toEqual(['3 12 C', '4 11 B', '5 09 A']);
  });

  test('one of its description before a nearer row of another one', async () => {
    const books = await booksOf([FIRST, '2026-10-09,CAFE,-40', LAST]);
    const rows = ['2026-10-09,A,-40', '2026-10-11,CAFE,-40'];
    expect(await probable(books, FIRST, ...rows, LAST)).toEqual(['4 09 CAFE']);
  });

  test('of two as near the earlier one: a payment is booked after it was pending', async () => {
    for (const days of [1, 2, 3]) {
      const [after, before] = [`2026-10-${10 + days},A,-40`, `2026-10-0${10 - days},B,-40`];
      const found = await probable(
        await booksOf([after, before, FIRST, LAST]),
        FIRST,
        '2026-10-10,X,-40',
        LAST,
      );
      expect(found).toEqual([`3 0${10 - days} B`]);
    }
  });

  test('but not an equal payment of the days before the file or after it', async () => {
    const books = await booksOf(['2026-09-30,COFFEE,-3', '2026-11-01,Coffee,-3']);
    expect(await probable(books, FIRST, '2026-10-02,COFFEE,-3', LAST)).toEqual([]);
    expect(await probable(books, FIRST, '2026-10-02,CAFE,-3', LAST)).toEqual(['3 30 COFFEE']);
    // Within the period, the file would have both.
    expect(await probable(books, '2026-09-29,X,1', '2026-10-02,COFFEE,-3')).toEqual(['3 30 COFFEE']);
  });

  test('with all of its parts, or not at all', async () => {
    const books = await booksOf(['2026-10-10,AGENT 1,88']);
    expect(await probable(books, FIRST, '2026-10-11,AGENT 2,88')).toEqual(['3 10 AGENT 1', '3 10 AGENT 1']);
    // On two days.
    const fee = await booksOf(['2026-10-10,FEE,-12', '2026-10-12,RENT,100'], ['otherwise -> Web design']);
    expect(await probable(fee, FIRST, '2026-10-11,AGENT 2,88')).toEqual([]);
  });
});

describe('a new row is probably a correction of a stored entry', () => {
  const corrected = async (books: Books, ...rows: string[]) => {
    const { entries, marked } = await compared(books, rows);
    return marked.rows.flatMap(({ probably }, index) =>
      probably?.isEarlierVersion ? [`${entries[index]?.row} ${probably.stored.amountPence}`] : [],
    );
  };

  test.each([
    ['another amount', '2026-10-10,SHOP,-129.90', ['3 1299']],
    ['another type', '2026-10-10,SHOP,12.99', ['3 1299']],
    ['three days later, when it is booked', '2026-10-13,shop,-52.37', ['3 1299']],
    ['three days before', '2026-10-07,SHOP,-52.37', ['3 1299']],
    ['four days later', '2026-10-14,SHOP,-52.37', []],
    ['another description', '2026-10-10,SHOP 2,-129.90', []],
    ['another source, by its amount', '2026-10-10,SHOP,-1299.00', ['3 1299']],
  ])('%s', async (_, row, expected) => {
    const books = await booksOf([FIRST, '2026-10-10,SHOP,-12.99', LAST]);
    expect(await corrected(books, FIRST, row, LAST)).toEqual(expected);
    const { entries, marked } = await compared(books, [FIRST, row, LAST]);
    expect(newEntries(entries, marked)).toHaveLength(expected.length === 0 ? 1 : 0);
  });

  test('unless a row of the file is that entry, or the entry is of the days before the file', async () => {
    const books = await booksOf([FIRST, '2026-10-10,FARE,-2.80', LAST]);
    expect(await corrected(books, FIRST, '2026-10-10,FARE,-2.80', '2026-10-11,FARE,-3.40')).toEqual([]);
    expect(await corrected(books, '2026-10-11,FARE,-3.40', '2026-10-31,LAST,2')).toEqual([]);
    const nameless = await booksOf([FIRST, '2026-10-10,,-2.80', LAST]);
    expect(await corrected(nameless, FIRST, '2026-10-10,,-3.40', LAST)).toEqual([]);
  });

  test('although a row of its amount and another description may be that entry as well', async () => {
    const books = await booksOf([FIRST, '2026-10-12,SHOP,-40', LAST]);
    const rows = [FIRST, '2026-10-10,TAXI,-40', '2026-10-12,SHOP,-90', LAST];
    expect(await probable(books, ...rows)).toEqual(['3 12 SHOP', '4 12 SHOP']);
    expect(await corrected(books, ...rows)).toEqual(['4 4000']);
  });

  test('with all its parts; each entry is taken once', async () => {
    const before = [FIRST, '2026-10-10,AGENT,88', '2026-10-12,SHOP,-5', LAST];
    // The API has the newest first.
    const books = pushed((await plan(RULES, before)).entries.toReversed());
    const rows = [FIRST, '2026-10-10,AGENT,176', '2026-10-12,SHOP,-6', '2026-10-12,SHOP,-7', LAST];
    expect(await corrected(books, ...rows)).toEqual(['3 1200', '3 10000', '4 500']);
  });
});

test('days are counted over the ends of months, and stay within those of the API', () => {
  expect(dayAfter('2028-02-27', 3)).toBe('2028-03-01');
  expect(dayAfter('2027-01-01', -1)).toBe('2026-12-31');
  const all = { from: '0001-01-01', to: '9999-12-31' };
  expect(widened({ from: '0001-01-02', to: '9999-12-30' }, 3)).toEqual(all);
  expect(widened({}, 3)).toEqual({});
});
