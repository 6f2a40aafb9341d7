/** The stored entries of an account, each with its moment: the number of the write that created it, counted from 1. */
import { LIMITS } from '../../../proto/domain.ts';
import type { Books, Row } from '../books.ts';
import {
  type PageQuery,
  type Position,
  type Request,
  type SentEntry,
  type Write,
  writesIn,
} from '../history.ts';

export interface StoredEntry {
  row: Row;
  operation: string;
  moment: number;
}

export class Ledger {
  /** How the rows contradict each other, the write log, the counts of the sources, or what was sent. */
  readonly errors: string[] = [];
  /** The entries of the account after each write. */
  readonly totals = [0];
  readonly byId = new Map<string, StoredEntry>();
  readonly byRef = new Map<string, StoredEntry>();
  readonly byOperation: Map<string, StoredEntry[]>;
  readonly bySource: Map<string, StoredEntry[]>;

  constructor(requests: readonly Request[], { rows, writes, sources }: Books) {
    for (const { created, total } of writes) {
      this.totals.push((this.totals.at(-1) ?? 0) + created);
      this.#expect(total, this.totals.at(-1), 'the total of the write log');
    }
    if ((this.totals.at(-1) ?? 0) > LIMITS.entriesPerDay) this.errors.push('more than a day may have');

    const stored = rows.map((row) => ({ row, operation: row.description?.split('/')[0] ?? '', moment: 0 }));
    this.byOperation = Map.groupBy(stored, ({ operation }) => operation);
    for (const entries of this.byOperation.values()) {
      const ids = entries.map(({ row }) => row.id).sort();
      // The gateway makes the ids of a request in ascending order, and names the request by the first.
      const before = writes.map(({ writeId }) => writeId).filter((id) => id <= (ids[0] ?? ''));
      const latest = before.sort().at(-1);
      const moment = 1 + writes.findIndex(({ writeId }) => writeId === latest);
      for (const each of entries) each.moment = moment;
    }
    for (const n of this.totals.keys()) {
      const { length } = stored.filter(({ moment }) => moment === n);
      this.#expect(length, writes[n - 1]?.created ?? 0, `the number of rows of write ${n}`);
    }
    for (const each of stored) {
      this.byId.set(each.row.id, each);
      if (each.row.externalRef !== null) this.byRef.set(each.row.externalRef, each);
    }
    const referenced = rows.filter(({ externalRef }) => externalRef !== null).length;
    this.#expect(this.byRef.size, referenced, 'the number of references');
    this.bySource = Map.groupBy(stored, ({ row }) => row.sourceId);
    for (const { id, transactionCount } of sources) {
      this.#expect(transactionCount, this.bySource.get(id)?.length ?? 0, `the count of source ${id}`);
    }
    this.#compareWithSent(new Map(writesIn({ requests: [...requests] }).map((write) => [write.name, write])));
  }

  #expect(actual: number, expected: number | undefined, what: string): void {
    if (actual !== expected) this.errors.push(`${what} is ${actual} instead of ${expected}`);
  }

  /** A batch is stored as it was sent, whole, and in one transaction. */
  #compareWithSent(byName: ReadonlyMap<string, Write>): void {
    for (const [name, stored] of this.byOperation) {
      const { sourceId = '', entries = [] } = byName.get(name) ?? {};
      const byTag = new Map(entries.map((entry) => [entry.description, entry]));
      const isAsSent = ({ row }: StoredEntry) => {
        const sent = byTag.get(row.description ?? '');
        byTag.delete(row.description ?? '');
        return sent !== undefined && row.sourceId === sourceId && contentOf(row) === contentOf(sent);
      };
      if (!stored.every(isAsSent)) this.errors.push(`an entry of ${name} is not as it was sent`);
      const [{ moment = 0 } = {}] = stored;
      const isKnown = ({ externalRef = '' }: SentEntry) =>
        (this.byRef.get(externalRef)?.moment ?? Infinity) <= moment;
      const isWhole = [...byTag.values()].every(isKnown);
      const transactions = new Set(stored.map(({ row }) => row.transaction));
      if (!isWhole || transactions.size > 1) this.errors.push(`${name} is stored in parts`);
    }
  }
}

function contentOf(entry: SentEntry | Row): string {
  const { date, type, amountPence, category = null, description, externalRef = null } = entry;
  return JSON.stringify([date, type, amountPence, category, description, externalRef]);
}

/** Newest date first, and within a date the greatest id: ids of this service grow with time. */
const byDateAndId = (a: Position, b: Position) => compareTexts(b.date, a.date) || compareTexts(b.id, a.id);
const compareTexts = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

/** The entries that belong on the page or on those after it, in their order. */
export const matching = ({ from, to, after }: PageQuery, entries: readonly StoredEntry[]) =>
  entries
    .filter(({ row }) => (!from || row.date >= from) && (!to || row.date <= to))
    .filter(({ row }) => !after || byDateAndId(row, after) > 0)
    .sort((a, b) => byDateAndId(a.row, b.row));
