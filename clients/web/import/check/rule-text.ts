/** Rules in messages: a person knows the text of a rule, not its line. */
import { inWords } from '../../page/words.ts';

const SHOWN_MAX = 80;

/** The text of the rule on this line. */
export function ruleText(rules: string, line: number): string {
  const text = rules.split(/\r\n?|\n/)[line - 1]?.trim() ?? '';
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX - 1)}…` : text;
}

/** The message in the words of the page, with the text of the rule that it begins with. */
export const withRuleText = (message: string, rules: string): string =>
  inWords(message).replace(/^Line (\d+) of the rules/, (place, line: string) => {
    const text = ruleText(rules, Number(line));
    return text === '' ? place : `The rule “${text}” (line ${line})`;
  });
