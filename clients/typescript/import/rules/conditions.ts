/** The conditions of a rule: the text before the arrow. docs/rules.md describes the grammar. */
import type { Days } from '../../days.ts';
import type { EntryType } from '../options.ts';
import { readAmount } from '../values/amounts.ts';
import { readDate } from '../values/dates.ts';

/** The fields of a row that conditions test. */
export interface Subject {
  type: EntryType;
  pence: number;
  /** The description in the form of `comparable`. */
  description: string;
  /** YYYY-MM-DD. Undefined for an unreadable date, which is in no period. */
  date: string | undefined;
}
type Test = (row: Subject) => boolean;

/** The conditions, and the text after them. */
export interface ReadConditions {
  matches: Test;
  /** Whether the rule is `otherwise`, which matches every row. */
  isForAll: boolean;
  rest: string;
}

/** The values that `or` joins are of one kind, after one operator. */
interface Kind {
  head: RegExp;
  value: RegExp;
  /** A value is a test or days. A problem is the end of a sentence. */
  read(operator: string, value: string): Test | Days | { problem: string };
  /** The problem of a text that is no value. By default, the line is no rule. */
  expected?: string;
}

const DATES_ARE = 'dates are written 2026-05-01 or 1 May 2026, and after "in" May 2026 or 2026';

const CONDITION_KINDS: readonly Kind[] = [
  {
    // A text alone means `contains`. Word processors write curly quotes.
    head: /^\s*(?:description\s+(contains|is|starts\s+with|ends\s+with)\s+(?=["“„”])|(?=["“„”]))/i,
    value: /^(?:"(?:[^"]|"")*"|[“„”][^“„”]*[“”])/,
    read: textTest,
  },
  {
    head: /^\s*amount\s+(is|over|under)\s+(?=[£\d.,])/i,
    value: /^[£\d.,]+/,
    read: amountTest,
  },
  {
    head: /^\s*type\s+is\s+(?=income|expense)/i,
    value: /^(?:income|expense)/i,
    read: (_, value) => (row) => row.type === value.toLowerCase(),
  },
  {
    head: /^\s*(from|until)\s+/i,
    value: /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}\s+[a-z]{3,9}\s+\d{4})(?![\d/-])/i,
    read: daysOfCondition,
    expected: DATES_ARE,
  },
  {
    head: /^\s*(in)\s+/i,
    value: /^(?:[a-z]{3,9}\s+)?\d{4}(?![\d/-])/i,
    read: daysOfCondition,
    expected: DATES_ARE,
  },
];
const OTHERWISE = /^\s*otherwise\s*/i;
const OR = /^\s*or(?=[^a-z])\s*/i;
/** Before a period, `and` can be left out. */
const NEXT = /^\s*(?:and\s|(?=(?:from|until|in)\s))/i;
const RULE_EXAMPLE = 'description contains "B&Q" -> repairsAndMaintenance';

/** Conditions are joined by `and`, and the values of one condition by `or`. */
export function readConditions(text: string): ReadConditions | { problem: string } {
  const otherwise = OTHERWISE.exec(text);
  if (otherwise) return { matches: () => true, isForAll: true, rest: text.slice(otherwise[0].length) };
  const tests: Test[] = [];
  const periods: Days[][] = [];
  let rest = text;
  for (;;) {
    const read = readCondition(rest);
    if ('problem' in read) return read;
    if (read.tests.length > 0) tests.push((row) => read.tests.some((test) => test(row)));
    if (read.days.length > 0) periods.push(read.days);
    rest = read.rest;
    const next = NEXT.exec(rest);
    if (!next) break;
    rest = rest.slice(next[0].length);
  }
  if (periods.length > 0) {
    const days = intersection(periods);
    if (days.length === 0) return { problem: 'names no day: its periods do not overlap' };
    tests.push(({ date = '' }) => days.some(({ from, to }) => date >= from && date <= to));
  }
  return { matches: (row) => tests.every((test) => test(row)), isForAll: false, rest: rest.trimStart() };
}

