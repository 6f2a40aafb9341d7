/** The chain of a statement: it holds for what a bank exports, and a row that is missing or changed breaks it where it was. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { chainOf } from '../../../../clients/typescript/import/chain/chain.ts';
import { runs } from '../../../fixtures/runs.ts';
import { readFixture, readText } from '../import/files.ts';
import { camt, camtBalance, camtEntry } from '../import/outcome.ts';
import { chainOfText, csvOf, HEADER, ordersOf, statements } from './statements.ts';

setDefaultTimeout(60_000);

test('a statement with balances holds, the newest or the oldest row first, and the rows of a day in any order', async () => {
  const orders = statements({ minLength: 1, maxLength: 6 }).chain(ordersOf);
  await fc.assert(
    fc.asyncProperty(orders, async (payments) => {
      const { state, breaks, unchecked } = await chainOfText(csvOf(payments));
      expect({ state, breaks, unchecked }).toEqual({ state: 'holds', breaks: [], unchecked: [] });
    }),
    { numRuns: runs(100) },
  );
});

test('a statement holds with the balance after the last row of each day alone', async () => {
  const rows = ['2026-04-01,a,5.00,6.00', '2026-04-02,b,1.00,', '2026-04-02,c,1.00,8.00'];
  for (const lines of [rows, rows.toReversed()])
    expect((await chainOfText(HEADER + lines.join('\n'))).state).toBe('holds');
});

test('each account of a file has its own chain', async () => {
  const rows = ['1,1,5.00,10.00', '1,2,6.00,20.00', '2,1,1.00,11.00', '3,2,1.00,22.00'];
  const lines = rows.map((row) => `2026-04-0${row}`).join('\n');
  const { statements: all } = await readText(`Date,Account,Amount,Balance\n${lines}`);
  expect(all.map(chainOf).map(({ account, state }) => `${account} ${state}`)).toEqual([
    '1 holds',
    '2 broken',
  ]);
});

describe('opening and closing balances:', () => {
  const statement = (...parts: string[]) => `<BkToCstmrStmt>${camt(parts.join(''))}</BkToCstmrStmt>`;
  const entries = ['5.00', '7.00'].map((pounds) => camtEntry(pounds));
  const [opening, closing] = [camtBalance('OPBD', '1.00'), camtBalance('CLBD', '13.00')];

  test('all rows lie between them', async () => {
    expect((await chainOfText(statement(opening, closing, ...entries))).state).toBe('holds');
    const { breaks } = await chainOfText(statement(opening, closing, entries[0] ?? ''));
    expect(breaks.map(({ message }) => message)).toEqual([
      'The closing balance does not follow from the opening balance and the rows: 7.00 is missing.',
    ]);
    expect((await chainOfText(statement(opening, camtBalance('CLBD', '1.00')))).state).toBe('holds');
  });

  test('one of them alone proves nothing within the file, and says what the other one would be', async () => {
    const [ofClosing, ofOpening] = [[closing], [opening]].map((one) =>
      chainOfText(statement(...one, ...entries)),
    );
    expect(await ofClosing).toMatchObject({
      state: 'unchecked',
      opening: { pence: 100 },
      closing: { pence: 1300 },
      unchecked: [expect.stringContaining('The file has only the balance after its rows: ')],
    });
    expect(await ofOpening).toMatchObject({ state: 'unchecked', closing: { pence: 1300 } });
  });
});

describe('what cannot be checked is not what holds:', () => {
  const RATES = ['900.00,0.00', '850.00,50.00', '900.00,50.00', '950.00,0.00', '900.00,0.00', '900.00,0.00'];
  const WITH_UNREADABLE = ['2026-04-01,a,5.00,5.00', '2026-04-02,b,x,12.00', '2026-04-03,c,1.00,13.00'];

  test.each<[string, string[], string, object]>([
    [
      'a row that cannot be read: the chain ends before it and begins again after it',
      WITH_UNREADABLE,
      'Row 3 cannot be read, and the chain cannot pass what cannot be read.',
      { opening: { pence: 0 }, closing: { pence: 1300 } },
    ],
    [
      'rows without a balance before the first one and after the last one',
      ['2026-04-01,a,5.00,', '2026-04-02,b,2.00,9.00', '2026-04-03,c,1.00,', '2026-04-04,d,4.00,'],
      'Rows 2, 4 and 5 are not between two balances: nothing follows from them.',
      { opening: { pence: 200 }, closing: { pence: 1400 } },
    ],
    [
      'a column that is called Balance and has what a tenant owes',
      RATES.map((cells, index) => `2026-0${index + 1}-01,Rent,${cells}`),
      'No row follows from the one before it',
      {},
    ],
    ['a file without balances', ['2026-04-01,a,5.00,'], 'The file has no balances: ', {}],
  ])('%s', async (_, rows, reason, balances) => {
    const unchecked = [expect.stringContaining(reason)];
    expect(await chainOfText(HEADER + rows.join('\n'))).toMatchObject({
      state: 'unchecked',
      breaks: [],
      unchecked,
      ...balances,
    });
  });

  test('a row after one that cannot be read can still break', async () => {
    const broken = await chainOfText(`${HEADER}${WITH_UNREADABLE.join('\n')}\n2026-04-04,d,1.00,15.00\n`);
    expect(broken).toMatchObject({ state: 'broken', breaks: [{ row: 5, after: 4, missing: 100 }] });
  });
});

test.each(['starling.csv', 'lloyds.csv', 'natwest.csv', 'nationwide.csv', 'hsbc.csv', 'revolut.csv'])(
  'the export of a bank holds: %s',
  async (file) => {
    const [statement] = (await readFixture(file)).statements;
    expect(statement && chainOf(statement).state).toBe('holds');
  },
);

test('sums of the largest amounts are exact', async () => {
  const largest = Number.MAX_SAFE_INTEGER;
  const statement = {
    account: 'a',
    rows: [1, 2, 3].map((row) => ({ row, date: '2026-04-01', pence: largest })),
    unreadableRows: [],
    opening: { date: '2026-04-01', pence: -largest },
    closing: { date: '2026-04-01', pence: largest },
  };
  expect(chainOf(statement).breaks.map(({ message }) => message)).toEqual([
    'The closing balance does not follow from the opening balance and the rows: -90,071,992,547,409.91 is missing.',
  ]);
});
