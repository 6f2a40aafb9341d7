/** Which rows and entries are one payment, which may be, and how an answer changes that. */
import { describe, expect, test } from 'bun:test';
import { dayAfter, widened } from '../../../../clients/typescript/days.ts';
import { newEntries } from '../../../../clients/typescript/match/compare.ts';
import {
  type Decision,
  type Decisions,
  NO_DECISIONS,
  type PairDecision,
  pairKey,
  recordIdOf,
} from '../../../../clients/typescript/match/decision.ts';
import type { FileResult } from '../../../../clients/typescript/match/row.ts';
import type { Books } from '../../../../clients/typescript/match/stored-books.ts';
import { plan } from '../import/plan.ts';
import { ALL, booksOf, compared, fileOf, NUMBERED, type Options, RULES } from './files.ts';
import { probablyOf, pushed } from './pushed.ts';

/** The pairs of each question, as `row-day description`. */
function questions(books: Books, files: readonly FileResult[], decisions?: Decisions, all?: PairDecision) {
  return compared(books, files, decisions, all).matched.questions.map((pairs) =>
    pairs
      .map(({ row, storedRow: [{ stored }] }) => `${row.row}-${stored.date.slice(8)} ${stored.description}`)
      .sort(),
  );
}

const [FIRST, LAST] = ['2026-10-01,FIRST,1', '2026-10-31,LAST,77'];
const ask = async (books: Books, ...rows: string[]) =>
  questions(books, [await fileOf('a.csv', [FIRST, ...rows, LAST])]);

describe('a row may be an entry that no row is', () => {
  test.each([
    ['of its amount, five days later', '2026-10-15,BOOKED,-40', true],
    ['of its amount, five days before', '2026-10-05,BOOKED,-40', true],
    ['of its amount, six days later', '2026-10-16,BOOKED,-40', false],
    ['of its amount, in another source that the rules choose', '2026-10-10,BOOKED MILL,-40', true],
    ['of its description, with another amount', '2026-10-12,Pending,-43.20', true],
    ['of its description, as income', '2026-10-12,PENDING,40', true],
    ['of another amount and description', '2026-10-10,BOOKED,-40.01', false],
    ['of its amount as income', '2026-10-10,BOOKED,40', false],
  ])('%s', async (_, row, isAsked) => {
    const books = await booksOf([FIRST, '2026-10-10,PENDING,-40', LAST]);
    expect(await ask(books, row)).toEqual(isAsked ? [['3-10 PENDING']] : []);
  });

  test('but not one that has a row in the file, or that a rule leaves out there', async () => {
    const books = await booksOf(['2026-10-10,TAXI,-40']);
    expect(await ask(books, '2026-10-10,TAXI,-40', '2026-10-11,TAXI,-40')).toEqual([]);
    const savings = await booksOf(['2026-10-10,SAVINGS,-40'], ALL);
    expect(await ask(savings, '2026-10-10,SAVINGS,-40', '2026-10-11,TAXI,-40')).toEqual([]);
  });

  test('also on the days around the file, and without a description only by its amount', async () => {
    const books = await booksOf(['2026-09-28,COFFEE,-3', '2026-11-05,,-7']);
    expect(await ask(books, '2026-10-02,COFFEE,-3', '2026-10-31,,-8')).toEqual([['3-28 COFFEE']]);
  });

  test('whole, by the sum of its parts, in whatever parts it is stored', async () => {
    const parts = await booksOf([FIRST, '2026-10-10,AGENT 1,88', LAST]);
    expect(await ask(parts, '2026-10-11,TRANSFER,88')).toEqual([['3-10 AGENT 1']]);
    const whole = await booksOf([FIRST, '2026-10-10,TRANSFER,88', LAST]);
    expect(await ask(whole, '2026-10-11,AGENT 1,88')).toEqual([['3-10 TRANSFER']]);
  });

  test('one part of a row, and the row one part of an entry', async () => {
    const typed = await booksOf(['2026-10-10,FEE,-12', '2026-10-12,RENT,100']);
    expect(await ask(typed, '2026-10-11,AGENT 2,88')).toEqual([['3-10 FEE', '3-12 RENT']]);
    const agent = await booksOf([FIRST, '2026-10-10,AGENT 1,88', LAST]);
    expect(await ask(agent, '2026-10-11,MY LIST,100')).toEqual([['3-10 AGENT 1']]);
  });
});

