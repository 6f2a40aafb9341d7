/** The rules file: what is decided about which rows. docs/importing.md describes it. */

import { ImportError } from '../options.ts';
import { readAmount } from '../values/amounts.ts';
import { type Decision, readDecision, withoutComment } from './decision.ts';

interface Subject {
  type: 'income' | 'expense';
  pence: number;
  /** As `comparable` writes it. */
  description: string;
}
type Test = (row: Subject) => boolean;

export interface Rule {
  line: number;
  decision: Decision;
  matches: Test;
}

/** Each rule is tried on each row. The length also keeps the patterns fast. */
const RULES_MAX = 1_000;
const RULE_LENGTH_MAX = 1_000;
const TEXT = String.raw`description\s+(contains|is|starts\s+with|ends\s+with)\s+"((?:[^"]|"")*)"`;
const AMOUNT = String.raw`amount\s+(is|over|under)\s+([£\d.,]+)`;
const TYPE = String.raw`type\s+is\s+(income|expense)`;
const CONDITION = new RegExp(`^\\s*(?:${TEXT}|${AMOUNT}|${TYPE})\\s*`, 'i');
const OTHERWISE = /^\s*otherwise\s*/i;

/**
 * The rules of the text, in order. Empty lines and those that begin with # are left out.
 * @throws ImportError `invalid_rules` that names the line
 */
export function parseRules(text: string): Rule[] {
  const rules: Rule[] = [];
  let otherwise: number | undefined;
  for (const [index, content] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .entries()) {
    const line = index + 1;
    if (/^\s*(#|$)/.test(content)) continue;
    if (content.length > RULE_LENGTH_MAX) throw invalid(line, `has more than ${RULE_LENGTH_MAX} characters`);
    if (otherwise !== undefined)
      throw invalid(line, `is never reached: line ${otherwise} decides about all other rows`);
    const { tests, rest } = parseConditions(content, line);
    const decided = rest.startsWith('->') ? withoutComment(rest.slice('->'.length)) : '';
    if (decided === '') {
      throw invalid(line, 'has no category; a rule ends in -> and a category, a source or "leave out"');
    }
    const decision = readDecision(decided);
    if ('problem' in decision) throw invalid(line, decision.problem);
    if (rules.length === RULES_MAX)
      throw invalid(line, `is one more than the ${RULES_MAX} rules that there may be`);
    if (tests.length === 0) otherwise = line;
    rules.push({ line, decision, matches: (row) => tests.every((test) => test(row)) });
  }
  return rules;
}

/** Conditions are joined by "and". "otherwise" has none. */
function parseConditions(content: string, line: number): { tests: Test[]; rest: string } {
  const tests: Test[] = [];
  const otherwise = OTHERWISE.exec(content);
  if (otherwise) return { tests, rest: content.slice(otherwise[0].length) };
  let rest = content;
  for (;;) {
    const match = CONDITION.exec(rest);
    if (!match) {
      const example = 'description contains "B&Q" -> repairsAndMaintenance';
      throw invalid(line, `is not a rule at "${rest.trim().slice(0, 40)}"; an example is: ${example}`);
    }
    tests.push(conditionTest(match, line));
    rest = rest.slice(match[0].length);
    const and = /^and\s/i.exec(rest);
    if (!and) return { tests, rest };
    rest = rest.slice(and[0].length);
  }
}

function conditionTest(
  [, textOperator, quoted = '', amountOperator, amount = '', type]: RegExpExecArray,
  line: number,
): Test {
  if (type !== undefined) return (row) => row.type === type.toLowerCase();
  if (amountOperator !== undefined) {
    const read = readAmount(amount, '.');
    if ('problem' in read) throw invalid(line, `has no amount in pounds: "${amount}"`);
    const { pence } = read;
    const operator = amountOperator.toLowerCase();
    if (operator === 'over') return (row) => row.pence > pence;
    return operator === 'under' ? (row) => row.pence < pence : (row) => row.pence === pence;
  }
  const wanted = comparable(quoted.replaceAll('""', '"'));
  if (wanted === '') throw invalid(line, 'looks for an empty text');
  switch (textOperator?.toLowerCase().replace(/\s+/, ' ')) {
    case 'is':
      return ({ description }) => description === wanted;
    case 'starts with':
      return ({ description }) => description.startsWith(wanted);
    case 'ends with':
      return ({ description }) => description.endsWith(wanted);
    default:
      return ({ description }) => description.includes(wanted);
  }
}

/** Case and the number of spaces do not count. */
export function comparable(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

export function invalid(line: number, problem: string): ImportError {
  return new ImportError('invalid_rules', `Line ${line} of the rules ${problem}.`, 'rules');
}
