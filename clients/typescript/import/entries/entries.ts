/** Turns rows into entries: corrections, source and category, the reference, and the limits of the API. */

import { type Draft, type Drafts, isRead, type Problem, type ReadDraft } from '../drafts/draft.ts';
import type { InPounds } from '../drafts/in-pounds.ts';
import { firstCodePoints } from '../files/cells.ts';
import {
  DESCRIPTION_LENGTH_MAX,
  type ImportOptions,
  type ImportResult,
  type LeftOut,
  type NewTransaction,
  type ReadEntry,
  type RowCorrection,
} from '../options.ts';
import { chooser } from '../plan/choice.ts';
import type { Chosen } from '../plan/chosen.ts';
import type { RuleMatches } from '../plan/compiled-rules.ts';
import { unlikelyDates } from '../values/unlikely-dates.ts';
import { type CorrectionReader, correctedDraft, correctionsByRow } from './corrections.ts';
import { equalInAnother, equalReference, referenceProblem, repeatedReference } from './reference-problems.ts';
import { rowReferences } from './references.ts';
import { isOfBank } from './shared-references.ts';

/** The notation of the file, which corrections share. */
export interface ParseContext extends Omit<CorrectionReader, 'columnNames'> {
  inPounds: InPounds;
}
type LeftOutPart = Omit<LeftOut, 'isReferenceDerived' | 'rowReference'>;
type Outcome =
  | { entries: Omit<ReadEntry, 'isReferenceDerived' | 'account'>[]; leftOut: LeftOutPart[]; content: string }
  | { skipped: string; rule?: number | undefined; isByHand?: true; leftOut?: LeftOutPart[] }
  | { problems: Problem[] };
/** The first row with a reference. */
interface Claim {
  row: number;
  statement: Draft['statement'];
  content: string;
  isLeftOut: boolean;
}

/**
 * The outcome of each row. References and repeated references are determined from the uncorrected file: a correction changes no
 * reference of a readable row. Rows that only a correction makes readable come after all others.
 * @throws ImportError `unknown_category`, `invalid_rules`
 */
export function entriesOfDrafts(
  { drafts, columnNames }: Drafts,
  context: ParseContext,
  options: ImportOptions,
  references: Map<string, string>,
  matches: RuleMatches,
): Pick<
  ImportResult,
  'rows' | 'entries' | 'skipped' | 'invalid' | 'warnings' | 'leftOut' | 'undecided' | 'unread'
