/** Outcomes of a push as the person who pushed sees them. */
import type { NewTransaction } from '../import/options.ts';
import type { Outcome } from '../push.ts';

/**
 * The outcomes, without conflicts that are none for a file: the stored entry has a category and the file names none. It was chosen in the
 * app, or by a rule of an earlier push.
 */
export function outcomesForFile(
  entries: readonly { entry: NewTransaction }[],
  outcomes: readonly Outcome[],
): Outcome[] {
  return outcomes.map((outcome, index) =>
    outcome.status === 'conflict' &&
    outcome.fields.every((field) => field === 'category') &&
    entries[index]?.entry.category === undefined
      ? { status: 'known', id: outcome.id }
      : outcome,
  );
}
