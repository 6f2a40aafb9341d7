/** What `push` understood of a file, before it sends anything. */
import { pounds } from '../typescript/books/pounds.ts';
import { totalsOf } from '../typescript/books/totals.ts';
import type { ImportResult } from '../typescript/import/index.ts';
import { startOf, table } from './output.ts';

const ROWS_SHOWN = 5;
const PROBLEMS_SHOWN = 20;

export function previewLines(file: string, sourceName: string, statement: ImportResult): string[] {
  const { bank, format, rows, entries, skipped, invalid } = statement;
  const dates = entries.map(({ entry }) => entry.date).sort();
  const { income, expense } = totalsOf(entries.map(({ entry }) => entry));
  const lines = [
    `${file}: ${rows} rows of ${bank === null ? format : `${bank} (${format})`}, for ${sourceName}`,
    '',
    ...table(
      entries.slice(0, ROWS_SHOWN).map(({ row, entry }) => ({
        row,
        date: entry.date,
        type: entry.type,
        amount: pounds(entry.amountPence),
        category: entry.category ?? '(review queue)',
        description: startOf(entry.description ?? ''),
      })),
    ),
    ...(entries.length > ROWS_SHOWN ? [`… and ${entries.length - ROWS_SHOWN} more`] : []),
    '',
    `Income   ${counted(income.count)}, ${pounds(income.pence)}`,
    `Expense  ${counted(expense.count)}, ${pounds(expense.pence)}`,
    ...(dates.length > 0 ? [`Period   ${dates[0]} to ${dates.at(-1)}`] : []),
    `Review   ${counted(entries.filter(({ entry }) => entry.category === undefined).length)} without a category`,
  ];
  if (skipped.length > 0) {
    lines.push('', `${skipped.length} rows are skipped:`);
    lines.push(...shortened(skipped.map(({ row, reason }) => `  row ${row}: ${reason}`)));
  }
  if (invalid.length > 0) {
    lines.push('', `${invalid.length} problems:`);
    const texts = invalid.map(
      ({ row, column, value, message }) =>
        `  row ${row}, ${column} ${JSON.stringify(value.slice(0, 60))}: ${message}`,
    );
    lines.push(...shortened(texts));
  }
  return [...lines, ''];
}

const counted = (entries: number) => `${entries} ${entries === 1 ? 'entry' : 'entries'}`;

function shortened(lines: string[]): string[] {
  const more = lines.length - PROBLEMS_SHOWN;
  return more > 0 ? [...lines.slice(0, PROBLEMS_SHOWN), `  … and ${more} more`] : lines;
}
