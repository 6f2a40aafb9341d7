/** Assigns a row to its source and category: one entry or parts, left out, or a question to a person. */

import { ImportError } from '../import-error.ts';
import type { ImportOptions, SourceWithCategories } from '../options.ts';
import type { RowCorrection } from '../questions-and-answers.ts';
import type { ParsedRow } from '../rows/parsed-row.ts';
import { amountsAssigner, requireNames } from './assign-amounts.ts';
import {
  type AssignContext,
  type AssignedPart,
  type AssignedRow,
  type AssignedSource,
  type Assignment,
  isPaymentRow,
  type PaymentRow,
  type Refused,
  sourceOf,
  wrongName,
} from './assignment.ts';
import { type CategoryReaders, categoryReaders, OTHER_TYPE, requireCategory } from './category.ts';
import type { CompiledAction, CompiledRule, RuleMatches } from './compiled-rules.ts';
import { ASKS, ruledCategory, ruleProblem, wrongAmount } from './problems.ts';
import { splitPayment } from './split.ts';

interface SplitRule {
  line: number | undefined;
  action: Extract<CompiledAction, { kind: 'split' }>;
}

/**
 * Assigns a row with a type and an amount: by the file or the correction, then by the first rule that matches, then by the source of the
 * options and the default category of the type.
 * @throws ImportError `unknown_category`, `invalid_rules`, `invalid_option`
 */
export function rowAssigner(
  options: ImportOptions,
  columns: AssignContext['columns'],
  matches: RuleMatches,
): (parsed: ParsedRow, correction?: RowCorrection) => Assignment | undefined {
  const { sources } = options;
  const readerOf = categoryReaders();
  const rules = matches.use(options);
  const defaultSource = defaultSourceOf(options);
  const defaultCategory = defaultsOf(options, readerOf, defaultSource);
  requireNames(options, readerOf);
  const context: AssignContext = { rules, sources, readerOf, columns, defaultSource, defaultCategory };
  const assignAmounts = amountsAssigner(context);

  return (parsed, correction) => {
    const rule = rules.of(parsed);
    const action = rule?.action;
    if (rule && action?.kind === 'leave out' && !isTaken(correction)) return leftOut(parsed, rule);
    if (parsed.amounts && isPaymentRow(parsed))
      return assignAmounts(parsed, parsed.amounts, rule, correction);
    if (action?.kind === 'ask' && parsed.source === undefined) return ruleProblem(parsed, rule?.line, ASKS);
    // A category chosen by a person overrides a split.
    if (action?.kind === 'split' && correction?.category === undefined && isPaymentRow(parsed)) {
      return assignParts(context, parsed, { line: rule?.line, action }, correction);
    }
    return assignWhole(context, parsed, rule, correction);
  };
}

/** Undefined if the row has no type or amount, and no problem. */
function assignWhole(
  context: AssignContext,
  parsed: ParsedRow,
  rule: CompiledRule | undefined,
  correction: RowCorrection | undefined,
): Assignment | undefined {
  const assigned = sourceOf(context, parsed, rule?.action, correction);
  if ('problem' in assigned) return assigned;
  const { source } = assigned;
  const own = assignedCategory(context, parsed, rule, source, correction);
  if (!own || 'problem' in own) return own;
  if (!isPaymentRow(parsed)) return undefined;
  const { type, pence } = parsed;
  const category = own.key === DEFAULT ? context.defaultCategory(source, type) : own.key;
  const refundOf = own.refundOf === undefined ? {} : { refundOf: own.refundOf };
  const part = { number: undefined, type, pence, category, isLeftOut: false, ...refundOf };
  return { ...assigned, rule: rule?.line, parts: [part] };
}

