/** A reconciliation for people: the outcomes of the rows, the rows that are not accounted for, and the entries of no file. */
import { counted } from '../../typescript/counted.ts';
import { pounds } from '../../typescript/pounds.ts';
import {
  failureReason,
  failuresText,
  goneText,
  HOW_TO_MEND,
  OUTCOMES,
  outcomesText,
} from '../../typescript/reconciliation/outcome-texts.ts';
import {
  FAILURES,
  type ReconciledFile,
  type ReconciledRow,
  type Reconciliation,
} from '../../typescript/reconciliation/reconciliation.ts';
import { balanceLines } from '../balance-lines.ts';
import { excerpt, shortTable } from '../output.ts';

export const IN_REPORT = ': --report has all';

/**
 * @param hasProbable whether rows are probably known
 * @param corrections entries to change in the app, if the user did not request the list
 * @param linesOf the file with this index: more lines about it. @param receipts lines about receipts
 */
export function reconciliationLines(
  reconciliation: Reconciliation,
  {
    hasProbable,
    corrections,
    linesOf,
    receipts,
  }: {
    hasProbable: boolean;
    corrections: number;
    linesOf: (index: number) => readonly string[];
    receipts: readonly string[];
  },
): string[] {
  const lines = reconciliation.files.flatMap((file, index) => fileLines(file, linesOf(index)));
  lines.push(...otherEntryLines(reconciliation), ...goneLines(reconciliation), ...receipts);
  if (reconciliation.isReconciled) {
    const { length } = reconciliation.otherEntries;
    const of = counted(length, 'entry of the period has', 'entries of the period have');
    const beside = length === 0 ? '' : ` ${of} nothing to do with these files.`;
    return [...lines, `Reconciled: every row is accounted for.${beside}`];
  }
  return [
    ...lines,
    ...(hasProbable
      ? [
          'Some of the rows are probably known: --leave-probable takes them for the stored entries, and --decide decides row by row.',
        ]
      : []),
    ...(corrections > 0
      ? [
          `${counted(corrections, 'entry has', 'entries have')} to be looked at in the app: --corrections list.csv writes what to change.`,
        ]
      : []),
    `Not reconciled: ${failuresText(reconciliation)}.`,
  ];
}

function fileLines({ name, balances, rows }: ReconciledFile, more: readonly string[]): string[] {
  const failed = rows.filter(({ outcome }) => FAILURES.includes(outcome));
  return [
    `${name}: ${outcomesText(rows)}.`,
    ...more,
    ...balanceLines(balances, true),
    ...shortTable(failed.map(failedRow), IN_REPORT),
    ...(failed.some(({ entriesOfDay }) => entriesOfDay) ? [HOW_TO_MEND] : []),
    '',
  ];
}

const failedRow = ({
  row,
  outcome,
  date = '',
  pence,
  currency,
  description = '',
  ...more
}: ReconciledRow) => ({
  row,
  state: OUTCOMES[outcome],
  date,
  amount: pence === undefined ? '' : [currency ?? [], pounds(pence)].flat().join(' '),
  description: excerpt(description),
  why: failureReason(more),
});

function otherEntryLines({ otherEntries, sources, period }: Reconciliation): string[] {
  if (otherEntries.length === 0 || !period) return [];
  const rows = otherEntries.map(({ date, type, amountPence, description, sourceId, id }) => ({
    source: sources.find((each) => each.id === sourceId)?.name ?? '',
    date,
    type,
    amount: pounds(amountPence),
    description: excerpt(description ?? ''),
    id,
  }));
  return [
    `${counted(otherEntries.length, 'entry', 'entries')} from ${period.from} to ${period.to} ${otherEntries.length === 1 ? 'is' : 'are'} of no file here:`,
    ...shortTable(rows, IN_REPORT),
    '',
  ];
}

function goneLines({ gone, sources }: Reconciliation): string[] {
  if (gone.length === 0) return [];
  const rows = gone.map((each) => ({
    source: sources.find(({ id }) => id === each.sourceId)?.name ?? '',
    date: each.date,
    type: each.type,
    amount: pounds(each.amountPence),
    description: excerpt(each.description ?? ''),
    why: goneText(each),
  }));
  const hasQuestion = gone.some(({ isCertain, other }) => !isCertain && !other);
  return [
    `${counted(gone.length, 'entry is', 'entries are')} not proved: a file of these days lacks ${gone.length === 1 ? 'it' : 'them'}.`,
    ...shortTable(rows, IN_REPORT),
    ...(hasQuestion
      ? [
          'If another file has such an entry, name that file too, or name the account with --account-label. --decide asks about the others: send (a payment of its own) or leave (the entry is wrong).',
        ]
      : []),
    '',
  ];
}
