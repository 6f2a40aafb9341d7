/** The last known closing balances of bank accounts. The next statement of an account begins with its balance. */
import { isDay } from '../../days.ts';
import type { Balance } from '../result.ts';

/** The closing balances by the names of the bank accounts. */
export type Closings = ReadonlyMap<string, Balance>;

export interface Closing {
  account: string;
  closing: Balance | null;
}

/** The last closing balance of each account. An account without a name has none. */
export function withClosings(closings: Closings, found: readonly Closing[]): Closings {
  const last = new Map(closings);
  for (const { account, closing } of found) {
    const before = last.get(account);
    if (account !== '' && closing && (!before || before.date <= closing.date)) last.set(account, closing);
  }
  return last;
}

/** Whether a value of a file is a balance. */
export function isClosingBalance(value: unknown): value is Balance {
  const { date, pence } = (value ?? {}) as Partial<Balance>;
  return isDay(date) && Number.isSafeInteger(pence);
}