/** The key by the file or a correction, else by the rule; undefined if it depends on a missing type. */
function assignedCategory(
  context: AssignContext,
  parsed: ParsedRow,
  rule: CompiledRule | undefined,
  source: SourceWithCategories | undefined,
  correction: RowCorrection | undefined,
): { key: string | typeof DEFAULT | undefined; refundOf?: string } | Refused | undefined {
  const { category, type, refundOf } = parsed;
  const reader = context.readerOf(source);
  if (category === '') return { key: undefined };
  if (category !== undefined) {
    const read = type === undefined ? { problem: reader.check(category) } : reader.read(category, type);
    if ('key' in read) return read;
    if (read.problem === undefined) return undefined;
    return wrongName(context, 'category', { value: category, message: read.problem }, parsed, correction);
  }
  if (type === undefined) return undefined;
  if (refundOf !== undefined) {
    const read = reader.read(refundOf, OTHER_TYPE[type]);
    return 'key' in read
      ? { key: undefined, refundOf: read.key }
      : wrongAmount('category', refundOf, read.problem);
  }
  const action = rule?.action;
  if (action?.kind !== 'entry' || action.category === undefined) return { key: DEFAULT };
  if (!action.isRefund) return ruledCategory(action.category, type, rule?.line, reader);
  // The entry has no category. Only the figures use the category of the refund.
  const refunded = reader.read(action.category, OTHER_TYPE[type]);
  if ('key' in refunded) return { key: undefined, refundOf: refunded.key };
  return ruleProblem({ description: type }, rule?.line, {
    field: 'type',
    message: `an entry that is ${type} is no refund of ${action.category}; add "type is ${OTHER_TYPE[type]}" to the rule.`,
  });
}

/** Every part has a source of its own. */
const OF_PARTS: AssignedSource = { source: undefined, isSourceChosen: true };

/** The default of the type, if there is one. */
const DEFAULT = Symbol('default');

/** Whether a person keeps the row although a rule leaves it out. */
const isTaken = ({ source, category, isLeftOut }: RowCorrection = {}): boolean =>
  source !== undefined || category !== undefined || isLeftOut === false;

function leftOut(parsed: ParsedRow, { line }: CompiledRule): AssignedRow {
  const { type, pence } = parsed as PaymentRow;
  const part = { number: undefined, type, pence, category: undefined, isLeftOut: true };
  return { rule: line, source: undefined, isSourceChosen: true, parts: [part] };
}

/** The parts of a row that a rule splits. */
function assignParts(
  context: AssignContext,
  parsed: PaymentRow,
  { line, action }: SplitRule,
  correction: RowCorrection | undefined,
): Assignment {
  const hasOwn = action.parts.some(({ source }) => source !== undefined);
  const isOfParts = hasOwn && action.source === undefined && parsed.source === undefined;
  const assigned = isOfParts ? OF_PARTS : sourceOf(context, parsed, action, correction);
  if ('problem' in assigned) return assigned;
  const split = splitPayment(parsed, action.parts);
  if ('problem' in split) return ruleProblem(parsed, line, { field: 'amount', message: `${split.problem}.` });
  const parts: AssignedPart[] = [];
  for (const part of split) {
    // A source that a person chooses holds for all parts.
    const source = correction?.source === undefined ? action.parts[part.number - 1]?.source : undefined;
    const reader = context.readerOf(source ?? assigned.source);
    const { category, type } = part;
    const read = category === undefined ? { key: undefined } : ruledCategory(category, type, line, reader);
    if ('problem' in read) return read;
    const own = source && { source, isSourceChosen: true as const };
    if (part.pence > 0) parts.push({ ...part, category: read.key, ...own });
  }
  return { ...assigned, rule: line, parts };
}

function defaultSourceOf({ sources, source: id }: ImportOptions): SourceWithCategories | undefined {
  if (!sources || id === undefined) return undefined;
  const source = sources.find((each) => each.id === id);
  if (!source) throw new ImportError('invalid_option', 'The source is none of the sources.', 'source');
  return source;
}

/** The default category of a type. It applies to each source that has this category. */
function defaultsOf(
  { sources, categoryIncome, categoryExpense }: ImportOptions,
  readerOf: CategoryReaders,
  defaultSource: SourceWithCategories | undefined,
): AssignContext['defaultCategory'] {
  const readers = (defaultSource ? [defaultSource] : (sources ?? [undefined])).map(readerOf);
  for (const [type, text, option] of [
    ['income', categoryIncome, 'categoryIncome'],
    ['expense', categoryExpense, 'categoryExpense'],
  ] as const) {
    const prefix = `The default category of ${type}: `;
    if (text !== undefined) requireCategory(text, type, readers, { option, prefix });
  }
  return (source, type) => {
    const text = type === 'income' ? categoryIncome : categoryExpense;
    const read = text === undefined ? undefined : readerOf(source).read(text, type);
    return read && 'key' in read ? read.key : undefined;
  };
}
