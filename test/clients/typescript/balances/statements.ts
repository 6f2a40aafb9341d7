/** Statements with running balances, as banks export them, and the chain that the reader and the reconciliation find in one. */
import fc from 'fast-check';
import { type Chain, chainOf } from '../../../../clients/typescript/import/chain/chain.ts';
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { pounds } from '../../../../clients/typescript/pounds.ts';
import { readText } from '../import/files.ts';

export interface Payment {
  date: string;
  pence: number;
  /** Undefined: the cell is empty. */
  balance: number | undefined;
}

export const HEADER = 'Date,Description,Amount,Balance\n';

/** A CSV of the payments in this order. The first of them is row 2. */
export function csvOf(payments: readonly Payment[]): string {
  const cell = (pence: number | undefined) => (pence === undefined ? '' : `"${pounds(pence)}"`);
  const lines = payments.map(({ date, pence, balance }) => `${date},a,${cell(pence)},${cell(balance)}\n`);
  return HEADER + lines.join('');
}

export async function chainOfText(text: string, options?: ImportOptions): Promise<Chain> {
  const { statements } = await readText(text, options);
  const [statement] = statements;
  if (!statement || statements.length > 1) throw new Error(`The file has ${statements.length} statements.`);
  return chainOf(statement);
}

/** Small amounts and balances meet often, so that rows fit where they do not belong. */
const SMALL = fc
  .oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -1_000_000, max: 1_000_000 }))
  .filter((pence) => pence !== 0);
const date = (index: number) => new Date(Date.UTC(2026, 0, 1 + 3 * index)).toISOString().slice(0, 10);

/** The payments of some days in the order in which they happened, with the balance after each. */
export const statements = (limits: { minLength: number; maxLength: number }): fc.Arbitrary<Payment[]> =>
  fc
    .record({
      opening: fc.integer({ min: -10, max: 10 }),
      days: fc.array(fc.array(SMALL, { minLength: 1, maxLength: 6 }), limits),
    })
    .map(({ opening, days }) => {
      let balance = opening;
      return days.flatMap((day, index) =>
        day.map((pence) => {
          balance += pence;
          return { date: date(index), pence, balance };
        }),
      );
    });

/** The order of a bank's file: the rows of each day in any order, and the newest day or the oldest first. */
export const ordersOf = (payments: readonly Payment[]): fc.Arbitrary<Payment[]> => {
  const days = Object.values(Object.groupBy(payments, (payment) => payment.date)).map((day = []) => day);
  const shuffled = days.map((day) =>
    fc.shuffledSubarray(day, { minLength: day.length, maxLength: day.length }),
  );
  return fc
    .tuple(fc.tuple(...shuffled), fc.boolean())
    .map(([all, isNewestFirst]) => (isNewestFirst ? all.toReversed() : all).flat());
};
