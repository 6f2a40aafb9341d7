/** Rules with resolved names of sources and categories. */

import type { EntryType, ImportOptions, SourceWithCategories } from '../options.ts';
import type { RuleUse } from '../result.ts';
import type { ParsedRow, RowAmount } from '../rows/parsed-row.ts';
import { withoutConversion } from '../values/conversion.ts';
import { categoryReaders, OTHER_TYPE } from './category.ts';
import { comparable, type Subject } from './conditions.ts';
import { entriesAreOf } from './entries-are.ts';
import { keptAnswersOf } from './kept-answers.ts';
import { keptClosings } from './kept-closings.ts';
import { propertyIdsOf } from './property-ids.ts';
import { invalidLine, parseRules, type Rule, wrongLine } from './rules-text.ts';
import { sourceNamed, sourcesNamed, sourcesNear } from './sources.ts';
import type { SharePart } from './split.ts';
import { statedSumsOf } from './stated-sums.ts';

/** An action with resolved names. */
export type CompiledAction =
  | { kind: 'leave out' | 'ask' }
  | {
      kind: 'entry';
      source: SourceWithCategories | undefined;
      category: string | undefined;
      isRefund: boolean;
    }
  | { kind: 'split'; source: SourceWithCategories | undefined; parts: readonly CompiledPart[] };
interface CompiledPart extends SharePart {
  source: SourceWithCategories | undefined;
}
export type CompiledRule = Omit<Rule, 'action'> & { action: CompiledAction };

/** @throws ImportError `invalid_rules` */
function compiledRules(text: string, sources: ImportOptions['sources']): CompiledRule[] {
  if (sources) for (const read of [entriesAreOf, propertyIdsOf, statedSumsOf]) read(text, sources);
  keptAnswersOf(text);
  keptClosings(text);
  const compile = actionCompiler(sources);
  return parseRules(text).map((rule) => ({ ...rule, action: compile(rule) }));
}

/** The matching rule of each row, kept between readings of a file: matching many rules takes most of the time. */
export class RuleMatches {
  #key: string | undefined;
  #rules: CompiledRule[] = [];
  #matches = new WeakMap<ParsedRow | RowAmount, CompiledRule | false>();
  #uses: { parsedRows: readonly ParsedRow[]; uses: RuleUse[] } | undefined;

