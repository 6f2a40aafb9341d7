/** What a row becomes: of which source and category, in one entry or in parts, left out, or a question to a person. */

import type { Draft, Problem } from '../drafts/draft.ts';
import {
  type Correction,
  ImportError,
  type ImportOptionName,
  type ImportOptions,
  type PlanSource,
} from '../options.ts';
import { namesOf, OTHER_TYPE, type RuleMatches } from './settled-rules.ts';
import { sourceNamed } from './sources.ts';
import { type EntryType, type SplitPart, splitPayment } from './split.ts';

/** An entry of a row, or a part of the row that is left out. */
export interface ChosenPart extends Pick<SplitPart, 'type' | 'pence' | 'isLeftOut'> {
  /** Undefined if the entry is the whole row. */
  number: number | undefined;
  /** A key. */
  category: string | undefined;
}

export interface Chosen {
  /** The line of the rule that decided. */
  rule: number | undefined;
  /** Undefined without `options.sources`, and of a row that is left out. */
  source: PlanSource | undefined;
  /** Whether a rule, a column or a person chose the source. */
  isSourceChosen: boolean;
  /** At least one. */
  parts: ChosenPart[];
}
export type Choice = Chosen | { problem: Problem };

interface Names {
  category: string | undefined;
  source: string | undefined;
}

/**
 * Chooses for a row that has a type and an amount: the file or the correction goes first, then the first rule that matches, then the
 * source of the options and the default category of the type.
 * @throws ImportError `unknown_category`, `invalid_rules`, `invalid_option`
 */
export function chooser(
  options: ImportOptions,
  columns: Names,
  matches: RuleMatches,
): (draft: Draft, correction?: Correction) => Choice | undefined {
  const { sources } = options;
  const plan = namesOf(options);
  const rules = matches.use(options, plan);
  const defaultSource =
    sources && options.source !== undefined ? ownSource(sources, options.source) : undefined;
  const defaultCategory = defaultsOf(options, plan, defaultSource);
  const problemOf = (part: Omit<Problem, 'column' | 'value'> & Partial<Problem>): { problem: Problem } => ({
    problem: { column: 'rules', value: '', ...part },
  });

  return (draft, correction) => {
    const { type, pence } = draft;
    const rule = rules.of(draft);
    const line = rule?.line;
    const decision = rule?.decision;
    const isTaken = correction?.source !== undefined || correction?.isLeftOut === false;
    if (decision?.kind === 'leave out' && !isTaken && correction?.category === undefined) {
      const whole = { type: type as EntryType, pence: pence as number };
      const parts = [{ ...whole, number: undefined, category: undefined, isLeftOut: true }];
      return { rule: line, source: undefined, isSourceChosen: true, parts };
    }
    if (decision?.kind === 'ask' && correction?.source === undefined) {
      const message = `Line ${line} of the rules asks where this row belongs: choose a property or business, or leave it out.`;
      return problemOf({ field: 'source', value: draft.description.slice(0, 200), message, option: 'rules' });
    }

    let source = defaultSource;
    let isSourceChosen = false;
    const ruled = decision && 'source' in decision ? decision.source : undefined;
    if (sources && draft.source !== undefined) {
      const read = sourceNamed(sources, draft.source);
      if ('problem' in read) {
        const column = columns.source ?? 'source';
        return problemOf({
          field: 'source',
          column,
          value: draft.source,
          message: read.problem,
          option: 'map',
        });
      }
      ({ source } = read);
      isSourceChosen = true;
    } else if (ruled) {
      source = ruled;
      isSourceChosen = true;
    }
    if (sources && !source && type !== undefined && pence !== undefined) {
      const message = 'Nothing decides where this row belongs: add a rule, or choose a property or business.';
      return problemOf({ field: 'source', value: draft.description.slice(0, 200), message, option: 'rules' });
    }
    const chosen = { rule: line, source, isSourceChosen };
    const reader = plan.readerOf(source);
    const readCategory = (text: string, of: EntryType): { key: string } | { problem: Problem } => {
      const read = reader.read(text, of);
      if ('key' in read) return read;
      const message = `Line ${line} of the rules: ${read.problem}`;
      return problemOf({ field: 'category', column: 'category', value: text, message, option: 'rules' });
    };
    const whole = (category: string | undefined): Chosen | undefined =>
      type === undefined || pence === undefined
        ? undefined
        : { ...chosen, parts: [{ number: undefined, type, pence, category, isLeftOut: false }] };

    if (
      decision?.kind === 'split' &&
      correction?.category === undefined &&
      type !== undefined &&
      pence !== undefined
    ) {
      const split = splitPayment({ type, pence }, decision.parts);
      if ('problem' in split) {
        const message = `Line ${line} of the rules: ${split.problem}.`;
        return problemOf({
          field: 'amount',
          value: draft.description.slice(0, 200),
          message,
          option: 'rules',
        });
      }
      const parts: ChosenPart[] = [];
      for (const part of split) {
        const read = part.category === undefined ? undefined : readCategory(part.category, part.type);
        if (read && 'problem' in read) return read;
        if (part.pence > 0) parts.push({ ...part, category: read?.key });
      }
      return { ...chosen, parts };
    }

    const { category } = draft;
    if (category === '') return whole(undefined);
    if (category !== undefined) {
      const read = type === undefined ? { problem: reader.check(category) } : reader.read(category, type);
      if ('key' in read) return whole(read.key);
      if (read.problem === undefined) return undefined;
      const column = columns.category ?? 'category';
      return problemOf({ field: 'category', column, value: category, message: read.problem, option: 'map' });
    }
    if (type === undefined) return undefined;
    if (decision?.kind === 'entry' && decision.category !== undefined) {
      if (!decision.isRefund) {
        const read = readCategory(decision.category, type);
        return 'problem' in read ? read : whole(read.key);
      }
      // The entry has no category: only the figures set it against that one.
      if ('key' in reader.read(decision.category, OTHER_TYPE[type])) return whole(undefined);
      const message = `Line ${line} of the rules: an entry that is ${type} is no refund of ${decision.category}; add "type is ${OTHER_TYPE[type]}" to the rule.`;
      return problemOf({ field: 'type', value: type, message, option: 'rules' });
    }
    return whole(defaultCategory(source, type));
  };
}

function ownSource(sources: readonly PlanSource[], id: string): PlanSource {
  const source = sources.find((each) => each.id === id);
  if (!source) throw new ImportError('invalid_option', 'The source is none of the sources.', 'source');
  return source;
}

/** The default category of a type. Of several sources it is that of each whose categories have it. */
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
