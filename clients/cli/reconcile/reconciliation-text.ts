/** A reconciliation for people: the outcomes of the rows, the rows that are not accounted for, and the entries from elsewhere. */
import { pounds } from '../../typescript/books/pounds.ts';
import { HOW_TO_MEND } from '../../typescript/reconciliation/entries-of-day.ts';
import {
  failuresText,
  OUTCOMES,
  outcomesText,
  reasonOf,
} from '../../typescript/reconciliation/outcome-texts.ts';
import {
  FAILURES,
  type ReconciledFile,
  type Reconciliation,
} from '../../typescript/reconciliation/reconciliation.ts';
import type { ReconciledRow } from '../../typescript/reconciliation/rows.ts';
import { balanceLines } from '../balance-lines.ts';
import { counted, startOf, table } from '../output.ts';

const SHOWN = 20;

/**
 * @param isUndecided whether rows need a decision
 * @param corrections entries to change in the app, if the user did not request the list
 */
export function reconciliationLines(
  reconciliation: Reconciliation,
  { isUndecided, corrections }: { isUndecided: boolean; corrections: number },
): string[] {
  const lines = reconciliation.files.flatMap(fileLines);
  lines.push(...elsewhereLines(reconciliation), ...earlierLines(reconciliation));
  if (reconciliation.isReconciled) {
    const { length } = reconciliation.fromElsewhere;
    const of = counted(length, 'entry of the period has', 'entries of the period have');
    const beside = length === 0 ? '' : ` ${of} nothing to do with these files.`;
    return [...lines, `Reconciled: every row is accounted for.${beside}`];
  }
  return [
    ...lines,
    ...(isUndecided
      ? [
          'Some of the rows are probably known: --leave-probable treats them as known, and --decide decides row by row.',
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

function fileLines({ name, balances, rows }: ReconciledFile): string[] {
  const failed = rows.filter(({ outcome }) => FAILURES.includes(outcome));
  return [
    `${name}: ${outcomesText(rows)}.`,
    ...balanceLines(balances, true),
    ...table(failed.slice(0, SHOWN).map(failedRow)),
    ...(failed.length > SHOWN ? [`… and ${failed.length - SHOWN} more: --report has all`] : []),
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
  description: startOf(description),
  why: reasonOf(more),
});

function elsewhereLines({ fromElsewhere, sources, period }: Reconciliation): string[] {
  if (fromElsewhere.length === 0 || !period) return [];
  const rows = fromElsewhere
    .slice(0, SHOWN)
    .map(({ date, type, amountPence, description, sourceId, id }) => ({
      source: sources.find((each) => each.id === sourceId)?.name ?? '',
      ...{ date, type, amount: pounds(amountPence), description: startOf(description ?? ''), id },
    }));
  const more = fromElsewhere.length - SHOWN;
  return [
    `${counted(fromElsewhere.length, 'entry', 'entries')} from ${period.from} to ${period.to} ${fromElsewhere.length === 1 ? 'comes' : 'come'} from elsewhere, not from these files:`,
    ...table(rows),
    ...(more > 0 ? [`… and ${more} more: --report has all`] : []),
    '',
  ];
}

/** Entries that a row may have replaced. */
function earlierLines({ earlierVersions }: Reconciliation): string[] {
  if (earlierVersions.length === 0) return [];
  const texts = earlierVersions
    .slice(0, SHOWN)
    .map(({ id, file, row }) => `  ${id} may be an earlier version of row ${row} of ${file}`);
  const more = earlierVersions.length - SHOWN;
  return [
    'The amount or the description of a row, and almost its date:',
    ...texts,
    ...(more > 0 ? [`  … and ${more} more: --report has all`] : []),
    'If another file has the entry, name that file too. If both are payments, say so with --decide.',
    '',
  ];
}
