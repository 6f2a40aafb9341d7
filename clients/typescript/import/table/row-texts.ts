/** The texts of a row of a table, as they are in the file. */
import type { Columns, Layout } from '../columns/layout.ts';
import { cleanCell, cleanText, exactText, joinTexts, type TableRow } from '../files/cells.ts';
import type { ParsedRow } from '../rows/parsed-row.ts';
import { isBlankAmount, poundsOfPenceText } from '../values/amounts.ts';
import { amountTexts } from './several-amounts.ts';
import type { CellOf } from './signed-amount.ts';

/** The columns and the account that the texts of a row come from. */
export interface TextContext {
  layout: Layout;
  /** The name of the account above the table. */
  account: string;
  /** The columns of the description that an earlier version did not read. */
  later: number;
}

/** The row before its date and its amount are read: its texts, its account, its category and its source. */
export function rowOfTexts(row: TableRow, cell: CellOf, context: TextContext): ParsedRow {
  const { columns } = context.layout;
  // References are derived from these texts, as they are in the file.
  const text = (index: number | undefined) => cleanText(cleanCell(row.raw[index ?? -1] ?? ''));
  const account = columns.account.map(text).filter((name) => name !== '');
  const category = cleanText(cell(columns.category));
  const source = cleanText(cell(columns.source));
  const described = descriptionOf(row, text, context);
  return {
    row: row.row,
    ...described,
    account: account.length > 0 ? account.join(' ') : context.account,
    ...(category !== '' && { category }),
    ...(source !== '' && { source }),
    problems: [],
    texts: () => ({
      date: cell(columns.date),
      amount: amountText(cell, columns),
      type: cell(columns.type),
      description: described.description,
      category,
      source,
    }),
  };
}

/** Notes follow the name, so that the bank's own text is kept first when a description is cut. Derived references ignore notes. */
function descriptionOf(
  { raw }: TableRow,
  text: (index: number | undefined) => string,
  { layout: { columns, isExact }, later }: TextContext,
): Pick<ParsedRow, 'description' | 'earlier'> {
  if (isExact) return { description: exactText(raw[columns.description[0] ?? -1] ?? '') };
  const texts = columns.description.map(text);
  const withoutNotes = joinTexts(texts) || text(columns.descriptionOr);
  const notes = text(columns.notes);
  if (notes !== '') {
    const description = joinTexts([...texts.slice(0, 1), notes, ...texts.slice(1)]);
    return { description, earlier: { description: withoutNotes, keepsReference: true } };
  }
  if (later === 0) return { description: withoutNotes };
  const earlier = { description: joinTexts(texts.slice(later)), keepsReference: false };
  return { description: withoutNotes, earlier };
}

/** The text of the amount. Money out gets a minus, so that the text alone shows the direction. */
function amountText(cell: CellOf, columns: Columns): string {
  const { amount, amountPence, moneyIn, moneyOut, amounts } = columns;
  if (amounts) return amountTexts(cell, amounts);
  if (amountPence !== undefined) return poundsOfPenceText(cell(amountPence));
  if (moneyIn === undefined && moneyOut === undefined) return cell(amount);
  const [received, paid] = [cell(moneyIn), cell(moneyOut)].map((text) => (isBlankAmount(text) ? '' : text));
  return [received, paid && `-${paid.replace(/^-/, '')}`].filter((text) => text).join(' ');
}
