/** What the type and the sign of a transaction of OFX say of its direction. */
import type { Direction } from '../values/direction.ts';

export type Fields = Map<string, string>;
interface OfTransaction {
  fields: Fields;
  statement: unknown;
}

export const typeOf = (fields: Fields) => (fields.get('TRNTYPE') ?? '').toUpperCase();

/** What TRNTYPE says, where its meaning does not depend on the sign. */
export const DIRECTIONS: Record<string, Direction> = {
  ...{ CREDIT: 'income', DEP: 'income', DIRECTDEP: 'income', DIV: 'income' },
  ...{ DEBIT: 'expense', DIRECTDEBIT: 'expense', CASH: 'expense', FEE: 'expense', SRVCHG: 'expense' },
};
/** Point of sale and cash machine: mostly expenses, and a plus gives one back only if others of them have a minus. */
const MOSTLY_EXPENSES = ['POS', 'ATM'];

/** Whether a plus, or no sign, says that the amount is income. It does not where no amount of the statement has a minus, and some are expenses. */
export function plusReader<Item extends OfTransaction>(items: readonly Item[]): (item: Item) => boolean {
  const signs = new Map<unknown, { all: boolean; mostly: boolean; expenses: boolean }>();
  const isMostly = ({ fields }: OfTransaction) => MOSTLY_EXPENSES.includes(typeOf(fields));
  for (const item of items) {
    const sign = signs.get(item.statement) ?? { all: false, mostly: false, expenses: false };
    signs.set(item.statement, sign);
    const hasMinus = item.fields.get('TRNAMT')?.startsWith('-') ?? false;
    sign.all ||= hasMinus;
    sign.mostly ||= hasMinus && isMostly(item);
    sign.expenses ||= DIRECTIONS[typeOf(item.fields)] === 'expense' || isMostly(item);
  }
  return (item) => {
    const { all, mostly, expenses } = signs.get(item.statement) ?? {};
    return isMostly(item) ? mostly === true : all === true || !expenses;
  };
}