> {
  const correctionOf = correctionsByRow(options);
  const outcomeOf = outcomeReader(options, columnNames, matches);
  const referenceOf = rowReferences(options, references);
  const claims = new Map<string, Claim>();
  const firstOfEqual = new Map<string, Pick<Draft, 'row' | 'statement'>>();
  const claimed = (
    draft: Draft,
    outcome: Outcome & { content: string },
    reference: string,
    isLeftOut: boolean,
  ): Outcome => {
    const { content } = outcome;
    if (draft.reference === undefined && draft.id === undefined && options.repeated === undefined) {
      const key = JSON.stringify([draft.account, content]);
      const first = firstOfEqual.get(key) ?? draft;
      firstOfEqual.set(key, first);
      if (first.statement !== draft.statement) return { problems: [equalInAnother(reference, first.row)] };
    }
    const earlier = claims.get(reference);
    if (!earlier || (earlier.isLeftOut && earlier.content !== content)) {
      claims.set(reference, { row: draft.row, content, isLeftOut, statement: draft.statement });
      return outcome;
    }
    if (earlier.content !== content) return { problems: [repeatedReference(draft, reference, earlier.row)] };
    // The external reference of an entry names it, and so does the reference of a payment in two statements. A bank's id may be made
    // of date and amount.
    const isSame =
      options.repeated === 'same' ||
      (options.repeated === undefined &&
        (!isOfBank(draft.referenceColumn) ||
          (draft.reference === undefined && draft.id !== undefined) ||
          earlier.statement !== draft.statement));
    return isSame
      ? { skipped: `It repeats row ${earlier.row}, with the same reference.` }
      : { problems: [equalReference(draft, reference, earlier.row)] };
  };

  const rowsByReference = new Map<string, number>();
  /** Gives the entries their references. The reference of a part may collide with a reference of the file. */
  const named = (
    draft: Draft,
    outcome: Extract<Outcome, { content: string }>,
    reference: string,
  ): Outcome => {
    const isDerived = draft.reference === undefined && draft.id === undefined;
    for (const [index, { entry, part }] of outcome.entries.entries()) {
      // The first part has the reference of the row, so that the service never stores a row both whole and in parts. With a reference
      // of the file, only its number shows suggestions that a part is not a whole row.
      const isFirst = index === 0 && (isDerived || outcome.entries.length > 1);
      entry.externalRef = part === undefined || isFirst ? reference : `${reference}#${part}`;
      const row = rowsByReference.get(entry.externalRef);
      if (row !== undefined) return { problems: [repeatedReference(draft, entry.externalRef, row)] };
    }
    for (const { entry } of outcome.entries) rowsByReference.set(entry.externalRef ?? '', draft.row);
    return outcome;
  };

  const inFile = drafts.map((draft) => {
    const correction = correctionOf(draft.row);
    const isLeftOut = correction?.isLeftOut ?? false;
    const outcome = outcomeOf(context.inPounds(draft));
    const references = isRead(draft) ? referenceOf(draft) : undefined;
    if (!('entries' in outcome) || !references) return { draft, correction, references, outcome };
    const checked = claimed(draft, outcome, references.rowReference, isLeftOut);
    return { draft, correction, references, outcome: checked, isFinal: !('entries' in checked) };
  });

  const lists = { entries: [], skipped: [], invalid: [], leftOut: [], undecided: [], unread: [] };
  const result: Omit<ReturnType<typeof entriesOfDrafts>, 'warnings'> = { rows: drafts.length, ...lists };
  for (const { draft, correction, references, outcome, isFinal } of inFile) {
    const { row } = draft;
    let final = outcome;
    let shown = draft;
    let ofRow = references;
    if (correction?.isLeftOut) final = { skipped: 'It is left out.', isByHand: true };
    else if (correction && !isFinal) {
      shown = correctedDraft(draft, correction, { ...context, columnNames });
      final = outcomeOf(context.inPounds(shown), correction);
      if ('entries' in final && !('entries' in outcome)) {
        ofRow ??= referenceOf(shown as ReadDraft);
        final = claimed(shown, final, ofRow.rowReference, false);
      }
    }
    if ('entries' in final && ofRow) final = named(shown, final, ofRow.rowReference);
    const { id, reference: own } = draft;
    const ofFile = {
      isReferenceDerived: own === undefined,
      account: options.accountLabel ?? draft.account,
      ...(id !== undefined && { id }),
    };
    const { rowReference, ...others } = ofRow ?? {};
    const byHand = 'isByHand' in final && ofRow ? context.inPounds(draft) : undefined;
    if (byHand && isRead(byHand)) {
      const { isReferenceDerived } = ofFile;
      result.leftOut.push({ row, ...describedOf(byHand), isReferenceDerived, ...ofRow });
    }
    if ('leftOut' in final) {
      const { isReferenceDerived } = ofFile;
      for (const each of final.leftOut ?? []) result.leftOut.push({ ...each, isReferenceDerived, ...ofRow });
    }
    if ('entries' in final) {
      for (const { entry, part, ...chosen } of final.entries) {
        const partOf = part === undefined ? {} : { part, rowReference };
        result.entries.push({
          ...chosen,
          entry,
          ...ofFile,
          ...others,
          ...(partOf as Pick<ReadEntry, 'part' | 'rowReference'>),
          ...earlierOf(shown, entry),
        });
      }
      continue;
    }
    result.unread.push({ row, ...shown.texts() });
    if ('skipped' in final) {
      const { skipped: reason, rule, isByHand } = final;
      result.skipped.push({
        row,
        reason,
        ...(rule !== undefined && { rule }),
        ...(isByHand && { isByHand }),
      });
      continue;
    }
    for (const problem of final.problems) result.invalid.push({ row, ...problem });
    const isUndecided = final.problems.every(({ field, option }) => field === 'source' && option === 'rules');
    if (!isUndecided || !isRead(shown) || !ofRow) continue;
    const described = describedOf(context.inPounds(shown) as ReadDraft);
    const { category } = shown;
    const ofShown = { ...(category !== undefined && { category }), ...earlierOf(shown, described) };
    result.undecided.push({ row, ...described, ...ofRow, ...ofFile, ...ofShown });
  }
  return { ...result, warnings: unlikelyDates(result.entries) };
}

