/** The client of the Bookkeeping Ledger API. */
import { type Api, type Connection, createApi, execute } from './http.ts';
import { type PushOptions, type PushResult, pushEntries } from './push-entries.ts';
import type {
  Account,
  CategorySet,
  CategorySets,
  NewTransaction,
  Source,
  SourceType,
  Transaction,
} from './resources.ts';
import type { Resource, SchemaName } from './responses.ts';
import { type LimitOptions, type Pause, withRetries } from './retries.ts';

export interface LedgerOptions extends Connection, LimitOptions {
  /** How long to retry a service that fails or cannot be reached; 30 s by default. */
  retryTimeoutMs?: number;
  /** Called when a request waits before it is repeated, unless its call has an `onPause` or an `onProgress`. */
  onPause?: ((pause: Pause) => void) | undefined;
}

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  /** Called when a request waits before it is repeated. */
  onPause?: ((pause: Pause) => void) | undefined;
  /** Overrides the option of the ledger. */
  retryTimeoutMs?: number | undefined;
}

export interface TransactionsOptions extends ReadOptions {
  /** The first and the last day, as `YYYY-MM-DD`. */
  from?: string | undefined;
  to?: string | undefined;
}

const PAGE_SIZE = 200;

/** The methods that read reject with LedgerError, or with the reason of their `signal`. */
export class Ledger {
  readonly #api: Api;
  readonly #options: LimitOptions & Pick<LedgerOptions, 'onPause'>;
  readonly #retryTimeoutMs: number;

  constructor({
    retryTimeoutMs = 30_000,
    onPause,
    pauseMsMax,
    limitTimeoutMs,
    ...connection
  }: LedgerOptions) {
    this.#api = createApi(connection);
    this.#options = { onPause, pauseMsMax, limitTimeoutMs };
    this.#retryTimeoutMs = retryTimeoutMs;
  }

  /** Reads the account of the key. */
  async me(options: ReadOptions = {}): Promise<Account> {
    return this.#read('Account', '/me', options);
  }

  /** The account's income sources, oldest first. */
  async sources(options: ReadOptions = {}): Promise<Source[]> {
    return (await this.#read('SourceList', '/sources', options)).sources;
  }

  /** The categories of every source type, or of one. */
  categories(sourceType?: undefined, options?: ReadOptions): Promise<CategorySets>;
  categories(sourceType: SourceType, options?: ReadOptions): Promise<CategorySet>;
  async categories(sourceType?: SourceType, options: ReadOptions = {}): Promise<unknown> {
    if (sourceType === undefined) return this.#read('CategorySets', '/categories', options);
    return this.#read('CategorySet', `/categories?${new URLSearchParams({ sourceType })}`, options);
  }

  /** Every entry of a source, newest date first. Reads a page when the previous one is used up. */
  async *transactions(
    sourceId: string,
    { from, to, ...options }: TransactionsOptions = {},
  ): AsyncGenerator<Transaction, void, void> {
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({
        limit: String(PAGE_SIZE),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(cursor !== undefined && { cursor }),
      });
      const path = `/sources/${encodeURIComponent(sourceId)}/transactions?${query}`;
      const page = await this.#read('TransactionList', path, options);
      yield* page.transactions;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /**
   * Creates any number of entries, in requests of at most 500. Safe to repeat for entries with an `externalRef`.
   * @throws PushError, which has the outcomes so far; TypeError, before anything is sent, for an entry without JSON, and for an
   * `idempotencyKey` with more entries than one request has
   */
  push(sourceId: string, entries: Iterable<NewTransaction>, options: PushOptions = {}): Promise<PushResult> {
    return pushEntries(this.#api, sourceId, entries, options, this.#options);
  }

  async #read<Name extends SchemaName>(
    name: Name,
    path: string,
    options: ReadOptions,
  ): Promise<Resource<Name>> {
    const { retryTimeoutMs = this.#retryTimeoutMs, onPause = this.#options.onPause, signal } = options;
    return withRetries(() => execute(this.#api, name, `/api/v1${path}`), {
      ...this.#options,
      signal,
      onPause,
      retryTimeoutMs,
    });
  }
}
