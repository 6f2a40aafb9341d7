/** The client of the Bookkeeping Ledger API. */
import { type Api, type Connection, createApi, execute } from './http.ts';
import { type PushOptions, type PushResult, pushEntries } from './push.ts';
import type {
  Account,
  CategorySet,
  CategorySets,
  NewTransaction,
  Source,
  SourceType,
  Transaction,
} from './resources.ts';
import { type Pause, withRetries } from './retries.ts';

export interface LedgerOptions extends Connection {
  /** How long to retry a service that fails or cannot be reached; 30 s by default. */
  retryTimeoutMs?: number;
}

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  /** Called when a request waits before it is repeated. */
  onPause?: (pause: Pause) => void;
  /** Overrides the option of the ledger. */
  retryTimeoutMs?: number | undefined;
}

export interface TransactionsOptions extends ReadOptions {
  /** `YYYY-MM-DD`, both inclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

const PAGE_SIZE = 200;

/** Every method rejects with LedgerError, or with the reason of its `signal`. */
export class Ledger {
  readonly #api: Api;
  readonly #retryTimeoutMs: number;

  constructor({ retryTimeoutMs = 30_000, ...connection }: LedgerOptions) {
    this.#api = createApi(connection);
    this.#retryTimeoutMs = retryTimeoutMs;
  }

  /** The account of the key. */
  async me(options: ReadOptions = {}): Promise<Account> {
    return this.#read((signal) => this.#api.GET('/api/v1/me', { signal }), options);
  }

  /** The account's income sources, oldest first. */
  async sources(options: ReadOptions = {}): Promise<Source[]> {
    const { sources } = await this.#read((signal) => this.#api.GET('/api/v1/sources', { signal }), options);
    return sources;
  }

  /** The categories of every source type, or of one. */
  categories(sourceType?: undefined, options?: ReadOptions): Promise<CategorySets>;
  categories(sourceType: SourceType, options?: ReadOptions): Promise<CategorySet>;
  async categories(sourceType?: SourceType, options: ReadOptions = {}): Promise<unknown> {
    const params = { query: sourceType === undefined ? {} : { sourceType } };
    return this.#read((signal) => this.#api.GET('/api/v1/categories', { params, signal }), options);
  }

  /** Every entry of a source, newest date first. Reads a page when the previous one is used up. */
  async *transactions(
    sourceId: string,
    { from, to, ...options }: TransactionsOptions = {},
  ): AsyncGenerator<Transaction, void, void> {
    let cursor: string | undefined;
    do {
      const query = {
        limit: PAGE_SIZE,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(cursor !== undefined && { cursor }),
      };
      const params = { path: { id: sourceId }, query };
      const page = await this.#read(
        (attempt) => this.#api.GET('/api/v1/sources/{id}/transactions', { params, signal: attempt }),
        options,
      );
      yield* page.transactions;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /**
   * Creates any number of entries, in requests of at most 500. Safe to repeat for entries with an `externalRef`.
   * @throws PushError, which has the outcomes so far; TypeError, before anything is sent, for an entry without JSON
   */
  push(sourceId: string, entries: Iterable<NewTransaction>, options: PushOptions = {}): Promise<PushResult> {
    return pushEntries(this.#api, sourceId, entries, options);
  }

  async #read<Data>(
    request: (signal: AbortSignal) => Promise<{ data?: Data; error?: unknown; response: Response }>,
    { retryTimeoutMs = this.#retryTimeoutMs, ...options }: ReadOptions,
  ): Promise<Data> {
    const { data } = await withRetries(() => execute(this.#api, request), {
      ...options,
      retryTimeoutMs,
    });
    return data;
  }
}
