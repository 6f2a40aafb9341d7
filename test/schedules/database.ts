/**
 * A model of a pool of connections to Postgres, and of the functions of the database that the worker calls. A write is known by its
 * id, as in `ledger.write_one`. Its entries are counted by theirs, so that a rule notices one that is created twice.
 */
import type { Pool } from '../../ledger-worker/database/pool.ts';
import type { Schedule } from './schedule.ts';

/** Of each statement in turn. */
export type Behaviour = 'responds' | 'loses the response' | 'fails' | 'hangs';

interface Key {
  accountId: string;
  isRevoked: boolean;
}

interface Statement {
  text: string;
  values: readonly unknown[];
}

// The limit of a statement, and the time for the server to report it.
const RESPONSE_MS_MAX = 4_500;

const sql = Object.assign(
  (strings: TemplateStringsArray, ...values: unknown[]): Statement => ({ text: strings.join('?'), values }),
  {
    // The library makes texts of the parameters when it sends them.
    unsafe: (text: string, values: readonly object[]): Statement => ({ text, values: values.map(String) }),
  },
);

const lost = (code: string) => Object.assign(new Error(code), { code });

/** The fields of each element of an array of rows, which hold no comma. */
const rowsOf = (text: string) =>
  [...text.matchAll(/"\((.*?)\)"/g)].map(([, fields]) => (fields as string).split(','));

export class Database {
  /** The amounts of the entries, which stand for the requests, with the time of each. */
  readonly created: { amount: number; at: number }[] = [];
  /** Called for each write that arrives, with the time until which it may be created. */
  onWrite: (writeId: string, until: number) => void = () => {};
  /** By the hash in hex. */
  readonly #keys = new Map<string, Key>();
  readonly #ids = new Set<string>();
  readonly #log = new Set<string>();
  #statements = 0;

  constructor(
    private readonly schedule: Schedule,
    private behaviours: readonly Behaviour[],
    keys: readonly { keyHash: Buffer; accountId: string }[],
  ) {
    for (const { keyHash, accountId } of keys)
      this.#keys.set(keyHash.toString('hex'), { accountId, isRevoked: false });
  }

  isRevoked(keyHash: Buffer): boolean {
    return this.#keys.get(keyHash.toString('hex'))?.isRevoked !== false;
  }

  revoke(keyHash: Buffer): void {
    this.#keys.set(keyHash.toString('hex'), { ...(this.#key(keyHash) as Key), isRevoked: true });
  }

  /** From now on, each statement gets its response. */
  heal(): void {
    this.behaviours = [];
  }

  readonly pool = {
    size: 4,
    run: (query: (sql: unknown) => Statement, signal: AbortSignal) => this.#run(query(sql), signal),
  } as unknown as Pool;

  async #run(statement: Statement, signal: AbortSignal): Promise<object[]> {
    const name = `statement ${++this.#statements}`;
    const behaviour = this.behaviours[this.#statements - 1] ?? 'responds';
    const what = /ledger\.(\w+)/.exec(statement.text.replace('ledger.require_writable', ''))?.[1];
    this.schedule.note(`${name} is ${what}${behaviour === 'hangs' ? ', and hangs' : ''}`);
    const arrivedAt = Date.now();
    if (what === 'write_group')
      for (const [, , , writeId = '', timeout] of rowsOf(`${statement.values[1]}`))
        this.onWrite(writeId, arrivedAt + Number(timeout));
    const failed = Promise.withResolvers<never>();
    failed.promise.catch(() => {});
    let isCancelled = false;
    const abort = () => {
      failed.reject(signal.reason);
      // It may come too late.
      this.schedule.event(`${name} is cancelled`, () => {
        isCancelled = true;
      });
    };
    if (signal.aborted) throw signal.reason;
    signal.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => failed.reject(lost('ETIMEDOUT')), RESPONSE_MS_MAX);
    try {
      const executed = this.schedule.happens(`${name} ${behaviour}`).then(() => {
        if (behaviour === 'fails' || isCancelled) throw lost('CONNECTION_CLOSED');
        const rows = this.#execute(statement, arrivedAt);
        if (behaviour === 'loses the response') throw lost('CONNECTION_CLOSED');
        return rows;
      });
      executed.catch(() => {});
      // One that hangs is executed later all the same.
      const rows = await Promise.race([behaviour === 'hangs' ? failed.promise : executed, failed.promise]);
      await Promise.race([this.schedule.happens(`the response to ${name} arrives`), failed.promise]);
      return rows;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  #execute({ text, values }: Statement, arrivedAt: number): object[] {
    if (text.includes('account_of_key')) return [{ accountId: this.#key(values[0])?.accountId ?? null }];
    if (text.includes('write_group')) return this.#write(values as string[], arrivedAt);
    const key = this.#key(values[1]);
    const apiAccess = key && !key.isRevoked ? true : null;
    return [{ apiAccess, plan: 'pro', id: key?.accountId, name: key?.accountId }];
  }

  #key(hash: unknown): Key | undefined {
    return this.#keys.get((hash as Buffer).toString('hex'));
  }

  #write([, writes = '', entries = '']: readonly string[], arrivedAt: number): object[] {
    const entryRows = rowsOf(entries);
    return rowsOf(writes).map((write, index) => {
      const [, keyHash = '', , writeId = '', timeout, , , first, last] = write;
      const n = index + 1;
      const own = entryRows.slice(Number(first) - 1, Number(last));
      const knownJson = own.map(([, , , amount]) => amount).join();
      const row = (outcome: string) => ({
        n,
        outcome,
        newEntries: 1,
        knownEntries: 0,
        detail: null,
        knownJson,
      });
      if (this.#log.has(writeId)) return row('created');
      if (this.#keys.get(/[0-9a-f]{64}/.exec(keyHash)?.[0] ?? '')?.isRevoked !== false)
        return { ...row('refused'), detail: 'REFUSAL_INVALID_KEY' };
      if (Date.now() - arrivedAt > Number(timeout)) return row('expired');
      this.#log.add(writeId);
      for (const [id = '', , , amount] of own) {
        if (!this.#ids.has(id)) this.created.push({ amount: Number(amount), at: Date.now() });
        this.#ids.add(id);
      }
      return row('created');
    });
  }
}
