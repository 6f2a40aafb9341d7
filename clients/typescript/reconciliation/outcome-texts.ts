/** Texts for people about the outcomes of rows. */

import { counted } from '../counted.ts';
import { groupBy } from '../group-by.ts';
import { FIELD_WORDS } from '../match/compared-entry.ts';
import { countedRows, rowName } from '../match/row.ts';
import {
  FAILURES,
  type ReconciledOutcome,
  type ReconciledRow,
  type Reconciliation,
} from './reconciliation.ts';

export const OUTCOME_TEXTS: Record<ReconciledOutcome, string> = {
  'in the books': 'in the books',
  'known by decision': 'known by decision',
  'left out': 'left out by the rules',
  'left out by hand': 'left out by hand',
  skipped: 'skipped',
  repeated: 'in another file too',
  missing: 'missing',
  different: 'stored in another way',
  'in another source': 'in another source',
  'reference taken': 'with the reference of another entry',
  'left out and stored': 'left out and in the books',
  'left out, and an entry of the day has its description':
    'left out, and an entry of the day has its description',
  'skipped, and an entry of the day has its description':
    'skipped, and an entry of the day has its description',
  invalid: 'invalid',
};

/** Advice for a row that makes no entry, beside an entry of its day. */
export const HOW_TO_MEND =
  'If the row was changed after the push, take the file from the bank again. If the entry is of another file, name that file too. If a rule is wrong, correct it.';

const outcomeText = (count: number, outcome: ReconciledOutcome) =>
  `${countedRows(count)} ${OUTCOME_TEXTS[outcome]}`;

/** The outcomes of the rows of a file. */
export function outcomesText(rows: readonly ReconciledRow[]): string {
  const groups = groupBy(rows, ({ outcome }) => outcome);
  const texts = (Object.keys(OUTCOME_TEXTS) as ReconciledOutcome[]).flatMap((outcome) => {
    const count = groups.get(outcome)?.length;
    return count === undefined ? [] : outcomeText(count, outcome);
  });
  return texts.length > 0 ? texts.join(', ') : 'no rows';
}

/** Whether the files are reconciled, as sentences. */
export function conclusionText(reconciliation: Reconciliation): string {
  if (!reconciliation.isReconciled) return `Not reconciled: ${failuresText(reconciliation)}.`;
  const { length } = reconciliation.otherEntries;
  const have = counted(length, 'entry of the period has', 'entries of the period have', inEnglish);
  const others = length === 0 ? '' : ` ${have} nothing to do with these files.`;
  return `Reconciled: every row is accounted for.${others}`;
}

const inEnglish = (count: number) => count.toLocaleString('en');

/** Why files are not reconciled. */
function failuresText(reconciliation: Pick<Reconciliation, 'counts' | 'breaks' | 'gone'>): string {
  const { counts, breaks, gone } = reconciliation;
  const texts = FAILURES.flatMap((outcome) => {
    const count = counts[outcome];
    return count === undefined ? [] : outcomeText(count, outcome);
  });
  const addEntries = (entries: typeof gone, which: string) =>
    entries.length > 0 && texts.push(`${counted(entries.length, 'entry', 'entries')} that ${which}`);
  addEntries(
    gone.filter(({ other }) => !other),
    'no row is',
  );
  addEntries(
    gone.filter(({ other }) => other),
    'another file lacks',
  );
  if (breaks > 0) texts.push(counted(breaks, 'balance does not follow', 'balances do not follow'));
  return texts.join(', ');
}

/** Why a row is not accounted for. */
export function failureReason(row: Omit<ReconciledRow, 'row' | 'outcome'>): string {
  const { reasons = [], entries = [], rule, leftOut, entriesOfDay } = row;
  const fields = new Set(entries.flatMap((entry) => entry.fields ?? []));
  if (fields.has('split')) return 'it is split in another way';
  if (fields.size > 0) return `differs in ${[...fields].map((field) => FIELD_WORDS[field]).join(', ')}`;
  const why = rule && leftOut ? `rule "${rule.text}"` : (reasons[0] ?? '');
  return entriesOfDay ? `${why} entry ${entriesOfDay.join(', ')}` : why;
}

/** Why an entry is gone. */
export function goneText({ file, row, other, isCertain }: Reconciliation['gone'][number]): string {
  if (other) return `It is ${rowName(other)}, and ${file} does not have it. Reconcile the right file alone.`;
  if (row !== undefined) return `It may be a second record of ${rowName({ row, file })}.`;
  return isCertain
    ? `${file} has all payments of its account on this day, and not this one.`
    : `${file} does not have it, although it has payments of these days. If the file is the whole statement of an account, remove the entry.`;
}
