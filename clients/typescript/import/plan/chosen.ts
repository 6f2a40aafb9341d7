/** The decision about a row. */
import type { Draft, Problem } from '../drafts/draft.ts';
import type { Conversion, PlanSource } from '../options.ts';
import type { EntryType, SplitPart } from './split.ts';

/** An entry of a row, or a left out part of it. */
export interface ChosenPart extends Pick<SplitPart, 'type' | 'pence' | 'isLeftOut'> {
  /** Undefined for the whole row. */
  number: number | undefined;
  /** A key. */
  category: string | undefined;
  /** Set if a rule or an option names a source for this part alone. */
  source?: PlanSource;
  isSourceChosen?: boolean;
  /** The key of the category that a refund is set against. */
  refundOf?: string;
  /** The line of the rule that decided about this part alone. */
  rule?: number;
  /** Of one of several amounts. */
  conversion?: Conversion;
}

export interface Chosen {
  /** The line of the rule that decided. */
  rule: number | undefined;
  /** The source of parts without their own. Undefined without `options.sources`, and for a row that is left out. */
  source: PlanSource | undefined;
  /** Whether a rule, a column or a person chose the source. */
  isSourceChosen: boolean;
  /** At least one. */
  parts: ChosenPart[];
}
export type Choice = Chosen | { problem: Problem };

/** A row that has a type and an amount. */
export type Payment = Draft & { type: EntryType; pence: number };
