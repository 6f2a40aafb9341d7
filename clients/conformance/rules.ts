/** All rules, in the order of their checks. */
import type { ConformanceRule } from './rule.ts';
import { concurrencyRules } from './rules/concurrency.ts';
import { entryRules } from './rules/entries.ts';
import { fieldRules } from './rules/fields.ts';
import { historyRules } from './rules/history.ts';
import { idempotencyRules } from './rules/idempotency.ts';
import { isolationRules } from './rules/isolation.ts';
import { keyRules } from './rules/keys.ts';
import { dayRules, minuteRules, remainingRules } from './rules/limits.ts';
import { pageRules } from './rules/pages.ts';
import { referenceRules } from './rules/references.ts';
import { requestRules } from './rules/requests.ts';
import { resourceRules } from './rules/resources.ts';

export const RULES: readonly ConformanceRule[] = [
  ...keyRules,
  ...resourceRules,
  ...entryRules,
  ...fieldRules,
  ...referenceRules,
  ...idempotencyRules,
  ...pageRules,
  ...requestRules,
  ...isolationRules,
  ...concurrencyRules,
  ...remainingRules,
  // These use up the day, look back at the run, and use up the minute of a key.
  ...dayRules,
  ...historyRules,
  ...minuteRules,
];

/** The rules with this id, or of this group: `references.known-again`, `references`. */
export const rulesNamed = (name: string): ConformanceRule[] =>
  RULES.filter(({ id }) => id === name || id.startsWith(`${name}.`));
