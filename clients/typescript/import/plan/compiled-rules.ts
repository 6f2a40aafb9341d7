/** Rules with resolved names of sources and categories. */

import type { Draft, DraftPart } from '../drafts/draft.ts';
import { ImportError, type ImportOptions, type PlanSource, type RuleUse } from '../options.ts';
import { withoutConversion } from '../values/conversion.ts';
import { type CategoryReader, categoryReader } from './category.ts';
import { comparable, type Subject } from './conditions.ts';
import { entriesAreOf } from './entries-are.ts';
import { keptChoicesOf } from './kept-choices.ts';
import { keptClosings } from './kept-closings.ts';
import { propertyIdsOf } from './property-ids.ts';
import { invalid, parseRules, type Rule } from './rules.ts';
import { sourceNamed, sourcesNamed, sourcesNear } from './sources.ts';
import type { EntryType, Part } from './split.ts';
import { statedSumsOf } from './stated-sums.ts';

/** A decision with resolved names. */
export type CompiledDecision =
  | { kind: 'leave out' | 'ask' }
  | { kind: 'entry'; source: PlanSource | undefined; category: string | undefined; isRefund: boolean }
  | { kind: 'split'; source: PlanSource | undefined; parts: readonly CompiledPart[] };
export interface CompiledPart extends Part {
  source: PlanSource | undefined;
}
export type CompiledRule = Omit<Rule, 'decision'> & { decision: CompiledDecision };

/** @throws ImportError `invalid_rules` */
export function compiledRules(
  text: string,
  { compile, sources }: ReturnType<typeof namesOf>,
): CompiledRule[] {
  if (sources) for (const read of [entriesAreOf, propertyIdsOf, statedSumsOf]) read(text, sources);
  keptChoicesOf(text);
  keptClosings(text);
  return parseRules(text).map((rule) => ({ ...rule, decision: compile(rule) }));
}

/** The matching rule of each row, kept between readings of a file: matching many rules takes most of the time. */
export class RuleMatches {
  #key: string | undefined;
  #rules: CompiledRule[] = [];
  #matches = new WeakMap<Draft | DraftPart, CompiledRule | false>();
  #uses: { drafts: readonly Draft[]; uses: RuleUse[] } | undefined;

