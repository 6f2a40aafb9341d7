/** Rules whose names of sources and categories are known. */

import type { Draft } from '../drafts/draft.ts';
import { ImportError, type ImportOptions, type PlanSource } from '../options.ts';
import { withoutConversion } from '../values/conversion.ts';
import { type CategoryReader, categoryReader } from './category.ts';
import { comparable, invalid, parseRules, type Rule } from './rules.ts';
import { sourceNamed, sourcesNamed } from './sources.ts';
import type { EntryType, Part } from './split.ts';

/** A decision whose names are known. */
export type Settled =
  | { kind: 'leave out' | 'ask' }
  | { kind: 'entry'; source: PlanSource | undefined; category: string | undefined; isRefund: boolean }
  | { kind: 'split'; source: PlanSource | undefined; parts: readonly Part[] };
export type SettledRule = Omit<Rule, 'decision'> & { decision: Settled };

/** @throws ImportError `invalid_rules` */
export function settledRules(text: string, { settle }: ReturnType<typeof namesOf>): SettledRule[] {
  return parseRules(text).map((rule) => ({ ...rule, decision: settle(rule) }));
}

/** Which rule matches which row, kept from one reading of a file to the next: with many rules it takes most of the time. */
export class RuleMatches {
  #key: string | undefined;
  #rules: SettledRule[] = [];
  #matches = new WeakMap<Draft, SettledRule | false>();

  /** Uses the rules of the options. @throws ImportError `invalid_rules` */
  use({ rules = '', sources, categories }: ImportOptions, plan: ReturnType<typeof namesOf>): this {
    const key = JSON.stringify([rules, sources, categories]);
    if (key === this.#key) return this;
    this.#key = undefined;
    this.#rules = settledRules(rules, plan);
    this.#matches = new WeakMap();
    this.#key = key;
    return this;
  }

  /** The first rule that matches a row with a type and an amount. */
  of(draft: Draft): SettledRule | undefined {
    const { type, pence, description } = draft;
    if (type === undefined || pence === undefined || this.#rules.length === 0) return undefined;
    const known = this.#matches.get(draft);
    if (known !== undefined) return known || undefined;
    const subject = { type, pence, description: comparable(description) };
    const rule = this.#rules.find(({ matches }) => matches(subject));
    this.#matches.set(draft, rule ?? false);
    return rule;
  }
}

/** What is set against which category, by rules whose decision is a refund. */
export type RefundRules = (
  entry: { type: EntryType; amountPence: number; description: string | null },
  sourceId: string,
) => { type: EntryType; category: string } | undefined;

/** Reads the refunds of a rules text: the first rule that matches must be one. @throws ImportError `invalid_rules` */
export function refundRules(text: string, sources: readonly PlanSource[]): RefundRules {
  const plan = namesOf({ sources });
  const rules = settledRules(text, plan);
  return ({ type, amountPence, description }, sourceId) => {
    const subject = {
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

/** How many rules the text has. @throws ImportError `invalid_rules` */
export function countRules(text: string, sources: readonly PlanSource[]): number {
  return settledRules(text, namesOf({ sources })).length;
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

  function settle({ line, decision }: Pick<Rule, 'line' | 'decision'>): Settled {
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
        return { kind: 'entry', source: undefined, category: checked(name, undefined), isRefund: false };
      }
      case 'entry':
      case 'split': {
        const source = decision.source === undefined ? undefined : found(decision.source);
        if (decision.kind === 'entry')
          return { ...decision, source, category: checked(decision.category, source) };
        for (const { category } of decision.parts) checked(category, source);
        return { ...decision, source };
      }
    }
  }
  return { settle, readerOf };
}