function readCondition(text: string): { tests: Test[]; days: Days[]; rest: string } | { problem: string } {
  for (const { head, value, read, expected } of CONDITION_KINDS) {
    const start = head.exec(text);
    if (!start) continue;
    const [{ length }, operator = ''] = start;
    let rest = text.slice(length);
    const tests: Test[] = [];
    const days: Days[] = [];
    for (;;) {
      const [found] = value.exec(rest) ?? [];
      if (found === undefined) return { problem: missing(rest, expected, tests.length + days.length > 0) };
      const one = read(operator.toLowerCase().replace(/\s+/, ' '), found);
      if ('problem' in one) return one;
      if ('from' in one) days.push(one);
      else tests.push(one);
      rest = rest.slice(found.length);
      const or = OR.exec(rest);
      if (!or) return { tests, days, rest };
      rest = rest.slice(or[0].length);
    }
  }
  return { problem: missing(text, undefined, false) };
}

function missing(text: string, expected: string | undefined, isAfterOr: boolean): string {
  const shown = `"${text.trim().slice(0, 40)}"`;
  if (isAfterOr) {
    return `has "or" before ${shown}; "or" joins values of one condition, as in: description contains "british gas" or "edf" -> utilities. Another condition needs a rule of its own`;
  }
  return expected === undefined
    ? `is not a rule at ${shown}; an example is: ${RULE_EXAMPLE}`
    : `has no day or month at ${shown}; ${expected}`;
}

function textTest(operator: string, quoted: string): Test | { problem: string } {
  const text = quoted.slice(1, -1);
  const wanted = comparable(quoted.startsWith('"') ? text.replaceAll('""', '"') : text);
  if (wanted === '') return { problem: 'looks for an empty text' };
  switch (operator) {
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

function amountTest(operator: string, amount: string): Test | { problem: string } {
  const read = readAmount(amount, '.');
  if ('problem' in read) return { problem: `has no amount in pounds: "${amount}"` };
  const { pence } = read;
  if (operator === 'over') return (row) => row.pence > pence;
  return operator === 'under' ? (row) => row.pence < pence : (row) => row.pence === pence;
}

function daysOfCondition(word: string, text: string): Days | { problem: string } {
  const days = readDays(word as 'from' | 'until' | 'in', text);
  return days ?? { problem: `has "${text}", which is in no calendar; ${DATES_ARE}` };
}

/** Case and the number of spaces do not count. */
export function comparable(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

const ALWAYS: Days = { from: '0000', to: '9999-12-31' };

/** The days that `text` names after the word, or undefined. */
function readDays(word: 'from' | 'until' | 'in', text: string): Days | undefined {
  if (word !== 'in') {
    const day = readDate(text, 'ymd');
    if (day === undefined) return undefined;
    return word === 'from' ? { ...ALWAYS, from: day } : { ...ALWAYS, to: day };
  }
  const [, month, year = ''] = /^(?:([a-z]+)\s+)?(\d{4})$/i.exec(text) ?? [];
  const first = readDate(`1 ${month ?? 'January'} ${year}`, 'ymd');
  if (first === undefined) return undefined;
  const last = month === undefined ? '12-31' : `${first.slice(5, 7)}-31`;
  return { from: first, to: `${first.slice(0, 5)}${last}` };
}

/** The intersection of the periods of the lists; none if they contradict each other. */
function intersection(lists: readonly (readonly Days[])[]): Days[] {
  return lists.reduce<Days[]>(
    (days, list) => days.flatMap((one) => list.flatMap((other) => overlap(one, other))),
    [ALWAYS],
  );
}

function overlap(one: Days, other: Days): Days[] {
  const [, from = ''] = [one.from, other.from].sort();
  const [to = ''] = [one.to, other.to].sort();
  return from <= to ? [{ from, to }] : [];
}
