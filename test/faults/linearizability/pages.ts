/** The constraints of pages: contradictions within a page, and the writes that come after it. */

import type { Entries } from './entries.ts';
import { Contradiction, type Entry, nameOf, newOperation, type Operation } from './operations.ts';
import { contentOf, type Page, type Transaction } from './requests.ts';

interface Position {
  date: string;
  id: string;
}

/** Newest date first, and within a date the greatest id: ids of this service grow with time. */
export const byDateAndId = (a: Position, b: Position) =>
  compareTexts(b.date, a.date) || compareTexts(b.id, a.id);

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The operations of pages. Each needs the entries that it lists. */
export function pageReads(pages: Page[], entries: Entries): Operation[] {
  return pages.flatMap((page) => {
    const { response } = page;
    if (!response) return [];
    const operation = newOperation(page);
    checkOrder(page, response.transactions);
    for (const transaction of response.transactions) {
      const entry = entries.named(transaction, page);
      const content = contentOf(transaction);
      if (entry.content === undefined) {
        Object.assign(entry, { content, date: transaction.date, sourceId: page.sourceId });
      }
      if (entry.content !== content || entry.sourceId !== page.sourceId) {
        const others = entry.seenIn && entry.seenIn !== page ? [entry.seenIn] : [];
        throw new Contradiction(`A page shows ${nameOf(entry)} otherwise than it was sent or shown before`, [
          ...others,
          page,
        ]);
      }
      operation.needs.push(entry);
    }
    return [operation];
  });
}

function checkOrder(page: Page, transactions: Transaction[]): void {
  const wrong = (what: string) => {
    throw new Contradiction(`A page contradicts its query: ${what}`, [page]);
  };
  if (transactions.length > page.limit) wrong(`it has more than ${page.limit} entries`);
  if (transactions.length === 0 && page.response?.nextCursor) wrong('it is empty, and there are more');
  let before = page.after;
  for (const each of transactions) {
    if (before && byDateAndId(before, each) >= 0) wrong(`${each.id} is out of order`);
    if (!isWithin(each.date, page)) wrong(`${each.id} is outside of its dates`);
    before = each;
  }
}

const isWithin = (date: string, { from, to }: Page) => (!from || date >= from) && (!to || date <= to);

/** Records with each write the pages that lack an entry which it creates. */
export function addLacking(pages: Operation[], entries: Entries): void {
  const bySource = new Map<string, Listed[]>();
  for (const entry of entries.seen) {
    const { id, date, sourceId } = entry;
    if (id === undefined || date === undefined || sourceId === undefined) continue;
    const listed = bySource.get(sourceId) ?? [];
    bySource.set(sourceId, listed);
    listed.push({ id, date, entry });
  }
  for (const listed of bySource.values()) listed.sort(byDateAndId);
  for (const operation of pages) {
    const page = operation.request as Page;
    for (const entry of lackedBy(operation, bySource.get(page.sourceId) ?? [])) precede(operation, entry);
    for (const entry of entries.unseen) if (certainlyLacks(page, entry)) precede(operation, entry);
  }
}

interface Listed extends Position {
  entry: Entry;
}

/** The entries that belong on the page and are not on it: they were not stored yet. */
function lackedBy({ request, needs }: Operation, all: Listed[]): Entry[] {
  const page = request as Page;
  const { transactions = [], nextCursor } = page.response ?? {};
  const shown = new Set(needs);
  const last = nextCursor ? transactions.at(-1) : undefined;
  const lacked: Entry[] = [];
  const { from, to, after } = page;
  const isBefore = (each: Position) =>
    (to !== undefined && each.date > to) || (after !== undefined && byDateAndId(after, each) >= 0);
  const isBeyond = (each: Position) =>
    (from !== undefined && each.date < from) || (last !== undefined && byDateAndId(each, last) >= 0);
  for (let index = firstNot(isBefore, all); index < all.length; index++) {
    const each = all[index] as Listed;
    if (isBeyond(each)) break;
    if (!shown.has(each.entry)) lacked.push(each.entry);
  }
  return lacked;
}

/** The first position at which the condition fails. The items before it fulfil the condition, and no later one does. */
function firstNot(condition: (each: Position) => boolean, all: Listed[]): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(all[middle] as Listed)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Without an id, its position within its date is unknown; with several creators, its date too. */
function certainlyLacks(page: Page, { date = '', sourceId, creators }: Entry): boolean {
  if (sourceId !== page.sourceId || creators.length !== 1 || !isWithin(date, page)) return false;
  const { transactions = [], nextCursor } = page.response ?? {};
  const last = nextCursor ? transactions.at(-1) : undefined;
  return (!page.after || date < page.after.date) && (!last || date > last.date);
}

function precede(page: Operation, entry: Entry): void {
  for (const { begun, lackedBy } of entry.creators) {
    const isObvious = begun >= page.ended || lackedBy.at(-1)?.page === page;
    if (!isObvious) lackedBy.push({ page, entry });
  }
}
