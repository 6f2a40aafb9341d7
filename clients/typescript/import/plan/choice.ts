/** The decision about a row: its source and category, one entry or parts, left out, or a question to a person. */

import type { Draft, Problem } from '../drafts/draft.ts';
import {
  ImportError,
  type ImportOptionName,
  type ImportOptions,
  type PlanSource,
  type RowCorrection,
} from '../options.ts';
import type { CategoryReader } from './category.ts';
import type { Choice, Chosen, ChosenPart, Payment } from './chosen.ts';
import {
  type CompiledDecision,
  type CompiledPart,
  type CompiledRule,
  namesOf,
  OTHER_TYPE,
  type RuleMatches,
} from './compiled-rules.ts';
import { ASKS, refused, ruledCategory, wrongAmount } from './problems.ts';
import { partChooser, requireNames } from './several-amounts.ts';
import { sourceNamed } from './sources.ts';
import { type EntryType, splitPayment } from './split.ts';

type SourceAssignment = Pick<Chosen, 'source' | 'isSourceChosen'>;

interface Names {
  category: string | undefined;
  source: string | undefined;
}

/**
 * Decides about a row with a type and an amount: by the file or the correction, then by the first rule that matches, then by the source of
 * the options and the default category of the type.
 * @throws ImportError `unknown_category`, `invalid_rules`, `invalid_option`
 */
export function chooser(
  options: ImportOptions,
  columns: Names,
  matches: RuleMatches,
): (draft: Draft, correction?: RowCorrection) => Choice | undefined {
  const { sources } = options;
  const plan = namesOf(options);
  const rules = matches.use(options, plan);
  const defaultSource =
    sources && options.source !== undefined ? ownSource(sources, options.source) : undefined;
  const defaultCategory = defaultsOf(options, plan, defaultSource);
  requireNames(options, plan);
  const choosePart = partChooser({ ...plan, rules, sourceOf, wrongName, defaultCategory });

  return (draft, correction) => {
    const rule = rules.of(draft);
    const decision = rule?.decision;
    if (rule && decision?.kind === 'leave out' && !isTaken(correction)) return leftOut(draft, rule);
    if (draft.parts && isPayment(draft)) return choosePart(draft, draft.parts, rule, correction);
    if (decision?.kind === 'ask' && draft.source === undefined) return refused(draft, rule, ASKS);
    // A category chosen by a person overrides a split.
    if (decision?.kind === 'split' && correction?.category === undefined && isPayment(draft)) {
      const hasOwn = decision.parts.some(({ source }) => source !== undefined);
      const isOfParts = hasOwn && decision.source === undefined && draft.source === undefined;
      const assigned = isOfParts ? OF_PARTS : sourceOf(draft, decision, correction);
      if ('problem' in assigned) return assigned;
      // A source that a person chooses holds for all parts.
      const isForAll = correction?.source !== undefined;
      const rules = isForAll
        ? decision.parts.map((part) => ({ ...part, source: undefined }))
        : decision.parts;
      const parts = partsOf(draft, rule, rules, ({ source }) => plan.readerOf(source ?? assigned.source));
      return 'problem' in parts ? parts : { ...assigned, rule: rule?.line, ...parts };
    }
    const assigned = sourceOf(draft, decision, correction);
    if ('problem' in assigned) return assigned;
    const chosen = { ...assigned, rule: rule?.line };
    const reader = plan.readerOf(assigned.source);
    const own = categoryOf(draft, rule, reader, correction);
    if (!own || 'problem' in own) return own;
    if (!isPayment(draft)) return undefined;
    const { type, pence } = draft;
    const category = own.key === DEFAULT ? defaultCategory(assigned.source, type) : own.key;
    const refundOf = own.refundOf === undefined ? {} : { refundOf: own.refundOf };
    const part = { number: undefined, type, pence, category, isLeftOut: false, ...refundOf };
    return { ...chosen, parts: [part] };
  };

  /** The source by the file or a correction, else by the rule, else by the options. */
  function sourceOf(
    draft: Draft,
    decision: CompiledDecision | undefined,
    correction: RowCorrection | undefined,
  ): SourceAssignment | { problem: Problem } {
    if (sources && draft.source !== undefined) {
      const read = sourceNamed(sources, draft.source);
      if ('source' in read) return { source: read.source, isSourceChosen: true };
      return wrongName('source', draft.source, read.problem, draft, correction);
    }
    const ruled = decision && 'source' in decision ? decision.source : undefined;
    if (ruled) return { source: ruled, isSourceChosen: true };
    if (!sources || defaultSource || !isPayment(draft))
      return { source: defaultSource, isSourceChosen: false };
    const message = 'Nothing decides where this row belongs: add a rule, or choose a property or business.';
    const value = draft.description.slice(0, 200);
    return { problem: { field: 'source', column: 'rules', value, message, option: 'rules' } };
  }

  /** The key by the file or a correction, else by the rule; undefined if it depends on a missing type. */
  function categoryOf(
    draft: Draft,
    rule: CompiledRule | undefined,
    reader: CategoryReader,
    correction: RowCorrection | undefined,
  ): { key: string | typeof DEFAULT | undefined; refundOf?: string } | { problem: Problem } | undefined {
    const { category, type, refundOf } = draft;
    if (category === '') return { key: undefined };
    if (category !== undefined) {
      const read = type === undefined ? { problem: reader.check(category) } : reader.read(category, type);
      if ('key' in read) return read;
      if (read.problem === undefined) return undefined;
      return wrongName('category', category, read.problem, draft, correction);
    }
    if (type === undefined) return undefined;
    if (refundOf !== undefined) {
      const read = reader.read(refundOf, OTHER_TYPE[type]);
      return 'key' in read
        ? { key: undefined, refundOf: read.key }
        : wrongAmount('category', refundOf, read.problem);
    }
    const decision = rule?.decision;
    if (decision?.kind !== 'entry' || decision.category === undefined) return { key: DEFAULT };
    if (!decision.isRefund) return ruledCategory(decision.category, type, rule, reader);
    // The entry has no category. Only the figures use the category of the refund.
    const refunded = reader.read(decision.category, OTHER_TYPE[type]);
    if ('key' in refunded) return { key: undefined, refundOf: refunded.key };
    return refused({ description: type }, rule, {
      field: 'type',
      message: `an entry that is ${type} is no refund of ${decision.category}; add "type is ${OTHER_TYPE[type]}" to the rule.`,
    });
  }

  /** The problem of a wrong name in the column, which the option `map` can leave out, or from a person. */
  function wrongName(
    field: 'source' | 'category',
    value: string,
    message: string,
    { isByAmounts }: Draft,
    correction: RowCorrection | undefined,
  ): { problem: Problem } {
    if (isByAmounts && correction?.[field] === undefined) return wrongAmount(field, value, message);
    if (correction?.[field] !== undefined) return { problem: { field, column: field, value, message } };
    return { problem: { field, column: columns[field] ?? field, value, message, option: 'map' } };
  }
}

