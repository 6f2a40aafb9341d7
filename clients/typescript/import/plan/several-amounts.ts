/**
 * The decision about a row with several amounts. The first rule that matches the sum of the row decides about its source, and leaves the whole
 * row out. For each amount, the first rule that matches it or the row decides about its category.
 */
import type { Draft, DraftPart, Problem } from '../drafts/draft.ts';
import { ImportError, type ImportOptions, type PlanSource, type RowCorrection } from '../options.ts';
import type { Choice, ChosenPart, Payment } from './chosen.ts';
import {
  type CompiledDecision,
  type CompiledRule,
  type namesOf,
  OTHER_TYPE,
  type RuleMatches,
} from './compiled-rules.ts';
import { ASKS, refused, ruledCategory, wrongAmount } from './problems.ts';
import { sourceNamed } from './sources.ts';
import type { EntryType } from './split.ts';

type Plan = ReturnType<typeof namesOf>;
interface Assigned {
  source: PlanSource | undefined;
  isSourceChosen: boolean;
}

interface Parts extends Plan {
  rules: RuleMatches;
  /** The source by the file or a correction, else by the rule, else by the options. */
  sourceOf: (
    draft: Draft,
    decision: CompiledDecision | undefined,
    correction: RowCorrection | undefined,
  ) => Assigned | { problem: Problem };
  /** The problem of a wrong name in a column. */
  wrongName: (
    field: 'category',
    value: string,
    message: string,
    draft: Draft,
    correction: undefined,
  ) => { problem: Problem };
  defaultCategory: (source: PlanSource | undefined, type: EntryType) => string | undefined;
}

export function partChooser({ rules, sourceOf, wrongName, defaultCategory, readerOf, sources }: Parts) {
  return (
    draft: Payment,
    parts: readonly DraftPart[],
    rowRule: CompiledRule | undefined,
    correction: RowCorrection | undefined,
  ): Choice => {
    const chosen: ChosenPart[] = [];
    for (const [index, part] of parts.entries()) {
      const found = [rowRule, rules.of(draft, part)].filter((rule) => rule !== undefined);
      const inOrder = found.sort((one, two) => one.line - two.line);
      const choice = chooseOne(draft, part, rowRule, inOrder, correction);
      if ('problem' in choice) return choice;
      const { type, pence, conversion } = part;
      const [rule] = inOrder;
      chosen.push({
        number: index + 1,
        type,
        pence,
        category: undefined,
        isLeftOut: false,
        ...(conversion && { conversion }),
        ...(rule && { rule: rule.line }),
        ...choice,
      });
    }
    const rule = rowRule?.line ?? chosen[0]?.rule;
    return { rule, source: undefined, isSourceChosen: true, parts: chosen };
  };

  function chooseOne(
    draft: Payment,
    part: DraftPart,
    rowRule: CompiledRule | undefined,
    inOrder: readonly CompiledRule[],
    correction: RowCorrection | undefined,
  ): Partial<ChosenPart> | { problem: Problem } {
    const [first] = inOrder;
    const split = [rowRule, first].find((rule) => rule?.decision.kind === 'split');
    if (split) {
      const message = 'a row with several amounts cannot be split; its columns say what its entries are.';
      return refused(draft, split, { field: 'amount', message });
    }
    const isTaken = correction?.source !== undefined || correction?.isLeftOut === false;
    if (first?.decision.kind === 'leave out' && !isTaken) return { isLeftOut: true };
    const assigned = assignedTo(draft, part, rowRule, first, correction);
    if ('problem' in assigned) return assigned;
    const category = categoryOf(draft, part, inOrder, assigned.source);
    const { source, isSourceChosen } = assigned;
    return 'problem' in category ? category : { ...(source && { source, isSourceChosen }), ...category };
  }

  /** The source by a correction, by the option, by the file, by the rule of the row, by the rule of the amount, or the default. */
  function assignedTo(
    draft: Payment,
    part: DraftPart,
    rowRule: CompiledRule | undefined,
    first: CompiledRule | undefined,
    correction: RowCorrection | undefined,
  ): Assigned | { problem: Problem } {
    if (sources && part.source !== undefined && correction?.source === undefined) {
      const read = sourceNamed(sources, part.source);
      return 'source' in read
        ? { source: read.source, isSourceChosen: true }
        : wrongAmount('source', part.source, read.problem);
    }
    const ruled = [rowRule, first].find(sourceOfRule);
    const asking = [rowRule, first].find((rule) => rule?.decision.kind === 'ask');
    if (asking && !ruled && draft.source === undefined) return refused(draft, asking, ASKS);
    return sourceOf(draft, ruled?.decision, correction);
  }

  /** The category by the option, by the column, by a rule of its direction, or the default. */
  function categoryOf(
    draft: Payment,
    { type, category, isReversed }: DraftPart,
    inOrder: readonly CompiledRule[],
    source: PlanSource | undefined,
  ): Pick<ChosenPart, 'category' | 'refundOf'> | { problem: Problem } {
    const reader = readerOf(source);
    if (category !== undefined) {
      const read = reader.read(category, isReversed ? OTHER_TYPE[type] : type);
      if ('problem' in read) return wrongAmount('category', category, read.problem);
      return isReversed ? { category: undefined, refundOf: read.key } : { category: read.key };
    }
    if (draft.category === '') return { category: undefined };
    if (draft.category !== undefined) {
      const read = reader.read(draft.category, type);
      if ('key' in read) return { category: read.key };
      // A category of the other direction belongs to the other amounts.
      const problem = reader.check(draft.category);
      if (problem !== undefined) return wrongName('category', draft.category, problem, draft, undefined);
    }
    for (const rule of inOrder) {
      const { decision } = rule;
      if (decision.kind !== 'entry' || decision.category === undefined) continue;
      const { isRefund } = decision;
      const read = reader.read(decision.category, isRefund ? OTHER_TYPE[type] : type);
      if ('key' in read)
        return isRefund ? { category: undefined, refundOf: read.key } : { category: read.key };
      if (reader.check(decision.category) === undefined) continue;
      return ruledCategory(decision.category, type, rule, reader) as { problem: Problem };
    }
    return { category: defaultCategory(source, type) };
  }
}

const sourceOfRule = (rule: CompiledRule | undefined) =>
  rule && 'source' in rule.decision ? rule.decision.source : undefined;

/** @throws ImportError for a name that no source has, or a category that no source has in this direction */
export function requireNames({ amounts = [], sources }: ImportOptions, { readerOf }: Plan): void {
  for (const { category, source, direction } of amounts) {
    const named = sources && source ? sourceNamed(sources, source) : undefined;
    if (named && 'problem' in named) throw new ImportError('invalid_option', named.problem, 'amounts');
    if (!category) continue;
    const type = direction === 'in' ? 'income' : 'expense';
    const candidates = named ? [named.source] : (sources ?? [undefined]);
    const reads = candidates.map((each) => readerOf(each).read(category, type));
    const [first] = reads;
    if (first && 'problem' in first && reads.every((read) => 'problem' in read))
      throw new ImportError('unknown_category', first.problem, 'amounts');
  }
}
