/** Evidence that the tests of the audit construct. */
import type { Books, Row } from '../books.ts';
import {
  type AccessLoss,
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

/** A history with consistent books, into which a test forges an error. */
export class ForgedCase implements Evidence {
  readonly history = newHistory();
  readonly books: Books = { rows: [], writes: [], sources: [] };
  allowedFailures: Evidence['allowedFailures'] = [];
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

  /** Records a write and stores its new entries in one transaction. */
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
      response: {
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

  /** Records a request that fails or is refused. */
  failing(outcome: Request['outcome'], code?: string, keyId?: string): Me {
    const me: Me = { kind: 'me', ...this.#call(keyId), outcome, ...(code !== undefined && { code }) };
    this.history.requests.push(me);
    return me;
  }

  /** Records a read of every entry, newest first. */
  page(): Page & Required<Pick<Page, 'response'>> {
    const transactions = this.books.rows
      .map(({ accountId, sourceId, committed, ...transaction }) => transaction)
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    const page = {
      kind: 'page' as const,
      sourceId: SOURCE,
      limit: 200,
      ...this.#call(),
      outcome: 200,
      response: { transactions, nextCursor: null },
    };
    this.history.requests.push(page);
    return page;
  }

  sources(transactionCount: number): void {
    const response = { sources: [{ id: SOURCE, transactionCount }] };
    const sources: Sources = { kind: 'sources', ...this.#call(), outcome: 200, response };
    this.history.requests.push(sources);
  }

  me(keyId: string): Me {
    const me: Me = { kind: 'me', ...this.#call(keyId), outcome: 200, response: { accountId: ACCOUNT } };
    this.history.requests.push(me);
    return me;
  }

  revoke(keyId: string): void {
    const { begun, ended } = this.#call();
    this.history.revocations.push({ kind: 'revocation', accountId: ACCOUNT, keyId, begun, ended });
  }

  /** Records the removal of the source or the account until `restore` is called. */
  lose(what: 'source' | 'account'): { restore: () => void } {
    const { begun, ended } = this.#call();
    const never = Number.POSITIVE_INFINITY;
    const loss: AccessLoss = {
      kind: 'loss',
      what,
      accountId: ACCOUNT,
      ...(what === 'source' && { sourceId: SOURCE }),
      code: what === 'source' ? 'source_not_found' : 'invalid_key',
      ...{ begun, ended, restoring: never, restored: never },
    };
    this.history.accessLosses.push(loss);
    return {
      restore: () => {
        const { begun, ended } = this.#call();
        Object.assign(loss, { restoring: begun, restored: ended });
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

/** A batch, a second one that repeats entries of the first and of itself, and reads of both kinds. */
export function sound(): ForgedCase {
  const it = new ForgedCase();
  it.write(it.operation('a', ['r1', 'r2', undefined]));
  it.write(it.operation('b', ['r2', 'r3', 'r3']));
  it.page();
  it.sources(it.books.rows.length);
  return it;
}

export const first = <Item>(items: Item[]): Item => items[0] as Item;