describe('a question', () => {
  test('is about a pair where as many rows as entries are equal', async () => {
    const options = { header: NUMBERED };
    const rows = ['2026-10-10,CAFE,-3,a', '2026-10-10,CAFE,-3,b', '2026-10-11,CAFE,-3,c'];
    const books = await booksOf(rows, ALL, options);
    const again = await fileOf(
      'a.csv',
      rows.map((row) => `${row}2`),
      ALL,
      options,
    );
    expect(questions(books, [again])).toEqual([['2-10 CAFE'], ['3-10 CAFE'], ['4-11 CAFE']]);
    const fewer = await fileOf('a.csv', [`${rows[0]}2`], ALL, options);
    expect(questions(books, [fewer])).toEqual([['2-10 CAFE', '2-10 CAFE', '2-11 CAFE']]);
  });

  test('has all rows and entries that resemble each other; an answer takes one pair out, and the rest is matched again', async () => {
    const books = await booksOf([FIRST, '2026-10-16,PARKING,-3', LAST]);
    const file = await fileOf('a.csv', [FIRST, '2026-10-16,PARKING,-1.75', '2026-10-18,PARKING,-3', LAST]);
    expect(questions(books, [file])).toEqual([['3-16 PARKING', '4-16 PARKING']]);
    const { rows } = compared(books, [file]);
    const id = [...books.byId.keys()][1] as string;
    const decided = (...answers: (Decision | undefined)[]) =>
      new Map(
        answers.flatMap((answer, index) =>
          answer ? [[pairKey(rows[index + 1] as never, id), answer] as const] : [],
        ),
      );
    expect(questions(books, [file], decided(undefined, 'separate'))).toEqual([['3-16 PARKING']]);
    expect(questions(books, [file], decided('same'))).toEqual([]);
    // Nobody answers for two rows by default, and one entry is one row.
    expect(questions(books, [file], NO_DECISIONS, 'same')).toHaveLength(1);
    expect(questions(books, [file], decided('same', 'same'))).toEqual([['4-16 PARKING']]);
    const left = compared(books, [file], decided('same'));
    expect(newEntries(left).map(({ row }) => row)).toEqual([4]);
  });

  test('shows the most alike record first: by amount, by description, the nearest, and the earlier one', async () => {
    const best = async (entries: readonly string[], row: string) => {
      const books = await booksOf([FIRST, ...entries, LAST]);
      const { entries: read } = compared(books, [await fileOf('a.csv', [FIRST, row, LAST])]);
      return read.flatMap((entry) => probablyOf(entry)?.stored.date.slice(8) ?? []);
    };
    expect(await best(['2026-10-12,CAFE,-9', '2026-10-09,A,-40'], '2026-10-11,CAFE,-40')).toEqual(['09']);
    expect(await best(['2026-10-12,B,-40', '2026-10-09,CAFE,-40'], '2026-10-11,CAFE,-40')).toEqual(['09']);
    expect(await best(['2026-10-14,A,-40', '2026-10-13,B,-40'], '2026-10-11,CAFE,-40')).toEqual(['13']);
    expect(await best(['2026-10-12,A,-40', '2026-10-10,B,-40'], '2026-10-11,CAFE,-40')).toEqual(['10']);
  });
});

