/** Checks whether balances follow from amounts, and with which sign. */

interface BalancedRow {
  /** The signed pence: money in is positive. */
  pence: number;
  balance: number;
}

/**
 * The number of balances that follow from the previous one if amounts are added, and if they are subtracted, as on a card account that shows
 * the debt. The rows can be in either order.
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

/** If every balance follows in one of the two ways: the rows with the opposite sign, and the number of the others. */
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
    const isEachStep = others + reversed.length === steps.length;
    if (isEachStep && others >= best.others) best = { reversed, others };
  }
  return best;
}

/** Whether the balances show that the amounts have the opposite sign. A missing row breaks a step, and a step may follow by chance. */
export function isReversed(rows: readonly BalancedRow[]): boolean {
  const { added, taken, all } = balanceSteps(rows);
  return added === 0 && taken > 0 && taken >= all / 2;
}
