/** Suggestions as lines of a rules file. */
import { quoted } from '../import/rules/action.ts';
import { linesOf } from '../import/rules/rules-text.ts';
import type { Suggestion } from './suggestions.ts';

/** The suggestion as a line of a rules file. */
export const ruleOf = (suggestion: Suggestion): string =>
  `${decidedBy(suggestion)}  # as ${suggestion.entries} entries`;

const decidedBy = (suggestion: Suggestion): string =>
  `${conditionOf(suggestion)} -> ${sourceText(suggestion.source)} / ${suggestion.category}`;

/** The condition of a rule for the payments of a payee. */
export const conditionOf = ({ payee, type }: Pick<Suggestion, 'payee' | 'type'>): string =>
  `description starts with "${payee}" and type is ${type}`;

/** The name of a source as rules write it. */
export const sourceText = (name: string): string => (/[/,#"]/.test(name) ? quoted(name) : name);

/** Whether the rules contain it, perhaps as a comment, or with another number of entries. */
export const isInRules = (rules: string, suggestion: Suggestion): boolean =>
  rules.includes(decidedBy(suggestion));

/** Appends the suggestions to the rules, as `withRules` does. */
export const withSuggestions = (rules: string, suggestions: readonly Suggestion[]): string =>
  withRules(rules, suggestions.map(ruleOf));

/** Appends lines to the rules, before the rule for all other rows. No decision of another rule changes. */
export function withRules(rules: string, added: readonly string[]): string {
  const lines = linesOf(rules);
  const otherwise = lines.findIndex((line) => /^\s*otherwise\b/i.test(line));
  const at = otherwise === -1 ? lines.findLastIndex((line) => line.trim() !== '') + 1 : otherwise;
  return [...lines.slice(0, at), ...added, ...lines.slice(at)].join('\n');
}
