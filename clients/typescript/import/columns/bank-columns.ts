/** The layouts of the named bank, or of all banks, and the columns of a layout in a header. */

import { headerKey } from '../files/cells.ts';
import { ImportError } from '../import-error.ts';
import type { ImportOptions } from '../options.ts';
import type { AmountColumns } from '../questions-and-answers.ts';
import { BANK_NAMES, BANKS, type BankLayout } from './banks.ts';
import type { AmountGroup, Columns } from './layout.ts';

/** The candidate layouts: the named bank's, else all layouts that a header alone identifies. */
export function banksFor({ bank }: ImportOptions): BankLayout[] {
  if (bank === undefined) return BANKS.filter((layout) => !layout.isByOptionOnly);
  const key = headerKey(bank);
  const named = BANKS.find((layout) =>
    [layout.bank, ...(layout.alsoKnownAs ?? [])].some((name) => headerKey(name) === key),
  );
  if (!named) {
    const known = BANK_NAMES.join(', ');
    throw new ImportError(
      'unknown_bank',
      `The bank "${bank.slice(0, 100)}" is not known; the banks are ${known}.`,
      'bank',
    );
  }
  return BANKS.filter((layout) => layout.bank === named.bank);
}

export function bankColumns(bank: BankLayout, keys: string[]): Partial<Columns> {
  const at = (name: string | undefined) => {
    const index =
      name === undefined ? -1 : bank.hasNoHeader ? Number(name) - 1 : keys.indexOf(headerKey(name));
    return index < 0 ? undefined : index;
  };
  const all = (names: string[] = []) => names.map(at).filter((index) => index !== undefined);
  return {
    date: at(bank.date),
    amount: at(bank.amount),
    moneyIn: at(bank.moneyIn),
    moneyOut: at(bank.moneyOut),
    fee: at(bank.fee),
    description: all(bank.description),
    descriptionOr: at(bank.or),
    reference: at(bank.reference),
    balance: at(bank.balance),
    notes: at(bank.notes),
    currency: at(bank.currency),
    account: all(bank.account),
    only: at(bank.only?.column),
    moves: at(bank.moves?.column),
    amounts: knownAmounts(bank.amounts, keys),
    check: at(bank.check),
    repeats: all(bank.repeats),
  } as Partial<Columns>;
}

/** The known layout of several amounts, if the header has its columns. */
function knownAmounts(
  amounts: readonly AmountColumns[] | undefined,
  keys: readonly string[],
): AmountGroup[] | undefined {
  return amounts?.map(({ columns, ...amount }) => ({
    ...amount,
    columns: columns.map((name) => keys.indexOf(headerKey(name))).filter((index) => index !== -1),
  }));
}
