/** Outcomes of a push, as shown to the user. */
import type { NewTransaction } from '../import/options.ts';
import type { Outcome } from '../push.ts';
import type { Source } from '../resources.ts';
import type { ComparedRow, Comparison } from './comparison.ts';
import { isSent } from './match-status.ts';
import type { StoredEntry } from './stored-books.ts';

/** The outcome of a row. `elsewhere`: it is in another source. Neither such rows nor probably known ones were sent. */
export type RowOutcome =
  | Outcome
  | { status: 'elsewhere'; id: string; source: Source }
  | { status: 'probably known' | 'probably a correction'; id: string; stored: StoredEntry['stored'] };

/** The outcome of each row of a file. Only new rows are sent; undefined for a new row that was not. */
export function outcomesOfRows(
  { rows }: Comparison,
  sent: readonly (Outcome | undefined)[] = [],
): (RowOutcome | undefined)[] {
  let next = 0;
  return rows.map((row) => (isSent(row) ? sent[next++] : outcomeInBooks(row)));
}

/** The outcome of a row that is not sent, from the comparison. */
export function outcomeInBooks({ matchStatus, stored, source, fields, probably }: ComparedRow): RowOutcome {
  if (probably) {
    const { stored: of, isEarlierVersion } = probably;
    return { status: isEarlierVersion ? 'probably a correction' : 'probably known', id: of.id, stored: of };
  }
  const id = stored?.id ?? '';
  if (source) return { status: 'elsewhere', id, source };
  return matchStatus === 'conflict' && fields ? { status: 'conflict', id, fields } : { status: 'known', id };
}

/**
 * The outcomes, with conflicts over a category that the file does not name as known. The app, or a rule of an earlier push, chose the
 * stored category.
 */
export function outcomesForFile<Each extends Outcome | undefined>(
  entries: readonly { entry: NewTransaction }[],
  outcomes: readonly Each[],
): (Each | Outcome)[] {
  return outcomes.map((outcome, index) =>
    outcome?.status === 'conflict' &&
    outcome.fields.every((field) => field === 'category') &&
    entries[index]?.entry.category === undefined
      ? { status: 'known', id: outcome.id }
      : outcome,
  );
}