/** Every part has a source of its own. */
const OF_PARTS: SourceAssignment = { source: undefined, isSourceChosen: true };

/** The default of the type, if there is one. */
const DEFAULT = Symbol('default');

const isPayment = (draft: Draft): draft is Payment => draft.type !== undefined && draft.pence !== undefined;

/** Whether a person keeps the row although a rule leaves it out. */
const isTaken = ({ source, category, isLeftOut }: RowCorrection = {}): boolean =>
  source !== undefined || category !== undefined || isLeftOut === false;

function leftOut(draft: Draft, { line }: CompiledRule): Chosen {
  const { type, pence } = draft as Payment;
  const part = { number: undefined, type, pence, category: undefined, isLeftOut: true };
  return { rule: line, source: undefined, isSourceChosen: true, parts: [part] };
}

function partsOf(
  draft: Payment,
  rule: CompiledRule | undefined,
  rules: readonly CompiledPart[],
  readerOf: (part: CompiledPart) => CategoryReader,
): Pick<Chosen, 'parts'> | { problem: Problem } {
  const split = splitPayment(draft, rules);
  if ('problem' in split) return refused(draft, rule, { field: 'amount', message: `${split.problem}.` });
  const parts: ChosenPart[] = [];
  for (const part of split) {
    const ruled = rules[part.number - 1] as CompiledPart;
    const read =
      part.category === undefined
        ? { key: undefined }
        : ruledCategory(part.category, part.type, rule, readerOf(ruled));
    if ('problem' in read) return read;
    const { source } = ruled;
    const own = source && { source, isSourceChosen: true as const };
    if (part.pence > 0) parts.push({ ...part, category: read.key, ...own });
  }
  return { parts };
}

function ownSource(sources: readonly PlanSource[], id: string): PlanSource {
  const source = sources.find((each) => each.id === id);
  if (!source) throw new ImportError('invalid_option', 'The source is none of the sources.', 'source');
  return source;
}

/** The default category of a type. It applies to each source that has this category. */
function defaultsOf(
  { sources, categoryIncome, categoryExpense }: ImportOptions,
  { readerOf }: ReturnType<typeof namesOf>,
  defaultSource: PlanSource | undefined,
): (source: PlanSource | undefined, type: EntryType) => string | undefined {
  const check = (text: string | undefined, type: EntryType, option: ImportOptionName) => {
    if (text === undefined) return;
    const candidates = defaultSource ? [defaultSource] : (sources ?? [undefined]);
    const reads = candidates.map((source) => readerOf(source).read(text, type));
    const [first] = reads;
    if (first && 'problem' in first && reads.every((read) => 'problem' in read))
      throw new ImportError('unknown_category', `The default category of ${type}: ${first.problem}`, option);
  };
  check(categoryIncome, 'income', 'categoryIncome');
  check(categoryExpense, 'expense', 'categoryExpense');
  return (source, type) => {
    const text = type === 'income' ? categoryIncome : categoryExpense;
    const read = text === undefined ? undefined : readerOf(source).read(text, type);
    return read && 'key' in read ? read.key : undefined;
  };
}
