/** What `push` understood of a file, before it sends anything. */
import { printable } from '../../platform/terminal.ts';
import { pounds } from '../typescript/books/pounds.ts';
import { daysOf } from '../typescript/books/stored-books.ts';
import { totalsOf } from '../typescript/books/totals.ts';
import type { ImportResult, Recognised } from '../typescript/import/index.ts';
import { counted, startOf, table } from './output.ts';

const ROWS_SHOWN = 5;
const PROBLEMS_SHOWN = 20;

export function previewLines(file: string, sourceName: string, statement: ImportResult): string[] {
  const { bank, format, rows, entries, skipped, invalid, warnings } = statement;
  const { from, to } = daysOf(entries);
  const { income, expense } = totalsOf(entries.map(({ entry }) => entry));
  const lines = [
    `${file}: ${counted(rows, 'row', 'rows')} of ${bank === null ? format : `${bank} (${format})`}, for ${sourceName}`,
    ...columnLines(statement.recognised),
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
    `Income   ${counted(income.count, 'entry', 'entries')}, ${pounds(income.pence)}`,
    `Expense  ${counted(expense.count, 'entry', 'entries')}, ${pounds(expense.pence)}`,
    ...(from === undefined ? [] : [`Period   ${from} to ${to}`]),
    `Review   ${counted(entries.filter(({ entry }) => entry.category === undefined).length, 'entry', 'entries')} without a category`,
  ];
  if (skipped.length > 0) {
    lines.push('', `${counted(skipped.length, 'row is', 'rows are')} skipped:`);
    lines.push(...shortened(skipped.map(({ row, reason }) => `  row ${row}: ${reason}`)));
  }
  if (invalid.length > 0) {
    lines.push('', `${counted(invalid.length, 'problem', 'problems')}:`);
    const texts = invalid.map(
      ({ row, column, value, message }) =>
        `  row ${row}, ${column} ${JSON.stringify(value.slice(0, 60))}: ${message}`,
    );
    lines.push(...shortened(texts));
  }
  if (warnings.length > 0) {
    lines.push('', 'These dates are unlikely:');
    lines.push(...shortened(warnings.map(({ row, message }) => `  row ${row}: ${message}`)));
  }
  return [...lines, ''];
}

/** Which column was read as what, and which were left out. */
function columnLines({ header, columns, ignored, sheet, sheets = [] }: Recognised): string[] {
  const name = (index: number) => {
    const text = printable(header[index] ?? '');
    return text === '' ? `column ${index + 1}` : `"${text}"`;
  };
  const read = Object.entries(columns).map(([field, index]) => `${field} ${name(index)}`);
  const used = new Set([...Object.values(columns), ...ignored]);
  const others = header.flatMap((text, index) => (text === '' || used.has(index) ? [] : [name(index)]));
  const otherSheets = sheets.filter((each) => each !== sheet).map((each) => `"${printable(each)}"`);
  const line = (title: string, parts: readonly string[]) =>
    parts.length === 0 ? [] : [`${title.padEnd(8)} ${parts.join(', ')}`];
  return [
    ...line(
      'Sheet',
      otherSheets.length > 0 ? [`"${printable(sheet ?? '')}"; not read: ${otherSheets.join(', ')}`] : [],
    ),
    ...line('Columns', read),
    ...line('Also', others),
    ...line('Left out', ignored.map(name)),
  ];
}

function shortened(lines: string[]): string[] {
  const more = lines.length - PROBLEMS_SHOWN;
  return more > 0 ? [...lines.slice(0, PROBLEMS_SHOWN), `  … and ${more} more`] : lines;
}
