/** Messages of the reader and the API in the words of a landlord. */
import { ruleAt, shownRule } from '../../typescript/import/rules/rules-text.ts';

const WORDS: Record<string, string> = {
  source: 'property or business',
  sources: 'properties and businesses',
  CURDEF: 'the currency of the file,',
  CURSYM: 'the currency of the row,',
};

/** Texts in quotes are of a file or of a person, and stay. */
export const inWords = (text: string): string =>
  text.replace(/"[^"]*"|“[^”]*”|\b(?:sources?|CURDEF|CURSYM)\b/g, (found) => WORDS[found] ?? found);

/** The message in these words, with the text of the rule that it begins with: a person knows the text of a rule, not its line. */
export const withRuleText = (message: string, rules: string): string =>
  inWords(message).replace(/^Line (\d+) of the rules/, (place, line: string) => {
    const text = shownRule(ruleAt(rules, Number(line)));
    return text === '' ? place : `The rule “${text}” (line ${line})`;
  });
