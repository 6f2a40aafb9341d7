/**
 * Assigns a row with several amounts. The first rule that matches the sum of the row decides about its source, and leaves the whole row out.
 * For each amount, the first rule that matches it or the row decides about its category.
 */

import { ImportError } from '../import-error.ts';
import type { ImportOptions, SourceWithCategories } from '../options.ts';
import type { RowCorrection } from '../questions-and-answers.ts';
import type { RowAmount } from '../rows/parsed-row.ts';
import {
  type AssignContext,
  type AssignedPart,
  type AssignedSource,
  type Assignment,
  type PaymentRow,
  type Refused,
  sourceOf,
  wrongName,
} from './assignment.ts';
import { type CategoryReaders, OTHER_TYPE, requireCategory } from './category.ts';
import type { CompiledRule } from './compiled-rules.ts';
import { ASKS, ruledCategory, ruleProblem, wrongAmount } from './problems.ts';
import { sourceNamed } from './sources.ts';

/** The rules that match an amount. */
interface Matching {
  /** The rule of the row. */
  rowRule: CompiledRule | undefined;
  /** The rules of the row and of the amount, in the order of the file. */
  inOrder: readonly CompiledRule[];
}

export const amountsAssigner =
  (context: AssignContext) =>
  (
    parsed: PaymentRow,
    amounts: readonly RowAmount[],
    rowRule: CompiledRule | undefined,
    correction: RowCorrection | undefined,
  ): Assignment => {
    const parts: AssignedPart[] = [];
    for (const [index, amount] of amounts.entries()) {
      const found = [rowRule, context.rules.of(parsed, amount)].filter((rule) => rule !== undefined);
      const inOrder = found.sort((one, two) => one.line - two.line);
      const assigned = assignAmount(context, parsed, amount, { rowRule, inOrder }, correction);
      if ('problem' in assigned) return assigned;
      const { type, pence, conversion } = amount;
      const [rule] = inOrder;
      parts.push({
        number: index + 1,
        type,
        pence,
        category: undefined,
        isLeftOut: false,
        ...(conversion && { conversion }),
        ...(rule && { rule: rule.line }),
        ...assigned,
      });
    }
    const rule = rowRule?.line ?? parts[0]?.rule;
    return { rule, source: undefined, isSourceChosen: true, parts };
  };

function assignAmount(
  context: AssignContext,
  parsed: PaymentRow,
  amount: RowAmount,
  matching: Matching,
  correction: RowCorrection | undefined,
): Partial<AssignedPart> | Refused {
  const { rowRule, inOrder } = matching;
  const [first] = inOrder;
  const split = [rowRule, first].find((rule) => rule?.action.kind === 'split');
  if (split) {
    const message = 'a row with several amounts cannot be split; its columns say what its entries are.';
    return ruleProblem(parsed, split.line, { field: 'amount', message });
  }
  const isTaken = correction?.source !== undefined || correction?.isLeftOut === false;
  if (first?.action.kind === 'leave out' && !isTaken) return { isLeftOut: true };
  const assigned = sourceOfAmount(context, parsed, amount, matching, correction);
  if ('problem' in assigned) return assigned;
  const { source, isSourceChosen } = assigned;
  const category = categoryOfAmount(context, parsed, amount, inOrder, source);
  return 'problem' in category ? category : { ...(source && { source, isSourceChosen }), ...category };
}

/** The source by a correction, by the option, by the file, by the rule of the row, by the rule of the amount, or the default. */
function sourceOfAmount(
  context: AssignContext,
  parsed: PaymentRow,
  amount: RowAmount,
  { rowRule, inOrder: [first] }: Matching,
  correction: RowCorrection | undefined,
): AssignedSource | Refused {
  if (context.sources && amount.source !== undefined && correction?.source === undefined) {
    const read = sourceNamed(context.sources, amount.source);
    return 'source' in read
      ? { source: read.source, isSourceChosen: true }
      : wrongAmount('source', amount.source, read.problem);
  }
  const ruled = [rowRule, first].find(sourceOfRule);
  const asking = [rowRule, first].find((rule) => rule?.action.kind === 'ask');
  if (asking && !ruled && parsed.source === undefined) return ruleProblem(parsed, asking.line, ASKS);
  return sourceOf(context, parsed, ruled?.action, correction);
}

const sourceOfRule = (rule: CompiledRule | undefined) =>
  rule && 'source' in rule.action ? rule.action.source : undefined;

/** The category by the option, by the column, by a rule of its direction, or the default. */
function categoryOfAmount(
  context: AssignContext,
  parsed: PaymentRow,
  { type, category, isReversed }: RowAmount,
  inOrder: readonly CompiledRule[],
  source: SourceWithCategories | undefined,
): Pick<AssignedPart, 'category' | 'refundOf'> | Refused {
  const reader = context.readerOf(source);
  const assigned = (key: string, isRefund: boolean) =>
    isRefund ? { category: undefined, refundOf: key } : { category: key };
  if (category !== undefined) {
    const read = reader.read(category, isReversed ? OTHER_TYPE[type] : type);
    return 'key' in read ? assigned(read.key, isReversed) : wrongAmount('category', category, read.problem);
  }
  if (parsed.category === '') return { category: undefined };
  if (parsed.category !== undefined) {
    const read = reader.read(parsed.category, type);
    if ('key' in read) return { category: read.key };
    // A category of the other direction belongs to the other amounts.
    const message = reader.check(parsed.category);
    if (message !== undefined)
      return wrongName(context, 'category', { value: parsed.category, message }, parsed);
  }
  for (const rule of inOrder) {
    const { action } = rule;
    if (action.kind !== 'entry' || action.category === undefined) continue;
    const read = reader.read(action.category, action.isRefund ? OTHER_TYPE[type] : type);
    if ('key' in read) return assigned(read.key, action.isRefund);
    if (reader.check(action.category) === undefined) continue;
    return ruledCategory(action.category, type, rule.line, reader) as Refused;
  }
  return { category: context.defaultCategory(source, type) };
}

/** @throws ImportError for a name that no source has, or a category that no source has in this direction */
export function requireNames({ amounts = [], sources }: ImportOptions, readerOf: CategoryReaders): void {
  for (const { category, source, direction } of amounts) {
    const named = sources && source ? sourceNamed(sources, source) : undefined;
    if (named && 'problem' in named) throw new ImportError('invalid_option', named.problem, 'amounts');
    if (!category) continue;
    const candidates = named ? [named.source] : (sources ?? [undefined]);
    const type = direction === 'in' ? 'income' : 'expense';
    requireCategory(category, type, candidates.map(readerOf), { option: 'amounts' });
  }
}
