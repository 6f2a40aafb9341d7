/** A reconciliation for people: the outcomes of the rows, the rows that are not accounted for, and the entries of no file. */
import { counted } from '../../typescript/counted.ts';
import { pounds } from '../../typescript/pounds.ts';
import {
  conclusionText,
  failureReason,
  goneText,
  HOW_TO_MEND,
  OUTCOME_TEXTS,
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

interface PrintedBeside {
  /** Whether rows are probably known. */
  hasProbable: boolean;
  /** Entries to change in the app, if the user did not request the list. */
  appChangeCount: number;
  /** More lines about the file with this index. */
  linesOf: (index: number) => readonly string[];
  /** Lines about receipts. */
  receipts: readonly string[];
}

export const reconciliationLines = (
  reconciliation: Reconciliation,
  { hasProbable, appChangeCount, linesOf, receipts }: PrintedBeside,
): string[] => [
  ...reconciliation.files.flatMap((file, index) => fileLines(file, linesOf(index))),
  ...otherEntryLines(reconciliation),
  ...goneLines(reconciliation),
  ...receipts,
  ...(reconciliation.isReconciled ? [] : adviceLines(hasProbable, appChangeCount)),
  conclusionText(reconciliation),
];

const adviceLines = (hasProbable: boolean, appChangeCount: number): string[] => [
  ...(hasProbable
    ? [
        'Some of the rows are probably known: --leave-probable takes them for the stored entries, and --decide decides row by row.',
      ]
    : []),
  ...(appChangeCount > 0
    ? [
        `${counted(appChangeCount, 'entry has', 'entries have')} to be looked at in the app: --corrections list.csv writes what to change.`,
      ]
    : []),
];

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
  state: OUTCOME_TEXTS[outcome],
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
