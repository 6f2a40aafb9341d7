/** Entries to look at before the figures are used. A person compares them with the originals. */

import { counted } from '../counted.ts';
import { type Days, dayAfter, recordedOn } from '../days.ts';
import { groupBy } from '../group-by.ts';
import { isPartReference, rowOfPart } from '../match/part-reference.ts';
import type { StoredEntry } from '../match/stored-books.ts';
import { isWithin } from './period-figures.ts';
import type { Update } from './periods.ts';
import { closedAround } from './working-days.ts';

export interface Check {
  /** Recorded after the deadline of the quarter; on a day that a bank may have moved into the year; paid out by an agent; replaced by stated sums. */
  kind: 'late' | 'moved' | 'payout' | 'stated';
  /** For people: the entries, and the next step. */
  message: string;
  entries: StoredEntry[];
}

/** Entries of days whose sums are stated, by source. @param entries of the days of the figures. @param to the last day of their sums */
export const replacedIn = (entries: readonly StoredEntry[], to: (entry: StoredEntry) => string): Check[] =>
  [...groupBy(entries, ({ source }) => source.id).values()].map((ofSource) => {
    const [first] = ofSource as [StoredEntry];
    const message = `${entriesText(ofSource.length)} of ${first.source.name} up to ${to(first)}, in no figure: your rules state sums up to that day. Compare the sums: an entry that they lack belongs in them.`;
    return { kind: 'stated', message, entries: ofSource };
  });

/** An agent pays out the rent of the last days within so many days, usually. */
const PAYOUT_DAYS = 14;

/** @param updates of the tax year, each from its beginning; @param to the last day of the figures */
export function checksOf(entries: readonly StoredEntry[], updates: readonly Update[], to: string): Check[] {
  const [firstUpdate, lastUpdate] = [updates[0] as Update, updates.at(-1) as Update];
  const ofDays = entries.filter(({ stored: { date } }) => date >= firstUpdate.from && date <= to);
  const quarters = updates.map((update, index) => {
    const from = index === 0 ? update.from : dayAfter((updates[index - 1] as Update).to, 1);
    return { ...update, from, entries: within(ofDays, { from, to: update.to }) };
  });
  return [
    ...quarters.flatMap(lateIn),
    ...[firstUpdate.from, ...(to === lastUpdate.to ? [dayAfter(to, 1)] : [])].flatMap((first) =>
      movedOver(entries, first),
    ),
    ...quarters.flatMap(payoutsIn),
  ];
}

type QuarterEntries = Pick<Update, 'quarter' | 'from' | 'deadline'> & { entries: StoredEntry[] };

function lateIn({ quarter, deadline, entries }: QuarterEntries): Check[] {
  const late = entries.filter(({ stored }) => (recordedOn(stored.id) ?? '') > deadline);
  if (late.length === 0) return [];
  const message = `${entriesText(late.length)} of quarter ${quarter} ${late.length === 1 ? 'was' : 'were'} recorded here after its deadline, ${deadline}. The next update reports them. Keep the records that you made elsewhere before that day.`;
  return [{ kind: 'late', message, entries: late }];
}

/** @param first day of a tax year */
function movedOver(entries: readonly StoredEntry[], first: string): Check[] {
  const closed = closedAround(first);
  const moved = closed ? within(entries, { from: closed.to, to: closed.to }) : [];
  if (!closed || moved.length === 0) return [];
  const days = `${closed.from} to ${dayAfter(closed.to, -1)}`;
  const message = `${entriesText(moved.length)} of ${closed.to}, the first working day after ${days}: a bank may book payments of those days with this date. A payment from before ${first} belongs to the tax year before: correct its date in the app.`;
  return [{ kind: 'moved', message, entries: moved }];
}

/** An agent's payout is one row that makes income and an expense of one source. */
function payoutsIn({ quarter, from, entries }: QuarterEntries): Check[] {
  const days = { from, to: dayAfter(from, PAYOUT_DAYS - 1) };
  const rows = groupBy(within(entries, days), ({ stored: { externalRef, date }, source }) =>
    JSON.stringify([source.id, date, rowOfPart(externalRef ?? '')]),
  );
  const payouts = [...rows.values()].filter(
    (row) =>
      new Set(row.map(({ stored }) => stored.type)).size > 1 &&
      row.some(({ stored }) => isPartReference(stored.externalRef ?? '')),
  );
  if (payouts.length === 0) return [];
  const before = quarter === 1 ? 'tax year' : 'quarter';
  const message = `${counted(payouts.length, 'payout')} with a fee in the first ${PAYOUT_DAYS} days of quarter ${quarter}. On the cash basis, rent counts on the day on which the agent receives it. If the agent's statement has a day before ${from}, the rent belongs to the ${before} before: correct its date in the app.`;
  return [{ kind: 'payout', message, entries: payouts.flat() }];
}

const within = (entries: readonly StoredEntry[], days: Days) =>
  entries.filter((entry) => isWithin(entry, days));

const entriesText = (count: number) => counted(count, 'entry', 'entries');
