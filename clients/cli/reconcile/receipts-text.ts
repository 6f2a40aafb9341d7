/** Receipts for people: the files that belong to no entry, and the expenses without one. */
import { counted } from '../../typescript/counted.ts';
import type { Source } from '../../typescript/index.ts';
import { pounds } from '../../typescript/pounds.ts';
import { excerpt, shortTable, TABLE_ROWS_MAX } from '../output.ts';
import type { Receipts } from './receipts.ts';
import { IN_REPORT } from './reconciliation-text.ts';

/** The receipts as lines: files of no entry, equal files, expenses without a receipt. */
export function receiptLines(
  { above, files, notMatched, equal, without }: Receipts,
  sources: readonly Source[],
): string[] {
  const nameOf = (sourceId: string) => sources.find(({ id }) => id === sourceId)?.name ?? '';
  const expenses = without.map(({ sourceId, date, amountPence, description, id }) => ({
    source: nameOf(sourceId),
    date,
    amount: pounds(amountPence),
    description: excerpt(description ?? ''),
    id,
  }));
  const ofAmount = above === 0 ? '' : ` above ${pounds(above)}`;
  return [
    `${counted(files.length, 'receipt belongs to an entry', 'receipts belong to entries')}.`,
    ...(notMatched.length > 0
      ? [
          `${counted(notMatched.length, 'file belongs', 'files belong')} to no entry:`,
          ...shortTable(
            notMatched.map(({ name, reason }) => ({ file: name, why: reason })),
            IN_REPORT,
          ),
          'Name a receipt after the id or the reference of its entry, such as INV-7.pdf, and a second one INV-7 (2).pdf. Write / as %2F and : as %3A.',
        ]
      : []),
    ...equal.slice(0, TABLE_ROWS_MAX).map((names) => `${names.join(' and ')} have the same content.`),
    ...(without.length > 0
      ? [
          `${counted(without.length, 'expense', 'expenses')}${ofAmount} without a receipt:`,
          ...shortTable(expenses, IN_REPORT),
        ]
      : []),
    '',
  ];
}
