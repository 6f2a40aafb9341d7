/** A row that is missing from a statement, or changed in it, breaks the chain where it was. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import {
  chainOfText,
  csvOf,
  HEADER,
  LARGE,
  messagesOf,
  ordersOf,
  type Payment,
  statements,
} from './statements.ts';

setDefaultTimeout(60_000);

/** A statement, and the index of a payment that is neither of its first day nor of its last one. */
const withMiddle = (amount?: fc.Arbitrary<number>) =>
  statements({ minLength: 3, maxLength: 6 }, amount)
    .filter((all) => {
      // Rows of one day that come back to where they began can have begun at any of their balances.
      const sumOf = (date: string | undefined) =>
        all.filter((each) => each.date === date).reduce((total, { pence }) => total + pence, 0);
      return sumOf(all[0]?.date) !== 0 && sumOf(all.at(-1)?.date) !== 0;
    })
    .chain((all) => {
      const middle = all.flatMap(({ date }, index) =>
        date === all[0]?.date || date === all.at(-1)?.date ? [] : [index],
      );
      return fc.record({
        all: fc.constant(all),
        at: fc.constantFrom(...middle),
        isNewestFirst: fc.boolean(),
      });
    });
const another = fc.integer({ min: -50, max: 50 }).filter((pence) => pence !== 0);
const without = (all: readonly Payment[], at: number) => all.filter((_, index) => index !== at);
const sum = (breaks: readonly { missing: number }[]) => breaks.reduce((all, { missing }) => all + missing, 0);

describe('one row of the middle,', () => {
  /** What is done with the row at an index, and the breaks that it makes: the row after which each is, and what is missing. */
  type Change = (
    all: readonly Payment[],
    at: number,
    more: number,
  ) => { payments: Payment[]; breaks: [before: number, missing: number][] };
  const changes: Record<string, Change> = {
    'deleted, is missing before the row after it': (all, at) => ({
      payments: without(all, at),
      breaks: [[at, all[at]?.pence ?? 0]],
    }),
    'whose amount is changed, does not follow': (all, at, more) => ({
      payments: all.map((each, index) => (index === at ? { ...each, pence: each.pence + more } : each)),
      breaks: [[at, -more]],
    }),
    'whose balance is changed, does not follow, nor does the row after it': (all, at, more) => ({
      payments: all.map((each, index) =>
        index === at ? { ...each, balance: (each.balance ?? 0) + more } : each,
      ),
      breaks: [
        [at, more],
        [at + 1, -more],
      ],
    }),
  };

  test.each(Object.entries(changes))('%s', async (_, change) => {
    await fc.assert(
      fc.asyncProperty(withMiddle(), another, async ({ all, at, isNewestFirst }, more) => {
        fc.pre(all[at]?.pence !== -more);
        const { payments, breaks } = change(all, at, more);
        const chain = await chainOfText(csvOf(isNewestFirst ? payments.toReversed() : payments));
        const rowOf = (index: number) => (isNewestFirst ? payments.length - index + 1 : index + 2);
        expect(chain.state).toBe('broken');
        expect(chain.breaks.map(({ row, after, missing }) => [row, after, missing])).toEqual(
          breaks.map(([index, missing]) => [rowOf(index), rowOf(index - 1), missing]),
        );
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['is found', undefined],
    ['is found in its day or before the next one, unless amounts meet by chance', LARGE],
  ])('deleted or changed where the rows of a day are in any order, %s', async (_, amount) => {
    const cases = withMiddle(amount).chain(({ all, at }) => {
      const gone = all[at] as Payment;
      const changed = another.map((more) => ({
        payments: all.map((each) =>
          each === gone ? { ...each, balance: (each.balance ?? 0) + more } : each,
        ),
        missing: 0,
      }));
      const dates = [...new Set(all.map(({ date }) => date))];
      const days = [gone.date, dates[dates.indexOf(gone.date) + 1] ?? ''];
      return fc
        .oneof(fc.constant({ payments: without(all, at), missing: gone.pence }), changed)
        .chain(({ payments, missing }) => ordersOf(payments).map((order) => ({ order, missing, days })));
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ order, missing, days }) => {
        const { breaks, state } = await chainOfText(csvOf(order));
        expect(state).toBe('broken');
        if (!amount) return;
        expect(breaks.length).toBeGreaterThan(0);
        expect(sum(breaks)).toBe(missing);
        for (const { row } of breaks) expect(days).toContain(order[(row ?? 0) - 2]?.date ?? '');
      }),
      { numRuns: 300 },
    );
  });

  test('is told in a sentence', async () => {
    const rows = ['2026-04-01,a,5.00,105.00', '2026-04-02,b,40.00,145.00', '2026-04-03,c,-1.00,144.00'];
    expect(await messagesOf(`${HEADER}${rows.join('\n')}\n`)).toEqual([]);
    expect(await messagesOf(`${HEADER}${rows[0]}\n${rows[2]}\n`)).toEqual([
      'Row 3 does not follow from row 2: 40.00 is missing.',
    ]);
    expect(await messagesOf(`${HEADER}${rows[0]}\n${rows[1]}\n${rows[1]}\n${rows[2]}\n`)).toEqual([
      'Row 4 does not follow from row 3: -40.00 is missing.',
    ]);
  });
});
