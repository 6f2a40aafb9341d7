/** The options that settle the columns of a file, if they hold what their names say. */
import type { ImportError, Recognised } from '../typescript/import/index.ts';

const NO_PAYMENT =
  /due|owed|owing|expected|arrears|vat|tax|net|gross|total|balance|number|\bno\b|receipt|invoice/i;
const INCOME = /rent|received|income|paid in/i;
const EXPENSE = /cost|expense|fee|bill|charge|repair|insurance|mortgage|paid out|spent/i;

type Columns = Recognised['columns'];

export function unsettledLines({ unsettled = [], table }: ImportError): string[] {
  if (!table || unsettled.length === 0) return [];
  const { header, columns } = table;
  const map = chosen(unsettled, header, columns);
  const options = Object.entries(map).map(([field, index]) => `${field}=${nameOf(index, header)}`);
  const others = unsettled.filter((index) => !Object.values(map).includes(index));
  const line = [
    ...(options.length > 0 ? [`--map ${options.join(',')}`] : []),
    ...others.map((index) => `--ignore ${nameOf(index, header)}`),
  ];
  const { date, amount, moneyIn, moneyOut } = { ...columns, ...map };
  const isEnough = date !== undefined && (amount ?? moneyIn ?? moneyOut) !== undefined;
  return [
    '--map field=column reads a column, and --ignore column leaves one out, by name or by number.',
    ...(isEnough ? [`If these columns hold what their names say: ${line.join(' ')}`] : []),
  ];
}

/** A field that is found already stays; of two columns for one field, none is taken. */
function chosen(unsettled: readonly number[], header: readonly string[], columns: Columns): Columns {
  const only = (names: RegExp) => {
    const fitting = unsettled.filter(
      (index) => names.test(header[index] ?? '') && !NO_PAYMENT.test(header[index] ?? ''),
    );
    return fitting.length === 1 ? fitting[0] : undefined;
  };
  const [moneyIn, moneyOut] = columns.amount === undefined ? [only(INCOME), only(EXPENSE)] : [];
  return {
    ...(columns.moneyIn === undefined && moneyIn !== undefined && { moneyIn }),
    ...(columns.moneyOut === undefined && moneyOut !== undefined && moneyOut !== moneyIn && { moneyOut }),
  };
}

/** As a shell and `--map` take it: by number if the name has other characters, or is there twice. */
function nameOf(index: number, header: readonly string[]): string {
  const name = header[index] ?? '';
  const isPlain =
    /^[\p{L}][\p{L}\p{N} £()/.-]*$/u.test(name) && header.filter((each) => each === name).length === 1;
  return isPlain ? `"${name}"` : String(index + 1);
}
