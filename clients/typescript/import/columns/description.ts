/** The description of a table that names none: its columns of free text. */
import { headerKey, type TableRow } from '../files/cells.ts';
import type { ImportOptions } from '../options.ts';
import { isAmountText, isDate, isFreeText } from './cell-kinds.ts';
import { isKnownTable, type Layout, readColumns, rowsWithMoney } from './layout.ts';
import { isDescriptionName, withoutMoney } from './usual-columns.ts';

export function withDescription(
  rows: readonly TableRow[],
  layout: Layout | undefined,
  { map = {} }: ImportOptions,
): Layout | undefined {
  if (!layout || isKnownTable(layout) || map.description !== undefined) return layout;
  const { header, columns, resolvedColumns, firstRow } = layout;
  const keys = header.map(headerKey);
  if (columns.description.some((index) => isDescriptionName(keys[index] ?? ''))) return layout;
  const read = readColumns(columns);
  const data = rowsWithMoney(rows.slice(firstRow), columns);
  const foundDescriptions = keys.flatMap((key, index) => {
    const texts = data.map(({ cells }) => cells[index] ?? '');
    const isOpen = !read.has(index) && !resolvedColumns.has(index) && withoutMoney(key) === undefined;
    const isText = isOpen && isFreeText(texts) && !texts.some((text) => isDate(text) || isAmountText(text));
    return isText ? [index] : [];
  });
  const description = [...foundDescriptions, ...columns.description];
  return { ...layout, foundDescriptions, columns: { ...columns, description } };
}
