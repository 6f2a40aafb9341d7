/** Whether the balances of a list of rows follow from its amounts. */
import { balanceSteps } from '../values/balance-steps.ts';
import { chainOf } from './chain.ts';

interface BalanceOfRow {
  /** Equal for the rows of one day, in any notation. */
  day: string;
  /** The signed pence of the payment. */
  pence: number;
  balance?: number | undefined;
}

/** Two balances that follow from each other are no chance. */
const BALANCES_MIN = 2;

/**
 * The sign with which all balances follow: 1 if the amounts are added, -1 if they are taken away, as from a debt. The rows may be in either
 * order, and the rows of a day in any order. Undefined if a balance does not follow, or a row is not between two of them.
 */
export function signOfBalances(rows: readonly BalanceOfRow[]): 1 | -1 | undefined {
  const moved = rows.filter(({ pence }) => pence !== 0);
  if (moved.some(({ pence, balance = 0 }) => !Number.isSafeInteger(pence) || !Number.isSafeInteger(balance)))
    return undefined;
  const balanced = moved.flatMap(({ pence, balance }) => (balance === undefined ? [] : [{ pence, balance }]));
  if (balanced.length < BALANCES_MIN) return undefined;
  if (balanced.length === moved.length) {
    const { added, taken, all } = balanceSteps(balanced);
    if (added === all) return 1;
    if (taken === all) return -1;
  }
  return ([1, -1] as const).find((sign) => [1, -1].some((order) => holds(moved, sign, order)));
}

function holds(rows: readonly BalanceOfRow[], sign: 1 | -1, order: number): boolean {
  const days = new Map([...new Set(rows.map(({ day }) => day))].map((day, index) => [day, index]));
  const dateOf = (day: string) => String(5e7 + order * (days.get(day) ?? 0));
  const statement = rows.map(({ day, pence, balance }, row) => ({
    row,
    date: dateOf(day),
    pence: sign * pence,
    ...(balance !== undefined && { balance }),
  }));
  return chainOf({ account: 'any', rows: statement, unreadableRows: [] }).state === 'holds';
}
