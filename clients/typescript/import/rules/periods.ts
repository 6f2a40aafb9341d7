/** The days of a rule: `from 2026-05-01`, `until 31 July 2026`, `in May 2026`, `in 2026`. */
import { readDate } from '../values/dates.ts';

/** `YYYY-MM-DD`, both inclusive. */
export interface Days {
  from: string;
  to: string;
}

const ALWAYS: Days = { from: '0000', to: '9999-12-31' };

/** The days that `text` names after the word, or undefined. */
export function readDays(word: 'from' | 'until' | 'in', text: string): Days | undefined {
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
export function intersection(lists: readonly (readonly Days[])[]): Days[] {
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
