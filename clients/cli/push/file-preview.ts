/** The preview of a file in `push`. It fits a screen; --verbose shows the rest. */

import type { BalanceCheck } from '../../typescript/balances/balances.ts';
import { counted } from '../../typescript/counted.ts';
import { groupBy } from '../../typescript/group-by.ts';
import { omittedRows } from '../../typescript/import/entries/omitted-rows.ts';
import type { ImportEntry, Recognised } from '../../typescript/import/index.ts';
import type { MergedFiles } from '../../typescript/match/compare.ts';
import { daysOfFiles, type FileResult } from '../../typescript/match/row.ts';
import { pounds } from '../../typescript/pounds.ts';
import { balanceLines } from '../balance-lines.ts';
import { excerpt, shortTable } from '../output.ts';
import { keptAnswersLines, rowQuestionLines } from '../questions/row-lines.ts';

const ROWS_SHOWN = 5;
const EXAMPLES_SHOWN = 5;
const PROBLEMS_SHOWN = 20;

/** @param sourceName of rows that neither a rule nor a column assigns */
export function previewLines(
  { name, result }: FileResult,
  sourceName: string | undefined,
  balances: readonly BalanceCheck[],
  { isVerbose, isOneOfSeveral }: { isVerbose: boolean; isOneOfSeveral: boolean },
): string[] {
  const { rowCount, entries, skipped, invalid, warnings, recognised } = result;
  const { bank, format } = recognised;
  const { from, to } = daysOfFiles([{ name, result }]);
  const byHand = omittedRows(result).filter(({ isByHand }) => isByHand);
  return [
    [
      `${name}: ${counted(rowCount, 'row', 'rows')} of ${bank === null ? format : `${bank} (${format})`}`,
      ...(from === undefined ? [] : [`from ${from} to ${to}`]),
      ...(sourceName === undefined ? [] : [`for ${sourceName}`]),
    ].join(', '),
    ...sheetLines(recognised),
    ...keptAnswersLines(result),
    ...conversionLines(entries),
    ...(isVerbose ? [...columnLines(recognised), ...firstEntryLines(entries)] : []),
    ...balanceLines(balances, false),
    ...groupedTexts(`${counted(skipped.length, 'row is', 'rows are')} skipped`, skipped, isVerbose, {
      textOf: ({ reason }) => reason,
    }),
    ...groupedTexts(`${counted(byHand.length, 'row is', 'rows are')} left out by hand`, byHand, isVerbose, {
      textOf: ({ reason }) => reason,
    }),
    ...groupedTexts(counted(invalid.length, 'problem', 'problems'), invalid, isVerbose, {
      textOf: ({ column, message }) => (column === '' ? message : `${column}: ${message}`),
      shownValue: ({ value }) => ` ${JSON.stringify(value.slice(0, 60))}`,
    }),
    ...rowQuestionLines(result, isOneOfSeveral ? name : undefined),
    ...groupedTexts('Look at these', warnings, isVerbose, { textOf: ({ message }) => message }),
    '',
  ];
}

/** Groups equal texts, with their rows. */
function groupedTexts<Item extends { row: number }>(
  title: string,
  items: readonly Item[],
  isVerbose: boolean,
  { textOf, shownValue = () => '' }: { textOf: (item: Item) => string; shownValue?: (item: Item) => string },
): string[] {
  if (items.length === 0) return [];
  const rowsMax = isVerbose ? items.length : EXAMPLES_SHOWN;
  const lines = [...groupBy(items, textOf)].map(([text, ofText]) => {
    const examples = ofText.slice(0, rowsMax).map((item) => `${item.row}${shownValue(item)}`);
    const more = ofText.length - examples.length;
    return `  ${ofText.length === 1 ? 'row' : 'rows'} ${examples.join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${text}`;
  });
  return [`${title}:`, ...shortenedLines(lines, isVerbose)];
}

/** Rows that repeat rows of an earlier file. */
export function repeatedLines(repeated: MergedFiles['repeated'], isVerbose: boolean): string[] {
  if (repeated.length === 0) return [];
  const rows = `${counted(repeated.length, 'row is', 'rows are')} in two files, and counted once`;
  return [
    ...groupedTexts(rows, repeated, isVerbose, {
      textOf: ({ file, first }) => `of ${file}, as in ${first.file}`,
      shownValue: ({ row, first }) => (row === first.row ? '' : ` (${first.row})`),
    }),
    '',
  ];
}

function firstEntryLines(entries: readonly ImportEntry[]): string[] {
  const rows = entries.map(({ row, part, source, entry }) => ({
    row: part === undefined ? row : `${row}#${part}`,
    ...(entries.some(({ isSourceChosen }) => isSourceChosen) && { source: source?.name ?? '' }),
    date: entry.date,
    type: entry.type,
    amount: pounds(entry.amountPence),
    category: entry.category ?? '(review queue)',
    description: excerpt(entry.description ?? ''),
  }));
  return ['', ...shortTable(rows, '', ROWS_SHOWN), ''];
}

/** Names the sheets that are not read: they may have payments. */
function sheetLines({ sheet, sheets = [] }: Recognised): string[] {
  const others = sheets.filter((each) => each !== sheet).map((each) => `"${each}"`);
  return others.length > 0 ? [`Sheet    "${sheet ?? ''}"; not read: ${others.join(', ')}`] : [];
}

/** The number of converted amounts in each currency. */
function conversionLines(entries: readonly ImportEntry[]): string[] {
  const converted = groupBy(
    entries.filter(({ conversion }) => conversion),
    ({ conversion }) => conversion?.currency ?? '',
  );
  return [...converted].map(([currency, inCurrency]) => {
    const rows = new Set(inCurrency.map(({ row }) => row)).size;
    return `Rates    ${counted(rows, 'row', 'rows')} in ${currency}, converted to pounds by --rates`;
  });
}

/** The role of each column, and the columns that are not read. */
function columnLines({ header, columns, amounts, ignored }: Recognised): string[] {
  const name = (index: number) => {
    const text = header[index] ?? '';
    return text === '' ? `column ${index + 1}` : `"${text}"`;
  };
  const read = Object.entries(columns).map(([field, index]) => `${field} ${name(index)}`);
  const several = amounts.map((each) => `${each.direction} ${each.columns.map(name).join(' + ')}`);
  const used = new Set([...Object.values(columns), ...amounts.flatMap((each) => each.columns), ...ignored]);
  const others = header.flatMap((text, index) => (text === '' || used.has(index) ? [] : [name(index)]));
  const line = (title: string, parts: readonly string[]) =>
    parts.length === 0 ? [] : [`${title.padEnd(8)} ${parts.join(', ')}`];
  return [
    ...line('Columns', read),
    ...line('Amounts', several),
    ...line('Also', others),
    ...line('Left out', ignored.map(name)),
  ];
}

function shortenedLines(lines: string[], isVerbose: boolean): string[] {
  const more = isVerbose ? 0 : lines.length - PROBLEMS_SHOWN;
  return more > 0 ? [...lines.slice(0, PROBLEMS_SHOWN), `  … and ${more} more: --verbose has all`] : lines;
}
