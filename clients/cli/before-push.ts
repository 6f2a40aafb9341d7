/** What `push` says before it sends anything: what the books have of the file, and what is sent. */
import type { Comparison } from '../typescript/books/comparison.ts';
import { pounds } from '../typescript/books/pounds.ts';
import { daysOf } from '../typescript/books/stored-books.ts';
import { totalsOf } from '../typescript/books/totals.ts';
import type { NewTransaction, ReadEntry, Warning } from '../typescript/import/index.ts';
import type { Source, Transaction } from '../typescript/index.ts';
import { counted, startOf, table } from './output.ts';

const CONFLICTS_SHOWN = 20;

const entriesOf = (count: number) => counted(count, 'entry', 'entries');

/** What of the file is in the books. */
export function standingLines(
  entries: readonly ReadEntry[],
  { rows }: Comparison,
  { name }: Source,
): string[] {
  const known = rows.filter(({ standing }) => standing === 'known').length;
  const conflicts = rows.flatMap(({ standing, stored, fields = [] }, index) =>
    standing === 'conflict' && stored
      ? fields.map((field) => ({
          row: entries[index]?.row ?? null,
          field,
          file: field === 'split' ? 'another' : shownValue(entries[index]?.entry, field),
          books: field === 'split' ? 'one way' : shownValue(stored, field),
          id: stored.id,
        }))
      : [],
  );
  const inSource = (standing: 'new' | 'elsewhere', tell: (count: number, other: string) => string) => {
    const names = rows.flatMap((row) => (row.standing === standing && row.source ? [row.source.name] : []));
    return [...new Set(names)].map((other) => tell(names.filter((each) => each === other).length, other));
  };
  const lines = [
    ...(known > 0 ? [`${counted(known, 'entry is', 'entries are')} already in ${name}.`] : []),
    ...inSource(
      'new',
      (count, other) =>
        `${counted(count, 'row is equal to an entry', 'rows are equal to entries')} of ${other}, as the same rent of two properties is, and new in ${name}.`,
    ),
    ...inSource(
      'elsewhere',
      (count, other) =>
        `${counted(count, 'entry is', 'entries are')} already in ${other}, with the reference of the file, and cannot be in ${name} too.`,
    ),
  ];
  if (conflicts.length > 0) {
    lines.push('These entries differ. The stored ones stand:');
    lines.push(...table(conflicts.slice(0, CONFLICTS_SHOWN)));
    const more = conflicts.length - CONFLICTS_SHOWN;
    if (more > 0) lines.push(`… and ${more} more`);
  }
  return lines.length > 0 ? [...lines, ''] : [];
}

function shownValue(entry: NewTransaction | Transaction | undefined, field: keyof NewTransaction): string {
  const value = entry?.[field];
  return typeof value === 'number' ? pounds(value) : startOf(value ?? '');
}

/** What is sent, what of it is likely to be wrong, and that it stays. */
export function promiseLines(
  sending: readonly ReadEntry[],
  warnings: readonly Warning[],
  { name }: Source,
): string[] {
  const sent = sending.map(({ entry }) => entry);
  if (sent.length === 0) return [];
  const { income, expense } = totalsOf(sent);
  const { from, to } = daysOf(sending);
  const withoutCategory = sent.filter(({ category }) => category === undefined).length;
  const rows = new Set(sending.map(({ row }) => row));
  return [
    `New in ${name}: ${entriesOf(sent.length)} from ${from} to ${to},`,
    `  income ${pounds(income.pence)} (${entriesOf(income.count)}), expense ${pounds(expense.pence)} (${entriesOf(expense.count)}),`,
    `  ${withoutCategory} without a category.`,
    ...warnings
      .filter(({ row }) => rows.has(row))
      .map(
        ({ row, field, value, message }) =>
          `Look at row ${row}, ${field} ${JSON.stringify(value)}: ${message}`,
      ),
    'An entry cannot be changed or deleted through this service afterwards.',
    '',
  ];
}

/** What is wrong, and the command that is right. */
export function wrongSourceLines(
  { source: right, rows, of }: NonNullable<Comparison['wrongSource']>,
  { name }: Source,
): string[] {
  return [
    `${rows} of these ${of} rows are already in ${right.name}. Nothing was sent.`,
    `If the file belongs to ${right.name}, use --source ${JSON.stringify(right.name)}.`,
    `If ${name} has equal payments of its own, add --another-source.`,
  ];
}
