/** Facts about the entries of an account that a rules text states: refunds, shares, HMRC's ids and sums of other software. */
import type { PlanSource } from '../import/options.ts';
import { refundRules } from '../import/plan/compiled-rules.ts';
import { entriesAreOf } from '../import/plan/entries-are.ts';
import { propertyIdsOf } from '../import/plan/property-ids.ts';
import { statedSumsOf } from '../import/plan/stated-sums.ts';
import type { StatedFacts } from './figures.ts';

/** @throws ImportError `invalid_rules` */
export function statedFacts(rules: string, sources: readonly PlanSource[]): StatedFacts {
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