  /** Uses the rules of the options. @throws ImportError `invalid_rules` */
  use({ rules = '', sources }: ImportOptions): this {
    const key = JSON.stringify([rules, sources]);
    if (key === this.#key) return this;
    this.#key = undefined;
    this.#rules = compiledRules(rules, sources);
    this.#matches = new WeakMap();
    this.#uses = undefined;
    this.#key = key;
    return this;
  }

  /** The first rule that matches a row with a type and an amount, or one of its amounts. */
  of(parsed: ParsedRow, amount: ParsedRow | RowAmount = parsed): CompiledRule | undefined {
    if (this.#rules.length === 0) return undefined;
    const known = this.#matches.get(amount);
    if (known !== undefined) return known || undefined;
    const subject = subjectOf(parsed, amount);
    const rule = subject && this.#rules.find(({ matches }) => matches(subject));
    this.#matches.set(amount, rule ?? false);
    return rule;
  }

  /** The number of rows of the uncorrected file that each rule decides. */
  usesFor(parsedRows: readonly ParsedRow[]): RuleUse[] {
    if (this.#rules.length === 0) return [];
    if (this.#uses?.parsedRows === parsedRows) return this.#uses.uses;
    const decided = parsedRows.flatMap((parsed) => {
      const lines = new Set<number>();
      return [parsed, ...(parsed.amounts ?? [])].flatMap((amount) => {
        const rule = parsed.skipReason === undefined ? this.of(parsed, amount) : undefined;
        const subject = subjectOf(parsed, amount);
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
    this.#uses = { parsedRows, uses };
    return uses;
  }
}

/** Undefined for a row without a type or an amount, which no rule decides. */
function subjectOf(
  { description, date }: ParsedRow,
  { type, pence }: Pick<ParsedRow, 'type' | 'pence'>,
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
type RefundRules = (
  entry: { date: string; type: EntryType; amountPence: number; description: string | null },
  sourceId: string,
) => { type: EntryType; category: string } | undefined;

/** Reads the refunds of a rules text. The first matching rule of a row must be a refund. @throws ImportError `invalid_rules` */
export function refundRules(text: string, sources: readonly SourceWithCategories[]): RefundRules {
  const readerOf = categoryReaders();
  const rules = compiledRules(text, sources);
  return ({ date, type, amountPence, description }, sourceId) => {
    const subject = {
      date,
      type,
      pence: amountPence,
      description: comparable(withoutConversion(description ?? '')),
    };
    const action = rules.find(({ matches }) => matches(subject))?.action;
    if (action?.kind !== 'entry' || !action.isRefund || action.category === undefined) return undefined;
    if (action.source !== undefined && action.source.id !== sourceId) return undefined;
    const source = sources.find(({ id }) => id === sourceId);
    const read = readerOf(source).read(action.category, OTHER_TYPE[type]);
    return 'key' in read ? { type: OTHER_TYPE[type], category: read.key } : undefined;
  };
}

/** Counts the rules of the text. @throws ImportError `invalid_rules` */
export function countRules(text: string, sources: readonly SourceWithCategories[]): number {
  return compiledRules(text, sources).length;
}

/** Returns a function that resolves the names in the action of a rule. */
function actionCompiler(sources: ImportOptions['sources']) {
  const readerOf = categoryReaders();
  const own = sources ?? [undefined];
  /** Why no source has the category. */
  const problemOf = (category: string, source: SourceWithCategories | undefined): string | undefined => {
    const problems = (source ? [source] : own).map((each) => readerOf(each).check(category));
    return problems.every((problem) => problem !== undefined) ? problems[0] : undefined;
  };

  return ({ line, action }: Pick<Rule, 'line' | 'action'>): CompiledAction => {
    const found = (name: string): SourceWithCategories => {
      if (!sources)
        throw invalidLine(line, `names the source "${name}", and the sources of the account are not known`);
      const read = sourceNamed(sources, name);
      if ('source' in read) return read.source;
      throw wrongLine(line, read.problem);
    };
    const checked = (category: string | undefined, source: SourceWithCategories | undefined) => {
      const problem = category === undefined ? undefined : problemOf(category, source);
      if (problem) throw wrongLine(line, problem);
      return category;
    };
    switch (action.kind) {
      case 'leave out':
      case 'ask':
        return action;
      case 'name': {
        const { name } = action;
        const isSource = sources !== undefined && sourcesNamed(sources, name).length > 0;
        const isCategory = problemOf(name, undefined) === undefined;
        const areChecked = own.some((source) => source?.categories !== undefined);
        if (isSource && isCategory && areChecked)
          throw invalidLine(line, `has "${name}", a source and a category; write SOURCE / CATEGORY`);
        if (isSource) return { kind: 'entry', source: found(name), category: undefined, isRefund: false };
        // An unknown name is more likely a source if one has a similar name.
        if (!isCategory && sourcesNear(sources ?? [], name).length > 0) found(name);
        return { kind: 'entry', source: undefined, category: checked(name, undefined), isRefund: false };
      }
      case 'entry':
      case 'split': {
        const source = action.source === undefined ? undefined : found(action.source);
        if (action.kind === 'entry') return { ...action, source, category: checked(action.category, source) };
        const parts = action.parts.map((part) => {
          const own = part.source === undefined ? undefined : found(part.source);
          checked(part.category, own ?? source);
          return { ...part, source: own };
        });
        return { ...action, source, parts };
      }
    }
  };
}
