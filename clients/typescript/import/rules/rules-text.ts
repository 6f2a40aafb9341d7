/** The rules file: conditions on rows, and actions. docs/rules.md describes it. */

import { ImportError } from '../import-error.ts';
import { type RuleAction, readAction, withoutComment } from './action.ts';
import { type ParsedConditions, readConditions } from './conditions.ts';

export interface Rule extends Pick<ParsedConditions, 'matches' | 'isForAll'> {
  line: number;
  /** The text of the file. */
  text: string;
  action: RuleAction;
}

/** Each rule is tried on each row. The length also keeps the patterns fast. */
const RULES_MAX = 1_000;
const RULE_LENGTH_MAX = 1_000;
/** The arrow, also in the forms of word processors. */
const ARROW = /^(?:[-‐‑–—−]{1,2}>|=>|[→⇒⟶➔➜])/;

/** The beginning of a line about the entries of a source, which is no rule: see entries-are.ts. */
export const ENTRIES_OF = /^\s*entries\s+of\s+/i;

/** The beginning of a line with HMRC's id of a source, which is no rule: see property-ids.ts. */
export const ID_OF = /^\s*HMRC(?:['’]s)?\s+id\s+of\s+/i;

/** The beginning of a line with a sum of other software, which is no rule: see stated-sums.ts. */
export const SUM_OF = /^\s*sums?\s+of\s+/i;

/** The beginning of a line with kept answers about columns, which is no rule: see kept-answers.ts. */
export const COLUMNS_OF = /^\s*columns\s+(?=(?:of|in)\s)/i;

/** The beginning of a line with a closing balance, which is no rule: see kept-closings.ts. */
export const BALANCE_OF = /^\s*balance\s+of\s+/i;

/** Lines that are no rules. */
const OTHERS: readonly RegExp[] = [/^\s*(#|$)/, ENTRIES_OF, ID_OF, SUM_OF, COLUMNS_OF, BALANCE_OF];

/**
 * The rules of the text, in order. Skips empty lines, lines that begin with #, and lines that state something else.
 * @throws ImportError `invalid_rules` that names the line
 */
export function parseRules(text: string): Rule[] {
  const rules: Rule[] = [];
  let otherwise: number | undefined;
  for (const [index, content] of linesOf(text.replace(/^\ufeff/, '')).entries()) {
    const line = index + 1;
    if (OTHERS.some((other) => other.test(content))) continue;
    if (content.length > RULE_LENGTH_MAX)
      throw invalidLine(line, `has more than ${RULE_LENGTH_MAX} characters`);
    if (otherwise !== undefined)
      throw invalidLine(line, `is never reached: line ${otherwise} decides about all other rows`);
    const conditions = readConditions(content);
    if ('problem' in conditions) throw invalidLine(line, conditions.problem);
    const { matches, isForAll, rest } = conditions;
    const action = actionAfter(rest);
    if ('problem' in action) throw invalidLine(line, action.problem);
    if (rules.length === RULES_MAX)
      throw invalidLine(line, `is one more than the ${RULES_MAX} rules that there may be`);
    if (isForAll) otherwise = line;
    rules.push({ line, text: content.trim(), action, matches, isForAll });
  }
  return rules;
}

export const linesOf = (text: string): readonly string[] => text.split(/\r\n?|\n/);

/** The end of the lines of a text. */
export const lineEndOf = (text: string): string => /\r\n?|\n/.exec(text)?.[0] ?? '\n';

/** The text of the rule on a line; empty if the rules have no such line. */
export const ruleAt = (rules: string, line: number): string => linesOf(rules)[line - 1]?.trim() ?? '';

const RULE_SHOWN_MAX = 80;

/** The text of a rule for people: in full, or its beginning. */
export function shownRule(rule: string): string {
  const text = rule.replace(/\s+/g, ' ');
  return text.length > RULE_SHOWN_MAX ? `${text.slice(0, RULE_SHOWN_MAX - 1)}…` : text;
}

function actionAfter(rest: string): RuleAction | { problem: string } {
  if (!ARROW.test(rest) && rest !== '') {
    return {
      problem: `has no -> at "${rest.slice(0, 40)}"; a rule is conditions that "and" joins, then -> and a decision`,
    };
  }
  const decided = actionText(rest);
  return decided === ''
    ? { problem: 'has no category; a rule ends in -> and a category, a source or "leave out"' }
    : readAction(decided);
}

/** The text of the action. @param rest the rule after its conditions */
export const actionText = (rest: string): string => withoutComment(rest.replace(ARROW, ''));

/** The lines that begin with this, by their numbers. */
export const linesWith = (text: string, begin: RegExp): { line: number; content: string }[] =>
  linesOf(text).flatMap((content, index) => (begin.test(content) ? [{ line: index + 1, content }] : []));

/** The text of a line after its beginning, without a comment. */
export const restOf = (content: string, begin: RegExp): string => withoutComment(content).replace(begin, '');

/** @param problem the end of a sentence */
export function invalidLine(line: number, problem: string): ImportError {
  return new ImportError('invalid_rules', `Line ${line} of the rules ${problem}.`, 'rules');
}

/** @param sentence about a name in the line */
export const wrongLine = (line: number, sentence: string): ImportError =>
  new ImportError('invalid_rules', `Line ${line} of the rules: ${sentence}`, 'rules');