describe('a row of another file of the run', () => {
  const label = (name: string) => ({ accountLabel: name });
  test('may be the same payment, unless the files name different accounts', async () => {
    const books = pushed([]);
    const rows = async (name: string, row: string, options: Options = {}) =>
      fileOf(name, ['2026-10-01,RENT,900', row], ALL, options);
    const first = await rows('a.csv', '2026-10-30,BOILERCO,-120', label('main'));
    for (const [account, expected] of [
      ['main', 1],
      ['', 2],
      ['savings', 0],
    ] as const) {
      const second = await rows('b.csv', '2026-10-31,BOILERCO,-120', label(account));
      expect(questions(books, [first, second])).toHaveLength(expected);
    }
  });

  test('may be, if one account has a name without a number: a person chose it', async () => {
    const ofAccount = (account: string, day: string) =>
      fileOf(`${day}.csv`, [`2026-10-${day},BOILERCO,-120`], ALL, label(account));
    const number = '20-00-00 12345678';
    for (const [account, expected] of [
      ['main', 1],
      ['GB29 BARC 2000 0012 3456 78', 1],
      ['20-00-00 12345679', 0],
    ] as const) {
      const files = [await ofAccount(number, '30'), await ofAccount(account, '31')];
      expect(questions(pushed([]), files)).toHaveLength(expected);
    }
  });

  test('is one payment after the answer, and is not sent twice', async () => {
    const files = [
      await fileOf('a.csv', ['2026-10-30,BOILERCO,-120'], ALL, label('main')),
      await fileOf('b.csv', ['2026-10-31,BOILERCO,-120'], ALL, label('main')),
    ];
    const joined = compared(pushed([]), files, NO_DECISIONS, 'same');
    expect(joined.repeated).toEqual([{ file: 'b.csv', row: 2, first: { file: 'a.csv', row: 2 } }]);
    expect(newEntries(joined)).toHaveLength(1);
    // The answer also holds after the first row was stored.
    const { rows } = compared(pushed([]), files);
    const decisions = new Map([[pairKey(rows[1] as never, recordIdOf(rows[0] as never)), 'same'] as const]);
    const stored = pushed(files[0]?.result.entries ?? []);
    for (const read of [files, files.slice(1)]) {
      const again = compared(stored, read, decisions);
      expect([questions(stored, read, decisions), newEntries(again)]).toEqual([[], []]);
    }
  });
});

describe('the account of a row', () => {
  const rows = ['2026-10-10,CAFE,-3', '2026-10-10,CAFE,-3', '2026-10-12,AGENT 1,88'];
  test('may get its name after the row was stored: its entries are known, each as one row', async () => {
    const books = await booksOf(rows);
    const named = await fileOf('a.csv', ['2026-10-10,CAFE,-3', ...rows], RULES, { accountLabel: 'main' });
    const statuses = compared(books, [named]).entries.map(({ matchStatus }) => matchStatus);
    expect(statuses).toEqual(['known', 'known', 'new', 'known', 'known']);
  });

  test('has another name in another format: equal payments in another property that the rules choose are asked about', async () => {
    const books = await booksOf(['2026-10-10,CAFE,-3', '2026-10-12,SHOP,-7'], ALL, {
      accountLabel: '30-00-01 12345678',
    });
    const rules = ['otherwise -> 12 Acacia Avenue'];
    const file = await fileOf('a.csv', ['2026-10-10,CAFE LTD,-3', '2026-10-14,SHOP LTD,-7'], rules, {
      accountLabel: 'x',
    });
    expect(questions(books, [file])).toEqual([['2-10 CAFE'], ['3-12 SHOP']]);
  });

  test('shows that an entry in another property is the row, which is not stored a second time', async () => {
    const options = { accountLabel: 'main' };
    const books = await booksOf(rows.slice(0, 1), ALL, options);
    const result = await plan(['otherwise -> ask'], rows.slice(0, 1), options);
    const entries = (await plan(ALL, rows.slice(0, 1), options)).entries.map((each) => ({
      ...each,
      source: { id: 'web', name: 'Web design' },
      isSourceChosen: false,
    }));
    const file = { name: 'a.csv', result: { ...result, entries, withoutSource: [] } };
    const statuses = compared(books, [file]).entries.map(({ matchStatus }) => matchStatus);
    expect(statuses).toEqual(['elsewhere']);
  });
});

test('days are counted over the ends of months, and stay within those of the API', () => {
  expect(dayAfter('2028-02-27', 3)).toBe('2028-03-01');
  expect(dayAfter('2027-01-01', -1)).toBe('2026-12-31');
  const all = { from: '0001-01-01', to: '9999-12-31' };
  expect(widened({ from: '0001-01-02', to: '9999-12-30' }, 3)).toEqual(all);
  expect(widened({}, 3)).toEqual({});
});