/** The entry as an earlier version sent it, with the description of that version. */
function earlierOf(
  { earlier, currency }: Draft,
  { description = '' }: Pick<NewTransaction, 'description'>,
): Pick<ReadEntry, 'earlier'> {
  // No earlier version read other currencies.
  if (!earlier || currency !== undefined) return {};
  const text = firstCodePoints(earlier.description, DESCRIPTION_LENGTH_MAX);
  return text === description ? {} : { earlier: { description: text } };
}

/** The outcome of a row on its own. The entries have no reference yet. */
function outcomeReader(
  options: ImportOptions,
  columns: Drafts['columnNames'],
  matches: RuleMatches,
): (draft: Draft, correction?: RowCorrection) => Outcome {
  const choose = chooser(options, { category: columns.category, source: columns.source }, matches);
  return (draft, correction) => {
    const problems = [...draft.problems];
    if (draft.skipReason !== undefined) return { skipped: draft.skipReason };
    const choice = choose(draft, correction);
    if (choice && 'problem' in choice) problems.push(choice.problem);
    const parts = choice && 'parts' in choice ? choice.parts : [];
    const tooLong = referenceProblem(draft, Math.max(0, ...parts.map(({ number = 0 }) => number)));
    if (tooLong) problems.push(tooLong);
    const { date } = draft;
    if (problems.length > 0 || date === undefined || !choice || 'problem' in choice) return { problems };
    return entriesOf({ ...draft, date }, choice);
  };
}

/** The entries of a row, and the parts that a rule leaves out. */
function entriesOf(
  draft: Draft & { date: string },
  { rule, source, isSourceChosen, parts }: Chosen,
): Outcome {
  const { row, date, type, pence, conversion } = draft;
  const converted = conversion && { conversion };
  const decided = {
    ...converted,
    ...(source && { source, isSourceChosen }),
    ...(rule !== undefined && { rule }),
  };
  const entries: Omit<ReadEntry, 'isReferenceDerived' | 'account'>[] = [];
  const leftOut: LeftOutPart[] = [];
  for (const { number, type, pence, category, isLeftOut, ...own } of parts) {
    const partOf = number === undefined ? {} : { part: number };
    const description = descriptionOf({ description: draft.description, ...converted, ...own });
    const line = own.rule ?? rule;
    if (isLeftOut && line !== undefined) {
      leftOut.push({ row, ...partOf, rule: line, date, type, amountPence: pence, description });
      continue;
    }
    const entry: NewTransaction = { date, type, amountPence: pence };
    if (category !== undefined) entry.category = category;
    if (description !== '') entry.description = description;
    entries.push({ row, entry, ...decided, ...own, ...partOf });
  }
  if (entries.length === 0) {
    const line = leftOut[0]?.rule;
    return { skipped: `Line ${line} of the rules leaves it out.`, rule: line, leftOut };
  }
  const amounts = draft.parts?.map((part) => [part.type, part.pence]) ?? [];
  const categories = entries.map(({ entry }) => entry.category ?? null);
  const content = [date, type, pence, ...amounts, categories, descriptionOf(draft)];
  return { entries, leftOut, content: JSON.stringify(content) };
}

const describedOf = (draft: ReadDraft) => ({
  date: draft.date,
  type: draft.type,
  amountPence: draft.pence,
  description: descriptionOf(draft),
});

/** The description of the entries of a row. */
const descriptionOf = ({ description, conversion }: Pick<Draft, 'description' | 'conversion'>) =>
  conversion ? withText(description, conversion.text) : firstCodePoints(description, DESCRIPTION_LENGTH_MAX);

/** Joins both texts, and shortens the first to fit. */
function withText(text: string, last: string): string {
  const first = firstCodePoints(text, DESCRIPTION_LENGTH_MAX - last.length - ' - '.length);
  return first === '' ? last : `${first} - ${last}`;
}
