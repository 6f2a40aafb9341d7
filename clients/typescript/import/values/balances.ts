/** Whether balances follow from amounts, and with which sign. */

export interface BalancedRow {
  /** Signed: money in is positive. */
  pence: number;
  balance: number;
}

/**
 * How many of the balances follow from the one before, if the amounts are added, and if they are taken away, as on the account of a card
 * that shows the amount owed. The rows can be in either order.
 */
export function balanceSteps(rows: readonly BalancedRow[]): { added: number; taken: number; all: number } {
  const moved = rows.filter(({ pence }) => pence !== 0);
  const count = (sign: 1 | -1, from: 1 | -1) =>
    moved.filter(({ pence, balance }, index) => {
      const before = moved[index - from];
      return before !== undefined && balance - before.balance === sign * pence;
    }).length;
  const most = (sign: 1 | -1) => Math.max(count(sign, 1), count(sign, -1));
  return { added: most(1), taken: most(-1), all: Math.max(0, moved.length - 1) };
}

/** The rows that the balances take the other way, and how many they do not, if all of them follow in one of the two ways. */
export function reversedRows<Row extends BalancedRow>(
  rows: readonly Row[],
): { reversed: Row[]; others: number } {
  const moved = rows.filter(({ pence }) => pence !== 0);
  let best: { reversed: Row[]; others: number } = { reversed: [], others: 0 };
  for (const from of [1, -1]) {
    const steps = moved.flatMap((row, index) => {
      const before = moved[index - from];
      return before ? [{ row, step: row.balance - before.balance }] : [];
    });
    const reversed = steps.filter(({ row, step }) => step === -row.pence).map(({ row }) => row);
    const others = steps.filter(({ row, step }) => step === row.pence).length;
    const isWhole = others + reversed.length === steps.length;
    if (isWhole && others >= best.others) best = { reversed, others };
  }
  return best;
}

/** Whether the balances say that the amounts have the opposite sign. A missing row breaks a step, and one may follow by chance. */
export function isReversed(rows: readonly BalancedRow[]): boolean {
  const { added, taken, all } = balanceSteps(rows);
  return added === 0 && taken > 0 && taken >= all / 2;
}
