/** Facts about the entries of an account that a rules text states: refunds, and shares. */
import type { SourceWithCategories } from '../import/options.ts';
import { refundRules } from '../import/rules/compiled-rules.ts';
import { type EntriesAre, entriesAreOf } from '../import/rules/entries-are.ts';
import type { Source } from '../resources.ts';
import type { RefundOf } from './figures.ts';

export interface StatedFacts {
  refundOf?: RefundOf;
  entriesAre?: (source: Source) => EntriesAre | undefined;
}

/** @throws ImportError `invalid_rules` */
export function statedFacts(rules: string, sources: readonly SourceWithCategories[]): StatedFacts {
  const find = refundRules(rules, sources);
  const are = entriesAreOf(rules, sources);
  return {
    refundOf: ({ stored, source }) => find(stored, source.id),
    entriesAre: ({ id }) => are.get(id),
  };
}