  /** Uses the rules of the options. @throws ImportError `invalid_rules` */
  use({ rules = '', sources, categories }: ImportOptions, plan: ReturnType<typeof namesOf>): this {
    const key = JSON.stringify([rules, sources, categories]);
    if (key === this.#key) return this;
    this.#key = undefined;
    this.#rules = compiledRules(rules, plan);
    this.#matches = new WeakMap();
    this.#uses = undefined;
    this.#key = key;
    return this;
  }

  /** The first rule that matches a row with a type and an amount, or one of its amounts. */
  of(draft: Draft, amount: Draft | DraftPart = draft): CompiledRule | undefined {
    if (this.#rules.length === 0) return undefined;
    const known = this.#matches.get(amount);
    if (known !== undefined) return known || undefined;
    const subject = subjectOf(draft, amount);
    const rule = subject && this.#rules.find(({ matches }) => matches(subject));
    this.#matches.set(amount, rule ?? false);
    return rule;
  }

  /** The number of rows of the uncorrected file that each rule decides. */
  usesFor(drafts: readonly Draft[]): RuleUse[] {
    if (this.#rules.length === 0) return [];
    if (this.#uses?.drafts === drafts) return this.#uses.uses;
    const decided = drafts.flatMap((draft) => {
      const lines = new Set<number>();
      return [draft, ...(draft.parts ?? [])].flatMap((amount) => {
        const rule = draft.skipReason === undefined ? this.of(draft, amount) : undefined;
        const subject = subjectOf(draft, amount);
        if (!rule || !subject || lines.has(rule.line)) return [];
        lines.add(rule.line);
        return [{ line: rule.line, subject }];
      });
    });
    const counts = countByLine(decided);
    const uses = this.#rules.map(({ line, text, matches, isForAll }): RuleUse => {
      const rows = counts.get(line) ?? 0;
      const others =
        rows > 0 || isForAll ? [] : decided.filter((each) => each.line < line && matches(each.subject));
      const shadowedBy = [...countByLine(others)].sort(([one], [two]) => one - two);
      return { line, text, rows, isForAll, shadowedBy: shadowedBy.map(([line, rows]) => ({ line, rows })) };
    });
    this.#uses = { drafts, uses };
    return uses;
  }
}

/** Undefined for a row without a type or an amount, which no rule decides. */
function subjectOf(
  { description, date }: Draft,
  { type, pence }: Pick<Draft, 'type' | 'pence'>,
): Subject | undefined {
  if (type === undefined || pence === undefined) return undefined;
  return { type, pence, description: comparable(description), date };
}

function countByLine(rows: readonly { line: number }[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { line } of rows) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Refunds, with the categories that rules set them against. */
export type RefundRules = (
  entry: { date: string; type: EntryType; amountPence: number; description: string | null },
  sourceId: string,
) => { type: EntryType; category: string } | undefined;

/** Reads the refunds of a rules text. The first matching rule of a row must be a refund. @throws ImportError `invalid_rules` */
export function refundRules(text: string, sources: readonly PlanSource[]): RefundRules {
  const plan = namesOf({ sources });
  const rules = compiledRules(text, plan);
  return ({ date, type, amountPence, description }, sourceId) => {
    const subject = {
      date,
      type,
      pence: amountPence,
      description: comparable(withoutConversion(description ?? '')),
    };
    const decision = rules.find(({ matches }) => matches(subject))?.decision;
    if (decision?.kind !== 'entry' || !decision.isRefund || decision.category === undefined) return undefined;
    if (decision.source !== undefined && decision.source.id !== sourceId) return undefined;
    const source = sources.find(({ id }) => id === sourceId);
    const read = plan.readerOf(source).read(decision.category, OTHER_TYPE[type]);
    return 'key' in read ? { type: OTHER_TYPE[type], category: read.key } : undefined;
  };
}

/** Counts the rules of the text. @throws ImportError `invalid_rules` */
export function countRules(text: string, sources: readonly PlanSource[]): number {
  return compiledRules(text, namesOf({ sources })).length;
}

/** A refund of an expense is income. */
export const OTHER_TYPE = { income: 'expense', expense: 'income' } as const;

/** The names that rules and rows may have. */
export function namesOf({ sources, categories }: ImportOptions) {
  const readers = new Map<PlanSource | undefined, CategoryReader>();
  const readerOf = (source: PlanSource | undefined): CategoryReader => {
    const reader = readers.get(source) ?? categoryReader(source ? source.categories : categories);
    readers.set(source, reader);
    return reader;
  };
  const own = sources ?? [undefined];
  /** Why no source has the category. */
  const problemOf = (category: string, source: PlanSource | undefined): string | undefined => {
    const problems = (source ? [source] : own).map((each) => readerOf(each).check(category));
    return problems.every((problem) => problem !== undefined) ? problems[0] : undefined;
  };

  function compile({ line, decision }: Pick<Rule, 'line' | 'decision'>): CompiledDecision {
    const found = (name: string): PlanSource => {
      if (!sources)
        throw invalid(line, `names the source "${name}", and the sources of the account are not known`);
      const read = sourceNamed(sources, name);
      if ('source' in read) return read.source;
      throw new ImportError('invalid_rules', `Line ${line} of the rules: ${read.problem}`, 'rules');
    };
    const checked = (category: string | undefined, source: PlanSource | undefined) => {
      const problem = category === undefined ? undefined : problemOf(category, source);
      if (problem) throw new ImportError('invalid_rules', `Line ${line} of the rules: ${problem}`, 'rules');
      return category;
    };
    switch (decision.kind) {
      case 'leave out':
      case 'ask':
        return decision;
      case 'name': {
        const { name } = decision;
        const isSource = sources !== undefined && sourcesNamed(sources, name).length > 0;
        const isCategory = problemOf(name, undefined) === undefined;
        const areChecked = own.some((source) => (source ? source.categories : categories) !== undefined);
        if (isSource && isCategory && areChecked)
          throw invalid(line, `has "${name}", a source and a category; write SOURCE / CATEGORY`);
        if (isSource) return { kind: 'entry', source: found(name), category: undefined, isRefund: false };
        // An unknown name is more likely a source if one has a similar name.
        if (!isCategory && sourcesNear(sources ?? [], name).length > 0) found(name);
        return { kind: 'entry', source: undefined, category: checked(name, undefined), isRefund: false };
      }
      case 'entry':
      case 'split': {
        const source = decision.source === undefined ? undefined : found(decision.source);
        if (decision.kind === 'entry')
          return { ...decision, source, category: checked(decision.category, source) };
        const parts = decision.parts.map((part) => {
          const own = part.source === undefined ? undefined : found(part.source);
          checked(part.category, own ?? source);
          return { ...part, source: own };
        });
        return { ...decision, source, parts };
      }
    }
  }
  return { compile, readerOf, sources };
}
