/** The reconciliation of files against the books: each row once, each entry of the period once, and the same document each time. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import type { StoredEntry } from '../../../../clients/typescript/match/stored-books.ts';
import { FAILURES } from '../../../../clients/typescript/reconciliation/reconciliation.ts';
import { runs } from '../../../fixtures/runs.ts';
import { booksOf, pushed } from '../match/pushed.ts';
import { outcomes, pushedFrom, RULES, read, reconciled, WHOLE } from './reconciled.ts';

setDefaultTimeout(60_000);

const ROWS = [
  ...['2026-10-01,RENT,900', '2026-10-02,AGENT,88', '2026-10-03,MORTGAGE,-500', '2026-10-04,SAVINGS,-20'],
  ...['2026-10-05,NOTHING,0', '2026-10-06,RENT,900'],
];

describe('a row', () => {
  test('is in the books, left out with the line of its rule, or skipped with the reason', async () => {
    const result = await reconciled(await pushedFrom(ROWS), [ROWS]);
    expect(result.isReconciled).toBe(true);
    const [rent, agent, mortgage, savings, nothing] = result.files[0]?.rows ?? [];
    const stored = { outcome: 'in the books', date: '2026-10-01', pence: 90_000, entries: [{ id: 'e0' }] };
    expect(rent).toMatchObject(stored);
    expect(agent?.entries?.map(({ id, part, type, amountPence }) => [id, part, type, amountPence])).toEqual([
      ['e1', 1, 'expense', 1_200],
      ['e2', 2, 'income', 10_000],
    ]);
    expect(mortgage).toMatchObject({
      outcome: 'in the books',
      pence: -50_000,
      rule: { line: 2, text: RULES[1] },
      entries: [{ id: 'e3', part: 1 }],
      leftOut: [{ part: 2, type: 'expense', amountPence: 49_900 }],
    });
    expect(savings).toMatchObject({ outcome: 'left out', rule: { line: 3, text: RULES[2] } });
    expect(nothing).toMatchObject({ outcome: 'skipped', reasons: [expect.stringContaining('0.00')] });
  });

  test('is missing if one of its entries is not in the books', async () => {
    const all = [...(await pushedFrom(ROWS)).byId.values()];
    const books = booksOf(all.filter(({ stored: { externalRef } }) => !externalRef?.endsWith('#2')));
    const result = await reconciled(books, [ROWS]);
    expect([result.isReconciled, result.counts.missing]).toEqual([false, 1]);
    const missing = outcomes(result).filter((each) => each.endsWith('missing'));
    expect(missing).toEqual(['a.csv 3 missing']);
  });

  test.each([
    ['stored whole, and split by the rules of now', 'AGENT', WHOLE, RULES, 'different'],
    [
      'stored in parts, and whole by the rules of now',
      'AGENT',
      RULES,
      ['otherwise -> Web design'],
      'different',
    ],
    ['left out by the rules, and stored', 'SAVINGS', WHOLE, RULES, 'left out and stored'],
  ] as const)('that is %s is not reconciled, and its entries are its own', async (...of) => {
    const [, text, before, rules, outcome] = of;
    const rows = [`2026-10-02,${text},88`, '2026-10-03,RENT,1'];
    const result = await reconciled(await pushedFrom(rows, before), [rows], { rules });
    const shown = [result.isReconciled, outcomes(result)[0], result.otherEntries];
    expect(shown).toEqual([false, `a.csv 2 ${outcome}`, []]);
  });

  test('that nothing decides is invalid', async () => {
    const result = await reconciled(booksOf([]), [['2026-10-02,ASK,88']]);
    expect([result.isReconciled, result.counts]).toEqual([false, { invalid: 1 }]);
  });

  test('that an earlier file has is repeated', async () => {
    const [rows, overlap] = [ROWS, [ROWS[5] as string, '2026-10-07,SAVINGS,-1']];
    const result = await reconciled(await pushedFrom(rows), [rows, overlap]);
    expect(result.isReconciled).toBe(true);
    expect(outcomes(result).slice(-2)).toEqual(['b.csv 2 repeated', 'b.csv 3 left out']);
    expect(result.files[1]?.rows[0]?.reasons).toEqual(['It repeats row 7 of a.csv.']);
  });

  test('that is equal to an entry of another reference is reconciled only if a person takes it for known', async () => {
    const header = 'Date,Description,Amount,Transaction ID';
    const books = pushed((await read([['2026-10-01,CAFE,3.00,a1']], WHOLE, header)).entries);
    const options = { rules: WHOLE, header };
    const outcomesOf = async (rows: string[], isProbableKnown = false) =>
      outcomes(await reconciled(books, [rows], { ...options, isProbableKnown }));
    const [one, two] = ['2026-10-01,CAFE,3.00,b1', '2026-10-01,CAFE,3.00,b2'];
    expect(await outcomesOf([one])).toEqual(['a.csv 2 missing']);
    expect(await outcomesOf([one], true)).toEqual(['a.csv 2 known by decision']);
    // One entry is one row.
    expect(await outcomesOf([one, two], true)).toEqual(['a.csv 2 missing', 'a.csv 3 missing']);
  });

  test('that the bank has described anew is reconciled only if a person takes it for known', async () => {
    const books = await pushedFrom(ROWS);
    const changed = ROWS.map((row) => row.replace('02,AGENT,', '03,AGENT 77,'));
    expect(await reconciled(books, [changed])).toMatchObject({ isReconciled: false, counts: { missing: 1 } });
    expect(await reconciled(books, [changed], { isProbableKnown: true })).toMatchObject({
      isReconciled: true,
      counts: { 'known by decision': 1 },
      otherEntries: [],
    });
  });
});

test('an entry of the account that no row is, is gone inside the claim of the file, and of no concern outside', async () => {
  const books = await pushedFrom([...ROWS, '2026-10-03,CASH,7', '2026-09-30,BEFORE,7', '2026-10-07,AFTER,7']);
  const result = await reconciled(books, [ROWS]);
  expect([result.isReconciled, result.period]).toEqual([false, { from: '2026-10-01', to: '2026-10-06' }]);
  const gone = result.gone.map(({ description, isCertain }) => [description, isCertain]);
  expect([gone, result.otherEntries]).toEqual([[['CASH', true]], []]);
});

test('an entry may be of a row that cannot be read: a person looks at it', async () => {
  const books = await pushedFrom([...ROWS, '2026-10-03,CASH,7']);
  const { gone } = await reconciled(books, [[...ROWS, '2026-10-03,CASH,x']]);
  expect(gone).toMatchObject([{ description: 'CASH', isCertain: false }]);
});

test('an entry of another program is of no file here, which is no failure', async () => {
  const all = [...(await pushedFrom([...ROWS, '2026-10-03,CASH,7'])).byId.values()];
  const named = all.map((each) =>
    each.stored.description === 'CASH' ? { ...each, stored: { ...each.stored, externalRef: 'x' } } : each,
  );
  const result = await reconciled(booksOf(named), [ROWS]);
  expect([result.isReconciled, result.gone]).toEqual([true, []]);
  expect(result.otherEntries.map(({ description }) => description)).toEqual(['CASH']);
});

test('an entry of the first or the last day may lie before or after the rows: a person looks at it, unless balances show it', async () => {
  const header = 'Date,Description,Amount,Balance';
  const day = ['2026-10-01,A,1,5', '2026-10-03,B,1,6', '2026-10-03,C,1,7'];
  const books = pushed((await read([day], WHOLE, header)).entries);
  const open = { rules: WHOLE, header };
  const [withBalances, without] = [
    await reconciled(books, [day.slice(0, 2)], open),
    await reconciled(books, [day.slice(0, 2).map((row) => row.replace(/,\d$/, ','))], open),
  ];
  expect([withBalances.isReconciled, withBalances.gone]).toEqual([true, []]);
  expect(without).toMatchObject({ isReconciled: false, gone: [{ description: 'C', isCertain: false }] });
});

test('an entry of almost the day of a row, with its description, is not reconciled, also in another source that rules chose', async () => {
  const rules = ['amount over 99 -> Web design', ...WHOLE];
  const rows = ['2026-10-03,SHOP,-12.99', '2026-10-01,RENT,9.00'];
  const [first, ...others] = (await pushedFrom(['2026-10-02,SHOP,-129.90', ...rows], rules)).byId.values();
  const ofProgram = { ...first, stored: { ...first?.stored, externalRef: 'x' } } as StoredEntry;
  const books = booksOf([ofProgram, ...others]);
  const result = await reconciled(books, [rows], { rules });
  const [entry, ...more] = result.gone;
  expect([result.isReconciled, entry?.amountPence, entry?.row, more]).toEqual([false, 12_990, 2, []]);
  expect(result.sources.map(({ name }) => name)).toContain('Web design');
});

test('a balance that does not follow, in a file or between two, is not reconciled', async () => {
  const header = 'Date,Description,Amount,Balance';
  const june = [1, 2, 3].map((day) => `2026-06-0${day},SAVINGS,1.00,${day}.00`);
  const july = ['2026-07-01,SAVINGS,1.00,4.00'];
  const reconcile = (...files: string[][]) => reconciled(booksOf([]), files, { header });
  expect(await reconcile(june, july)).toMatchObject({ isReconciled: true, breaks: 0 });
  expect(await reconcile(june.toSpliced(1, 1), july)).toMatchObject({ isReconciled: false, breaks: 1 });
  expect(await reconcile(june, ['2026-07-01,SAVINGS,1.00,5.00'])).toMatchObject({
    isReconciled: false,
    breaks: 1,
    files: [{}, { balances: [{ continuity: { state: 'broken' } }] }],
  });
});

test('each row is once in the reconciliation, each entry of the period in one row or of no file, and the document depends on no order', async () => {
  const row = fc
    .tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('RENT', 'AGENT', 'MORTGAGE', 'SAVINGS', 'ASK'),
      fc.constantFrom('88', '-88', '0', 'x'),
    )
    .map(([day, text, amount]) => `2026-10-0${day},${text},${amount}`);
  const rows = fc.array(row, { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(rows, rows, rows, fc.boolean(), async (before, one, two, isProbableKnown) => {
      const books = await pushedFrom(before);
      const input = await read([one, two]);
      const result = await reconciled(books, [one, two], { isProbableKnown });
      const numbers = result.files.map((file) => file.rows.map((each) => each.row));
      expect(numbers).toEqual([one, two].map((rows) => rows.map((_, index) => index + 2)));
      const all = result.files.flatMap((file) => file.rows);
      const ids = all.flatMap(({ entries = [] }) =>
        entries.flatMap(({ id, fields }) => (id && !fields ? id : [])),
      );
      expect(new Set(ids).size).toBe(ids.length);
      const others = new Set(result.otherEntries.map(({ id }) => id));
      expect(ids.filter((id) => others.has(id))).toEqual([]);
      const failed = all.filter(({ outcome }) => FAILURES.includes(outcome));
      expect(result.isReconciled).toBe(failed.length === 0 && result.gone.length === 0);
      // A row is in the books exactly if all that it makes is there under its reference.
      for (const { name, rows } of result.files) {
        for (const { row: number, outcome } of rows) {
          const own = input.entries.filter((each) => each.file === name && each.row === number);
          const isStored = own.every(({ entry }) => books.byReference.has(entry.externalRef ?? ''));
          expect(outcome === 'in the books').toBe(own.length > 0 && isStored);
        }
      }
      const turned = booksOf([...books.byId.values()].reverse());
      if (!isProbableKnown)
        expect(JSON.stringify(await reconciled(turned, [one, two]))).toBe(JSON.stringify(result));
    }),
    { numRuns: runs(100) },
  );
});
