/** The reconciliation of rows that make no entry, beside entries that no row makes. */

import { describe, expect, test } from 'bun:test';
import { pairKey } from '../../../../clients/typescript/match/decision.ts';
import { leftOutRows } from '../../../../clients/typescript/match/row.ts';
import type { StoredEntry } from '../../../../clients/typescript/match/stored-books.ts';
import type { Reconciliation } from '../../../../clients/typescript/reconciliation/reconciliation.ts';
import { booksOf, pushed } from '../match/pushed.ts';
import { pushedFrom, read, reconciled, WHOLE } from './reconciled.ts';

describe('a row that makes no entry, beside an entry of its day and description that no row makes,', () => {
  const LEAVING = [
    'description contains "SHOP" and amount is 30.00 -> 27 Station Road',
    'description contains "AGENT" and amount is 88.00 -> Web design / split: expense professionalFees 12 % of gross, rest turnover',
    'otherwise -> leave out',
  ];
  const FAILED = 'left out, and an entry of the day has its description';
  const between = (...rows: string[]) => ['2026-10-01,OTHER,1', ...rows, '2026-10-03,OTHER,1'];
  const paid = (text: string, ...amounts: number[]) =>
    between(...amounts.map((amount) => `2026-10-02,${text},${amount}`));
  const shop = (...amounts: number[]) => paid('SHOP', ...amounts);
  const reconcile = async (before: readonly string[], rows: readonly string[]) =>
    reconciled(await pushedFrom(before, LEAVING), [rows], { rules: LEAVING });
  /** The outcomes of the rows between the others. */
  const outcomesOf = (result: Reconciliation) =>
    (result.files[0]?.rows ?? []).slice(1, -1).map(({ outcome }) => outcome);

  test('is a failure that names the entry, the rule and what to do', async () => {
    const result = await reconcile(shop(-30), shop(-38));
    expect([result.isReconciled, result.counts]).toEqual([false, { 'left out': 2, [FAILED]: 1 }]);
    expect(result.files[0]?.rows[1]).toMatchObject({
      row: 3,
      outcome: FAILED,
      rule: { line: 3 },
      entriesOfDay: ['e0'],
      reasons: ['No row makes the entry e0.', expect.stringContaining('take the file from the bank again')],
    });
  });

  test.each([
    ['the amount of the entry, is the entry', -30, 'known by decision', []],
    ['another amount, is a failure', -38, FAILED, ['e0']],
  ] as const)('left out by hand, with %s', async (_, pounds, outcome, otherEntries) => {
    const corrections = new Map([[3, { isLeftOut: true }]]);
    const later = '2026-10-05,SHOP,-30';
    const [first, ...more] = (await pushedFrom([...shop(-30), later], LEAVING)).byId.values();
    const renamed = { ...first, stored: { ...first?.stored, externalRef: 'x' } } as StoredEntry;
    const options = { rules: LEAVING, corrections };
    const result = await reconciled(booksOf([renamed, ...more]), [[...shop(pounds), later]], options);
    expect(result.files[0]?.rows[1]).toMatchObject({ row: 3, outcome, entriesOfDay: ['e0'] });
    expect(result.isReconciled).toBe(outcome === 'known by decision');
    expect(result.otherEntries.map(({ id }) => id)).toEqual([...otherEntries]);
  });

  test('left out by hand, and stored under its reference, is a failure, unless another row has the reference', async () => {
    const corrections = new Map([[3, { isLeftOut: true }]]);
    const header = 'Date,Description,Amount,Transaction ID';
    const [shop, other] = ['2026-10-02,SHOP,-30,R', '2026-10-02,SHOP,-38,R'];
    const books = pushed((await read([between(shop)], WHOLE, header)).entries);
    const result = (...rows: string[]) =>
      reconciled(books, [between(...rows)], { rules: WHOLE, header, corrections });
    const [one, two] = [await result(shop), await result(other, shop)];
    expect([one.isReconciled, outcomesOf(one)]).toEqual([false, ['left out and stored']]);
    expect([two.isReconciled, outcomesOf(two)]).toEqual([true, ['left out by hand', 'in the books']]);
  });

  test('left out by a rule, with the amount of the entry, is a failure', async () => {
    const [each] = (await pushedFrom(shop(-30), LEAVING)).byId.values();
    const renamed = { ...each, stored: { ...each?.stored, externalRef: 'x' } } as StoredEntry;
    const result = await reconciled(booksOf([renamed]), [shop(-30)], { rules: LEAVING.slice(-1) });
    expect([result.isReconciled, outcomesOf(result)]).toEqual([false, [FAILED]]);
  });

  test.each([
    ['of another type', shop(-30), shop(38)],
    ['in other letters and spaces', shop(-30), paid('  shop', -38)],
    ['of a source that no other row is of', paid('AGENT', 88), paid('AGENT', 83)],
  ])('is a failure: %s', async (_, before, rows) => {
    expect(outcomesOf(await reconcile(before, rows))).toEqual([FAILED]);
  });

  test('is a failure if it is skipped, also alone in its file', async () => {
    const result = await reconcile(shop(-30), shop(0));
    const outcome = 'skipped, and an entry of the day has its description';
    expect([result.isReconciled, outcomesOf(result)]).toEqual([false, [outcome]]);
    expect((await reconcile(shop(-30), ['2026-10-02,SHOP,0'])).isReconciled).toBe(false);
  });

  test.each([
    ['six days away', 'SHOP,-30', '2026-10-08,SHOP,-38'],
    ['of another description', 'SHOP,-30', '2026-10-02,SHOPS,-38'],
    ['where neither has a description', ',-30', '2026-10-02,,-38'],
  ])('is none: %s', async (_, entry, row) => {
    const [each] = (await pushedFrom([`2026-10-02,${entry}`], WHOLE)).byId.values();
    const books = booksOf([{ ...each, stored: { ...each?.stored, externalRef: 'x' } } as StoredEntry]);
    expect((await reconciled(books, [between(row)], { rules: LEAVING })).isReconciled).toBe(true);
  });

  test('may have another day if a rule leaves it out: the entry is an earlier version of it, unless both are payments', async () => {
    const rows = between('2026-10-06,SHOP,-38');
    const [each] = (await pushedFrom(shop(-30), LEAVING)).byId.values();
    const books = booksOf([{ ...each, stored: { ...each?.stored, externalRef: 'x' } } as StoredEntry]);
    const result = await reconciled(books, [rows], { rules: LEAVING });
    expect([result.isReconciled, outcomesOf(result)]).toEqual([false, [FAILED]]);
    const leftOut = leftOutRows((await read([rows], LEAVING)).files).find(({ row }) => row === 3);
    const key = pairKey(
      { reference: leftOut?.rowReference ?? '', date: '2026-10-06', pence: -3800, text: 'shop' },
      'e0',
    );
    const decisions = new Map([[key, 'separate' as const]]);
    expect((await reconciled(books, [rows], { rules: LEAVING, decisions })).isReconciled).toBe(true);
  });

  test('is the one with the nearest amount, and the entries of a split row are one', async () => {
    const nearest = await reconcile(shop(-30), shop(-5, -38, -100));
    expect(outcomesOf(nearest)).toEqual(['left out', FAILED, 'left out']);
    expect(outcomesOf(await reconcile(shop(-30), shop(-5, 38)))).toEqual([FAILED, 'left out']);
    const split = await reconcile(paid('AGENT', 88), paid('AGENT', 12, 83));
    expect(outcomesOf(split)).toEqual(['left out', FAILED]);
    expect(split.files[0]?.rows[2]?.entriesOfDay).toEqual(['e0', 'e1']);
  });

  test('is none while each entry has its row: one payment of a shop is private, the other is not', async () => {
    const result = await reconcile(shop(-30, -5, -30), shop(-30, -5, -30));
    expect(outcomesOf(result)).toEqual(['in the books', 'left out', 'in the books']);
    expect(result.isReconciled).toBe(true);
    const changed = await reconcile(shop(-30, -30), shop(-38, -30, -5, -39));
    expect(outcomesOf(changed)).toEqual([FAILED, 'in the books', 'left out', 'left out']);
  });
});
