/** Rows to entries: the corrections, the category, the reference, and one last look at what the API would refuse. */

import { type Draft, type Drafts, isRead, type Problem, type ReadDraft } from '../drafts/draft.ts';
import { firstCodePoints } from '../files/cells.ts';
import {
  DESCRIPTION_LENGTH_MAX,
  type ImportOptions,
  type ImportResult,
  type NewTransaction,
  REFERENCE_LENGTH_MAX,
  type ReadEntry,
} from '../options.ts';
import { referenceDeriver } from '../values/reference.ts';
import { unlikelyDates } from '../values/unlikely-dates.ts';
import { categoryChooser } from './category-choice.ts';
import { type CorrectionReader, correctedDraft, correctionsByRow } from './corrections.ts';

/** How the file was read, which holds for corrections too. */
export type Reading = Omit<CorrectionReader, 'columnNames'>;
type Outcome = { entry: NewTransaction } | { skipped: string } | { problems: Problem[] };
/** A row that has a reference first. */
interface Claim {
  row: number;
  entry: NewTransaction;
  isLeftOut: boolean;
}

/**
 * The outcome of each row. References and repeated references are found in the file as it is, before any correction: a correction
 * changes no reference of a row that can be read. Rows that only a correction makes readable come after all others.
 * @throws ImportError `unknown_category`, `invalid_rules`
 */
export function entriesOfDrafts(
  { drafts, columnNames }: Drafts,
  reading: Reading,
  options: ImportOptions,
  references: Map<string, string>,
): Pick<ImportResult, 'rows' | 'entries' | 'skipped' | 'invalid' | 'warnings' | 'unread'> {
  const correctionOf = correctionsByRow(options);
  const outcomeOf = outcomeReader(options, columnNames.category);
  const derive = referenceDeriver(references);
  const claims = new Map<string, Claim>();
  const referenceOf = (draft: ReadDraft) => {
    const { reference, id, date, type, pence } = draft;
    const description = draft.withoutNotes ?? draft.description;
    const account = options.accountLabel ?? draft.account;
    // A stored entry without a reference is named by its id.
    const named = reference ?? (id === undefined ? undefined : `ledger-${id.slice(0, 64)}`);
    return named ?? derive({ account, date, type, pence, description });
  };
  const claimed = (draft: Draft, entry: NewTransaction, reference: string, isLeftOut: boolean): Outcome => {
    const earlier = claims.get(reference);
    if (!earlier || (earlier.isLeftOut && !isSameContent(earlier.entry, entry))) {
      claims.set(reference, { row: draft.row, entry, isLeftOut });
      return { entry };
    }
    return isSameContent(earlier.entry, entry)
      ? { skipped: `It repeats row ${earlier.row}, with the same reference.` }
      : { problems: [repeatedReference(draft, reference, earlier.row)] };
  };

  const inFile = drafts.map((draft) => {
    const correction = correctionOf(draft.row);
    const isLeftOut = correction?.isLeftOut ?? false;
    const outcome = outcomeOf(draft);
    const reference = isRead(draft) ? referenceOf(draft) : undefined;
    if (!('entry' in outcome) || reference === undefined) return { draft, correction, reference, outcome };
    const checked = claimed(draft, outcome.entry, reference, isLeftOut);
    return { draft, correction, reference, outcome: checked, isSettled: !('entry' in checked) };
  });

  const result = { rows: drafts.length, entries: [], skipped: [], invalid: [], unread: [] } as Omit<
    ReturnType<typeof entriesOfDrafts>,
    'warnings'
  >;
  for (const { draft, correction, reference, outcome, isSettled } of inFile) {
    const { row } = draft;
    let final = outcome;
    let shown = draft;
    let externalRef = reference;
    if (correction?.isLeftOut) final = { skipped: 'It is left out.' };
    else if (correction && !isSettled) {
      shown = correctedDraft(draft, correction, { ...reading, columnNames });
      final = outcomeOf(shown);
      if ('entry' in final && !('entry' in outcome)) {
        externalRef ??= referenceOf(shown as ReadDraft);
        final = claimed(shown, final.entry, externalRef, false);
      }
    }
    if ('entry' in final) {
      const { id, reference: own } = draft;
      const { entry } = final;
      if (externalRef !== undefined) entry.externalRef = externalRef;
      result.entries.push({
        row,
        entry,
        isReferenceDerived: own === undefined,
        ...earlierOf(shown, entry),
        ...(id !== undefined && { id }),
      });
      continue;
    }
    result.unread.push({ row, ...shown.texts() });
    if ('skipped' in final) result.skipped.push({ row, reason: final.skipped });
    else for (const problem of final.problems) result.invalid.push({ row, ...problem });
  }
  return { ...result, warnings: unlikelyDates(result.entries) };
}

/** An entry that was sent before notes were read has the description without them. */
function earlierOf({ withoutNotes }: Draft, { description }: NewTransaction): Pick<ReadEntry, 'earlier'> {
  if (withoutNotes === undefined) return {};
  const earlier = firstCodePoints(withoutNotes, DESCRIPTION_LENGTH_MAX);
  return earlier === description ? {} : { earlier: { description: earlier } };
}

function isSameContent(one: NewTransaction, two: NewTransaction): boolean {
  const names = ['date', 'type', 'amountPence', 'category', 'description'] as const;
  return names.every((name) => one[name] === two[name]);
}

/** What a row is without regard to other rows. The entry has no reference yet. */
function outcomeReader(options: ImportOptions, categoryColumn = 'category'): (draft: Draft) => Outcome {
  const chooseCategory = categoryChooser(options, categoryColumn);
  return (draft) => {
    const problems = [...draft.problems];
    if (draft.skipReason !== undefined) return { skipped: draft.skipReason };
    const tooLong = referenceProblem(draft);
    if (tooLong) problems.push(tooLong);
    const { date, type, pence, description } = draft;
    const category = chooseCategory(draft);
    if (category && 'message' in category) problems.push(category);
    if (problems.length > 0 || date === undefined || type === undefined || pence === undefined) {
      return { problems };
    }
    const entry: NewTransaction = { date, type, amountPence: pence };
    if (category && 'key' in category) entry.category = category.key;
    if (description !== '') entry.description = firstCodePoints(description, DESCRIPTION_LENGTH_MAX);
    return { entry };
  };
}

function repeatedReference({ referenceColumn }: Draft, value: string, row: number): Problem {
  const message = `Row ${row} has this reference with other content.`;
  return { field: 'reference', column: referenceColumn ?? 'reference', value, message };
}

function referenceProblem({ reference, referenceColumn }: Draft): Problem | undefined {
  if (reference === undefined || firstCodePoints(reference, REFERENCE_LENGTH_MAX) === reference)
    return undefined;
  const message = `The reference is longer than ${REFERENCE_LENGTH_MAX} characters.`;
  return {
    field: 'reference',
    column: referenceColumn ?? 'reference',
    value: reference.slice(0, 200),
    message,
  };
}
