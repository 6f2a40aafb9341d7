/** A row that is missing from a statement, or changed in it, breaks the chain where it was. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { ImportError } from '../../../../clients/typescript/import/index.ts';
import { runs } from '../../../fixtures/runs.ts';
import { chainOfText, csvOf, ordersOf, type Payment, statements } from './statements.ts';

setDefaultTimeout(60_000);

/** A statement, and the index of a payment that is neither of its first day nor of its last one. */
const withMiddle = statements({ minLength: 3, maxLength: 6 })
  .filter((all) => {
    // Rows of one day that come back to where they began can have begun at any of their balances.
    const sumOf = (date: string | undefined) =>
      all.filter((each) => each.date === date).reduce((total, { pence }) => total + pence, 0);
    return sumOf(all[0]?.date) !== 0 && sumOf(all.at(-1)?.date) !== 0;
  })
  .chain((all) => {
    const isMiddle = ({ date }: Payment) => date !== all[0]?.date && date !== all.at(-1)?.date;
    const middle = all.flatMap((each, index) => (isMiddle(each) ? [index] : []));
    return fc.record({ all: fc.constant(all), at: fc.constantFrom(...middle), isNewestFirst: fc.boolean() });
  });
const changed = (all: readonly Payment[], at: number, by: (payment: Payment) => Partial<Payment>) =>
  all.map((each, index) => (index === at ? { ...each, ...by(each) } : each));

/** A person has said that no row is a total or the other side of another, which a broken balance does not show. */
const allPayments = (text: string): Record<number, 'keep'> =>
  Object.fromEntries(text.split('\n').map((_, index) => [index + 1, 'keep']));

type Break = [row: number, missing: number];
/** What is done with the row at an index, and the breaks that it makes: the row before which each is, and what is missing. */
type Change = (
  all: readonly Payment[],
  at: number,
  more: number,
) => [payments: Payment[], ...breaks: Break[]];

test.each<[string, Change]>([
  [
    'deleted, is missing before the row after it',
    (all, at) => [all.toSpliced(at, 1), [at, all[at]?.pence ?? 0]],
  ],
  [
    'whose amount is changed, does not follow',
    (all, at, more) => [changed(all, at, ({ pence }) => ({ pence: pence + more })), [at, -more]],
  ],
  [
    'whose balance is changed, does not follow, nor does the row after it',
    (all, at, more) => [
      changed(all, at, ({ balance = 0 }) => ({ balance: balance + more })),
      ...([at, at + 1].map((row) => [row, row === at ? more : -more]) as Break[]),
    ],
  ],
])('one row of the middle, %s', async (_, change) => {
  const another = fc.integer({ min: -50, max: 50 }).filter((pence) => pence !== 0);
  await fc.assert(
    fc.asyncProperty(withMiddle, another, async ({ all, at, isNewestFirst }, more) => {
      fc.pre(all[at]?.pence !== -more);
      const [payments, ...breaks] = change(all, at, more);
      // The balances contradict the sign of that row alone: it is invalid.
      fc.pre(breaks.every(([index, missing]) => missing !== -2 * (payments[index]?.pence ?? 0)));
      const text = csvOf(isNewestFirst ? payments.toReversed() : payments);
      const chain = await chainOfText(text, { rowMeanings: allPayments(text) });
      const rowOf = (index: number) => (isNewestFirst ? payments.length - index + 1 : index + 2);
      expect(chain.state).toBe('broken');
      expect(chain.breaks.map(({ row, after, missing }) => [row, after, missing])).toEqual(
        breaks.map(([index, missing]) => [rowOf(index), rowOf(index - 1), missing]),
      );
    }),
    { numRuns: runs(100) },
  );
});

test('one row of the middle, deleted, is found where the rows of a day are in any order', async () => {
  const cases = withMiddle.chain(({ all, at }) => ordersOf(all.toSpliced(at, 1)));
  await fc.assert(
    fc.asyncProperty(cases, async (order) => {
      // Balances that contradict the sign of one amount make its row invalid; of more, they refuse the file.
      const chain = await chainOfText(csvOf(order)).catch((error) => error);
      if (!(chain instanceof ImportError) && !chain.unchecked?.join().includes('cannot be read'))
        expect(chain).toMatchObject({ state: 'broken' });
    }),
    { numRuns: runs(100) },
  );
});
