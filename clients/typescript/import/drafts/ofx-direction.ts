/** The direction of a transaction of OFX, by its type and its sign. */
import { hasMinus, hasPlus } from '../values/amounts.ts';
import { type Direction, directionOf, isCardPayment } from '../values/direction.ts';

export type Fields = Map<string, string>;
interface OfTransaction {
  name: string;
  fields: Fields;
  statement: { isCard: boolean };
}

export const typeOf = (fields: Fields) => (fields.get('TRNTYPE') ?? '').toUpperCase();

const DIRECTIONS: Record<string, Direction> = {
  ...{ CREDIT: 'income', DEP: 'income', DIRECTDEP: 'income', DIV: 'income' },
  ...{
    DEBIT: 'expense',
    DIRECTDEBIT: 'expense',
    CASH: 'expense',
    FEE: 'expense',
    SRVCHG: 'expense',
    DB: 'expense',
  },
};
/** The direction by TRNTYPE, if the sign cannot change it. Some banks write words that OFX does not define. */
export function directionOfType(fields: Fields): Direction | undefined {
  const type = typeOf(fields);
  return Object.hasOwn(DIRECTIONS, type) ? DIRECTIONS[type] : directionOf(type);
}

/** Point of sale and cash machine: mostly expenses. A plus is a refund only if others of these types have a minus. */
const MOSTLY_EXPENSES = ['POS', 'ATM'];
/** Types that suggest expenses if no amount of the statement has a minus. */
const EXPENSES = [...MOSTLY_EXPENSES, 'CHECK'];

/** The number of transactions of a statement with a minus (and whether it counts), and with signs that match or contradict their types. */
interface Signs {
  minus: number;
  mostly: number;
  expenses: number;
  agree: number;
  contradict: number;
  /** The number of transactions whose type has no direction: without a minus, less the ones with it. */
  plus: number;
}

/** The reason why the sign of an amount does not give its direction, if its type gives none. */
export function signReader<Item extends OfTransaction>(
  items: readonly Item[],
): (item: Item) => string | undefined {
  const all = new Map<OfTransaction['statement'], Signs>();
  const isMostly = (item: OfTransaction) => MOSTLY_EXPENSES.includes(typeOf(item.fields));
  const isPaid = ({ fields }: OfTransaction) =>
    ['NAME', 'MEMO'].some((tag) => isCardPayment(fields.get(tag) ?? ''));
  for (const item of items) {
    if (item.name !== 'STMTTRN') continue;
    const signs = all.get(item.statement) ?? {
      minus: 0,
      mostly: 0,
      expenses: 0,
      agree: 0,
      contradict: 0,
      plus: 0,
    };
    all.set(item.statement, signs);
    const said = directionOfType(item.fields);
    const isMinus = hasMinus(amountOf(item));
    if (said) signs[isMinus === (said === 'expense') ? 'agree' : 'contradict']++;
    else signs.plus += isMinus && !isPaid(item) ? -1 : 1;
    // The minus of a credit contradicts itself.
    if (isMinus && said !== 'income') signs.minus++;
    if (isMinus && isMostly(item)) signs.mostly++;
    if (said === 'expense' || EXPENSES.includes(typeOf(item.fields))) signs.expenses++;
  }
  return (item) => {
    const signs = all.get(item.statement);
    if (!signs || directionOfType(item.fields)) return undefined;
    if (signs.contradict > 1 && signs.contradict > signs.agree) {
      return 'The types of other rows contradict their signs, so that this sign does not say which it is.';
    }
    if (item.statement.isCard && signs.agree === 0 && signs.plus > 0)
      return 'Most amounts of the card have no minus: this one does not say whether it is income or an expense.';
    if (hasMinus(amountOf(item)) || hasPlus(amountOf(item))) return undefined;
    return (isMostly(item) ? signs.mostly > 0 : signs.minus > 0 || signs.expenses === 0)
      ? undefined
      : 'No amount of this kind has a minus, though such rows are mostly expenses: the amount does not say which this is.';
  };
}

const amountOf = ({ fields }: OfTransaction) => fields.get('TRNAMT') ?? '';
