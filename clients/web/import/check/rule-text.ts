/** Rules in messages: a person knows the text of a rule, not its line. */
import { ruleAt, shownRule } from '../../../typescript/import/rules/rules-text.ts';
import { inWords } from '../../page/words.ts';

/** The message in the words of the page, with the text of the rule that it begins with. */
export const withRuleText = (message: string, rules: string): string =>
  inWords(message).replace(/^Line (\d+) of the rules/, (place, line: string) => {
    const text = shownRule(ruleAt(rules, Number(line)));
    return text === '' ? place : `The rule “${text}” (line ${line})`;
  });
