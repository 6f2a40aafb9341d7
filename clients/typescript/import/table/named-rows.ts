/** Rows with an amount whose text names a total or a balance. The text only asks; a sum or the running balance settles it. */
import { signedPence } from '../../pounds.ts';
import { signOfBalances } from '../chain/sign-of-balances.ts';
import { moneyColumns } from '../columns/layout.ts';
import type { TableRow } from '../files/cells.ts';
import { isValidRow, type ParsedRow } from '../rows/parsed-row.ts';
import { isBlankAmount } from '../values/amounts.ts';
import { noPaymentReason } from './no-payment.ts';
import { type AmountNotation, readIn } from './signed-amount.ts';

/** The amounts of a row, or the sums of rows: of each column of money, and signed of all. */
interface CellAmounts {
  cells: (number | undefined)[];
  net: number | undefined;
}

interface SumSoFar {
  amounts: CellAmounts;
  /** Begins again after each total; or also after each line of text. */
  since: 'total' | 'line' | 'beginning';
  hasSkipped: boolean;
  hasOpening: boolean;
  /** The balance above the rows, which is in the sum. */
  opening?: ParsedRow | undefined;
  isBegun: boolean;
}

/** Leaves out the rows that are a sum of the rows above, or the balance of the account. The others stay questions. */
export function settleNamed(
  parsedRows: readonly ParsedRow[],
  data: readonly TableRow[],
  notation: AmountNotation,
): void {
  if (!parsedRows.some(({ named }) => named)) return;
  const isBalance = stillBalances(parsedRows);
  const width = moneyColumns(notation.layout.columns).length;
  const sums = emptySums(width);
  for (const [index, parsed] of parsedRows.entries()) {
    const { named } = parsed;
    const amounts = amountsOfCells(parsed, data[index], notation);
    const isText = amounts.cells.every((pence) => pence === undefined);
    if (named === undefined) {
      for (const sum of sums) {
        if (isText && sum.since === 'line') beginSum(sum, width);
        if (!isText && (sum.hasSkipped || parsed.skipReason === undefined)) addToSum(sum, amounts);
      }
      continue;
    }
    const isNothing = amounts.cells.every((pence = 0) => pence === 0);
    const equal = sums.filter((sum) => isSumOf(amounts, sum.amounts));
    if (isNothing || equal.length > 0 || isBalance(parsed, index)) leaveOut(parsed);
    // The balance below the rows says that the one above them is a balance, too.
    if (named === 'balance') for (const { opening } of equal) if (opening) leaveOut(opening);
    for (const sum of sums) {
      const isOpening = named === 'balance' && !sum.isBegun;
      if (isOpening && sum.hasOpening) {
        addToSum(sum, amounts);
        sum.opening = parsed;
      } else if (!isOpening && sum.since !== 'beginning') beginSum(sum, width);
    }
  }
}

function leaveOut(parsed: ParsedRow): void {
  if (parsed.named) parsed.skipReason ??= noPaymentReason(parsed.named);
  parsed.problems = [];
}

const none = (width: number): CellAmounts => ({ cells: Array<number>(width).fill(0), net: 0 });

function emptySums(width: number): SumSoFar[] {
  const flags = [true, false];
  return (['total', 'line', 'beginning'] as const).flatMap((since) =>
    flags.flatMap((hasSkipped) =>
      flags.map((hasOpening) => ({ amounts: none(width), since, hasSkipped, hasOpening, isBegun: false })),
    ),
  );
}

function beginSum(sum: SumSoFar, width: number): void {
  Object.assign(sum, { amounts: none(width), isBegun: false, opening: undefined });
}

function addToSum(sum: SumSoFar, { cells, net = 0 }: CellAmounts): void {
  const { amounts } = sum;
  amounts.cells = amounts.cells.map((all = 0, index) => all + (cells[index] ?? 0));
  amounts.net = (amounts.net ?? 0) + net;
  sum.isBegun = true;
}

/** Each filled cell is the sum of its column, or the row the sum of all. A sum may be shown without its minus. */
function isSumOf({ cells, net }: CellAmounts, sum: CellAmounts): boolean {
  const isSame = (one: number, other = 0) => Math.abs(one) === Math.abs(other);
  const isOfColumns = cells.every((pence, at) => pence === undefined || isSame(pence, sum.cells[at]));
  return isOfColumns || (net !== undefined && isSame(net, sum.net));
}

function amountsOfCells(parsed: ParsedRow, row: TableRow | undefined, notation: AmountNotation): CellAmounts {
  const { pence, type } = parsed;
  const cells = moneyColumns(notation.layout.columns).map((index) => {
    const text = row?.cells[index] ?? '';
    const read = isBlankAmount(text) ? undefined : readIn(text, notation);
    if (!read) return undefined;
    // An unreadable cell is in no sum.
    return 'pence' in read ? read.pence : parsed.named ? Number.NaN : 0;
  });
  return { cells, net: pence !== undefined && type === 'expense' ? -pence : pence };
}

/** Whether the running balance shows that the row moves no money. */
function stillBalances(parsedRows: readonly ParsedRow[]): (parsed: ParsedRow, index: number) => boolean {
  const read = parsedRows.filter(isValidRow);
  const sign = signOfBalances(
    read.map((each) => ({ day: each.date, pence: signedPence(each), balance: each.balance })),
  );
  return ({ named, pence, balance }, index) => {
    const isSame = (other: number) => Math.abs(other) === pence;
    if (named === 'balance' && balance !== undefined && isSame(balance)) return true;
    if (sign === undefined) return false;
    const above = parsedRows.slice(0, index).findLast(isValidRow);
    const below = parsedRows.slice(index + 1).find(isValidRow);
    // The balances follow without the row.
    if (above && below) return true;
    const beside = above ?? below;
    if (named !== 'balance' || beside?.balance === undefined) return false;
    return isSame(beside.balance) || isSame(beside.balance - sign * signedPence(beside));
  };
}
