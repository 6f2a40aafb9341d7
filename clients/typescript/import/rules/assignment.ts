/** The assignment of a row to a source and categories, and its source: by a person or the file, else by a rule, else by the options. */

import type { EntryType, SourceWithCategories } from '../options.ts';
import type { RowCorrection } from '../questions-and-answers.ts';
import type { Conversion } from '../result.ts';
import type { ParsedRow, RowProblem } from '../rows/parsed-row.ts';
import type { CategoryReaders } from './category.ts';
import type { CompiledAction, RuleMatches } from './compiled-rules.ts';
import { wrongAmount } from './problems.ts';
import { sourceNamed } from './sources.ts';
import type { SplitPart } from './split.ts';

/** An entry of a row, or a left out part of it. */
export interface AssignedPart extends Pick<SplitPart, 'type' | 'pence' | 'isLeftOut'> {
  /** The position of the part, from 1; undefined for the whole row. */
  number: number | undefined;
  /** The key of the category, if one is decided. */
  category: string | undefined;
  /** Set if a rule or an option names a source for this part alone. */
  source?: SourceWithCategories;
  isSourceChosen?: boolean;
  /** The key of the category that a refund is set against. */
  refundOf?: string;
  /** The line of the rule that decided about this part alone. */
  rule?: number;
  /** The conversion of its amount, if the row has several amounts. */
  conversion?: Conversion;
}

export interface AssignedSource {
  /** The source of parts without their own. Undefined without `options.sources`, and for a row that is left out. */
  source: SourceWithCategories | undefined;
  /** Whether a rule, a column or a person chose the source. */
  isSourceChosen: boolean;
}

export interface AssignedRow extends AssignedSource {
  /** The line of the rule that decided. */
  rule: number | undefined;
  /** The parts of the row, at least one. */
  parts: AssignedPart[];
}
export type Refused = { problem: RowProblem };
export type Assignment = AssignedRow | Refused;

/** A row that has a type and an amount. */
export type PaymentRow = ParsedRow & { type: EntryType; pence: number };

export const isPaymentRow = (parsed: ParsedRow): parsed is PaymentRow =>
  parsed.type !== undefined && parsed.pence !== undefined;

/** The options that assign rows, with resolved names. */
export interface AssignContext {
  rules: RuleMatches;
  sources: readonly SourceWithCategories[] | undefined;
  readerOf: CategoryReaders;
  /** The names of the columns in messages. */
  columns: Readonly<Record<'category' | 'source', string | undefined>>;
  defaultSource: SourceWithCategories | undefined;
  /** The key of the default category of the type, if the source has it. */
  defaultCategory: (source: SourceWithCategories | undefined, type: EntryType) => string | undefined;
}

/** The source by the file or a correction, else by the rule, else by the options. */
export function sourceOf(
  context: AssignContext,
  parsed: ParsedRow,
  action: CompiledAction | undefined,
  correction: RowCorrection | undefined,
): AssignedSource | Refused {
  const { sources, defaultSource } = context;
  if (sources && parsed.source !== undefined) {
    const read = sourceNamed(sources, parsed.source);
    if ('source' in read) return { source: read.source, isSourceChosen: true };
    return wrongName(context, 'source', { value: parsed.source, message: read.problem }, parsed, correction);
  }
  const ruled = action && 'source' in action ? action.source : undefined;
  if (ruled) return { source: ruled, isSourceChosen: true };
  if (!sources || defaultSource || !isPaymentRow(parsed))
    return { source: defaultSource, isSourceChosen: false };
  const message = 'Nothing decides where this row belongs: add a rule, or choose a property or business.';
  const value = parsed.description;
  return { problem: { field: 'source', column: 'rules', value, message, option: 'rules' } };
}

/** The problem of a wrong name in the column, which the option `map` can leave out, or from a person. */
export function wrongName(
  { columns }: AssignContext,
  field: 'source' | 'category',
  { value, message }: Pick<RowProblem, 'value' | 'message'>,
  { isByAmounts }: ParsedRow,
  correction?: RowCorrection,
): Refused {
  if (correction?.[field] !== undefined) return { problem: { field, column: field, value, message } };
  if (isByAmounts) return wrongAmount(field, value, message);
  return { problem: { field, column: columns[field] ?? field, value, message, option: 'map' } };
}
