/** What `push` understood of a file, before it sends anything. */

import { printable } from '../../../platform/terminal.ts';
import type { JoinedFiles, ReadFile } from '../../typescript/books/joined-files.ts';
import { pounds } from '../../typescript/books/pounds.ts';
import { daysOf } from '../../typescript/books/stored-books.ts';
import { totalsOf } from '../../typescript/books/totals.ts';
import { groupBy } from '../../typescript/group-by.ts';
import type { LeftOut, ReadEntry, Recognised } from '../../typescript/import/index.ts';
import { parseRules } from '../../typescript/import/plan/rules.ts';
import type { BalanceProof } from '../../typescript/proof/balances.ts';
import { balanceLines } from '../balance-lines.ts';
import { counted, startOf, table } from '../output.ts';
import type { Rules } from '../rules.ts';

const ROWS_SHOWN = 5;
const PROBLEMS_SHOWN = 20;

/** @param sourceName of rows of which nothing else decides */
export function previewLines(
  { name, statement }: ReadFile,
  sourceName: string | undefined,
  rules?: Rules,
  balances: readonly BalanceProof[] = [],
): string[] {
  const { bank, format, rows, entries, skipped, invalid, warnings } = statement;
  const { from, to } = daysOf(entries);
  const { income, expense } = totalsOf(entries.map(({ entry }) => entry));
  const lines = [
    `${name}: ${counted(rows, 'row', 'rows')} of ${bank === null ? format : `${bank} (${format})`}${sourceName === undefined ? '' : `, for ${sourceName}`}`,
    ...(rules ? [`Rules    ${rules.file} (${counted(parseRules(rules.text).length, 'rule', 'rules')})`] : []),
    ...columnLines(statement.recognised),
    ...conversionLines(entries),
    '',
    ...table(
      entries.slice(0, ROWS_SHOWN).map(({ row, part, source, entry }) => ({
        row: part === undefined ? row : `${row}#${part}`,
        ...(entries.some(({ isSourceChosen }) => isSourceChosen) && { source: source?.name ?? '' }),
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
    ...balanceLines(balances, false),
    `Review   ${counted(entries.filter(({ entry }) => entry.category === undefined).length, 'entry', 'entries')} without a category`,
  ];
  const skippedByFile = skipped.filter(({ rule }) => rule === undefined);
  if (skippedByFile.length > 0) {
    lines.push('', `${counted(skippedByFile.length, 'row is', 'rows are')} skipped:`);
    lines.push(...shortened(skippedByFile.map(({ row, reason }) => `  row ${row}: ${reason}`)));
  }
  lines.push(...leftOutLines(statement.leftOut, rules?.text));
  if (invalid.length > 0) {
    lines.push('', `${counted(invalid.length, 'problem', 'problems')}:`);
    const texts = invalid.map(
      ({ row, column, value, message }) =>
        `  row ${row}, ${column} ${JSON.stringify(value.slice(0, 60))}: ${message}`,
    );
    lines.push(...shortened(texts));
  }
  if (warnings.length > 0) {
    lines.push('', 'Look at these:');
    lines.push(...shortened(warnings.map(({ row, message }) => `  row ${row}: ${message}`)));
  }
  return [...lines, ''];
}

/** What rules leave out, by the rule: nothing disappears unseen. */
function leftOutLines(leftOut: readonly LeftOut[], rules = ''): string[] {
  if (leftOut.length === 0) return [];
  const texts = rules.split(/\r\n?|\n/);
  const lines = ['', `${counted(leftOut.length, 'payment is', 'payments are')} left out by the rules:`];
  for (const [rule, of] of [...groupBy(leftOut, (each) => each.rule)].sort(([one], [two]) => one - two)) {
    const { income, expense } = totalsOf(of);
    const sums = [
      ...(income.count > 0 ? [`income ${pounds(income.pence)}`] : []),
      ...(expense.count > 0 ? [`expense ${pounds(expense.pence)}`] : []),
    ];
    lines.push(`  line ${rule}, ${startOf(texts[rule - 1]?.trim() ?? '')}: ${of.length}, ${sums.join(', ')}`);
    const rows = of.map(({ row, part, date, amountPence, description }) => {
      const place = part === undefined ? `row ${row}` : `part ${part} of row ${row}`;
      return `    ${place}: ${date} ${pounds(amountPence)} ${startOf(description)}`;
    });
    lines.push(...shortened(rows, ': --report and --json have all'));
  }
  return lines;
}

/** Rows of a file that a file before has. */
export function repeatedLines(repeated: JoinedFiles['repeated']): string[] {
  if (repeated.length === 0) return [];
  const texts = repeated.map(
    ({ file, row, first }) => `  row ${row} of ${file} repeats row ${first.row} of ${first.file}`,
  );
  return [
    `${counted(repeated.length, 'row is', 'rows are')} in two files, and counted once:`,
    ...shortened(texts),
    '',
  ];
}

/** How many amounts of each currency became pounds. */
function conversionLines(entries: readonly ReadEntry[]): string[] {
  const converted = groupBy(
    entries.filter(({ conversion }) => conversion),
    ({ conversion }) => conversion?.currency ?? '',
  );
  return [...converted].map(([currency, of]) => {
    const rows = new Set(of.map(({ row }) => row)).size;
    return `Rates    ${counted(rows, 'row', 'rows')} in ${currency}, converted to pounds by --rates`;
  });
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

/** @param rest where the others are */
function shortened(lines: string[], rest = ''): string[] {
  const more = lines.length - PROBLEMS_SHOWN;
  return more > 0 ? [...lines.slice(0, PROBLEMS_SHOWN), `  … and ${more} more${rest}`] : lines;
}
