/** Evidence made up for the tests of the audit. */
import type { Books, Row } from '../books.ts';
import {
  type Loss,
  type Me,
  newHistory,
  type Operation,
  type Page,
  type Request,
  type SentEntry,
  type Sources,
  type Write,
} from '../history.ts';
import { audit, type Evidence, type Rule } from './audit.ts';

const ACCOUNT = 'account';
const SOURCE = 'source';
export const SECOND_US = 1_000_000;

/** A history with books that bear it out, for a test to spoil. */
export class ForgedCase implements Evidence {
  readonly history = newHistory();
  readonly books: Books = { rows: [], writes: [], sources: [] };
  excuses: Evidence['excuses'] = [];
  redisUndisturbed = true;
  #now = 0;

  constructor() {
    this.books.sources.push({ id: SOURCE, accountId: ACCOUNT, transactionCount: 0 });
  }

  #call(keyId = 'key') {
    const begun = this.#now++;
    return { accountId: ACCOUNT, keyId, gateway: 'gateway 0', begun, ended: this.#now++ };
  }

  operation(name: string, refs: (string | undefined)[]): Operation {
    return {
      name,
      accountId: ACCOUNT,
      sourceId: SOURCE,
      sourceType: 'uk-property',
      single: false,
      invalid: false,
      entries: refs.map((ref, index) => ({
        date: '2026-04-06',
        type: 'income',
        amountPence: index + 1,
        description: `${name}/${index}`,
        ...(ref !== undefined && { externalRef: ref }),
      })),
    };
  }

  /** Sends it and stores what is new of it, in one transaction. */
  write(operation: Operation, keyId?: string): Write {
    const call = this.#call(keyId);
    const committed = call.begun * SECOND_US;
    const rows: Row[] = [];
    const existing: Row[] = [];
    for (const entry of operation.entries) {
      const all = [...this.books.rows, ...rows];
      const known = all.find(({ externalRef }) => externalRef !== null && externalRef === entry.externalRef);
      if (known) existing.push(known);
      else rows.push({ ...stored(entry), committed });
    }
    this.books.rows.push(...rows);
    if (rows.length > 0) this.#log(rows.length, committed);
    const references = (list: Row[]) => list.map(({ id, externalRef }) => ({ id, externalRef }));
    const write: Write = {
      kind: 'write',
      operation,
      ...call,
      outcome: rows.length > 0 ? 201 : 200,
      answer: {
        created: rows.length,
        deduplicated: existing.length,
        transactions: references(rows),
        existing: references(existing),
      },
    };
    this.history.requests.push(write);
    return write;
  }

  #log(created: number, committed: number): void {
    const { writes, sources } = this.books;
    const total = (writes.at(-1)?.total ?? 0) + created;
    writes.push({ accountId: ACCOUNT, writtenAt: committed, created, total, committed });
    for (const source of sources) source.transactionCount += created;
  }

  /** A request that fails, or is refused. */
  failing(outcome: Request['outcome'], code?: string, keyId?: string): Me {
    const me: Me = { kind: 'me', ...this.#call(keyId), outcome, ...(code !== undefined && { code }) };
    this.history.requests.push(me);
    return me;
  }

  /** Reads every entry, newest first. */
  page(): Page & Required<Pick<Page, 'answer'>> {
    const transactions = this.books.rows
      .map(({ accountId, sourceId, committed, ...transaction }) => transaction)
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    const page = {
      kind: 'page' as const,
      sourceId: SOURCE,
      limit: 200,
      ...this.#call(),
      outcome: 200,
      answer: { transactions, nextCursor: null },
    };
    this.history.requests.push(page);
    return page;
  }

  sources(transactionCount: number): void {
    const answer = { sources: [{ id: SOURCE, transactionCount }] };
    const sources: Sources = { kind: 'sources', ...this.#call(), outcome: 200, answer };
    this.history.requests.push(sources);
  }

  me(keyId: string): Me {
    const me: Me = { kind: 'me', ...this.#call(keyId), outcome: 200, answer: { accountId: ACCOUNT } };
    this.history.requests.push(me);
    return me;
  }

  revoke(keyId: string): void {
    const { begun, ended } = this.#call();
    this.history.revocations.push({ kind: 'revocation', accountId: ACCOUNT, keyId, begun, ended });
  }

  /** Takes the source from the account, or all of it; until `regain` is called. */
  lose(what: 'source' | 'account'): { regain: () => void } {
    const { begun, ended } = this.#call();
    const never = Number.POSITIVE_INFINITY;
    const loss: Loss = {
      kind: 'loss',
      what,
      accountId: ACCOUNT,
      ...(what === 'source' && { sourceId: SOURCE }),
      code: what === 'source' ? 'source_not_found' : 'invalid_key',
      ...{ begun, ended, regaining: never, regained: never },
    };
    this.history.losses.push(loss);
    return {
      regain: () => {
        const { begun, ended } = this.#call();
        Object.assign(loss, { regaining: begun, regained: ended });
      },
    };
  }

  get rules(): Rule[] {
    return [...new Set(audit(this).map(({ rule }) => rule))].sort();
  }
}

const stored = (entry: SentEntry) => ({
  id: `id of ${entry.description}`,
  accountId: ACCOUNT,
  sourceId: SOURCE,
  category: null,
  externalRef: null,
  ...entry,
});

/** A batch, and one that repeats an entry of it and one of its own; then a read of either kind. */
export function sound(): ForgedCase {
  const it = new ForgedCase();
  it.write(it.operation('a', ['r1', 'r2', undefined]));
  it.write(it.operation('b', ['r2', 'r3', 'r3']));
  it.page();
  it.sources(it.books.rows.length);
  return it;
}

export const first = <Item>(items: Item[]): Item => items[0] as Item;
