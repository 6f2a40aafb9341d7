/** Facts about the entries of an account that a rules text states: refunds, shares, HMRC's ids and sums of other software. */
import type { SourceWithCategories } from '../import/options.ts';
import { refundRules } from '../import/rules/compiled-rules.ts';
import { entriesAreOf } from '../import/rules/entries-are.ts';
import { propertyIdsOf } from '../import/rules/property-ids.ts';
import { statedSumsOf } from '../import/rules/stated-sums.ts';
import type { StatedFacts } from './period-figures.ts';

/** @throws ImportError `invalid_rules` */
export function statedFacts(rules: string, sources: readonly SourceWithCategories[]): StatedFacts {
  const find = refundRules(rules, sources);
  const are = entriesAreOf(rules, sources);
  const ids = propertyIdsOf(rules, sources);
  const sums = statedSumsOf(rules, sources);
  return {
    refundOf: ({ stored, source }) => find(stored, source.id),
    entriesAre: ({ id }) => are.get(id),
    propertyId: ({ id }) => ids.get(id),
    sumsOf: ({ id }) => sums.get(id),
  };
}
