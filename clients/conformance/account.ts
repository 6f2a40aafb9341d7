/** One of the two accounts: its key, the sources that entries may be written into, and requests with its key. */
import { type Exchange, exchange, type Json, type RequestOptions, type Target } from './exchange.ts';
import { expectStatus, expectThat } from './expect.ts';
import { Minute } from './minute.ts';
import { type PlainOptions, plainExchange } from './plain-exchange.ts';

interface TestedSource {
  id: string;
  type: 'uk-property' | 'foreign-property' | 'self-employment';
}

interface AccountOptions extends Target {
  name: 'first' | 'second';
  key: string;
  /** The limit of requests in a minute. */
  pace: number;
}

/** A listed entry. */
interface ListedEntry {
  id: string;
  date: string;
  type: string;
  category: string | null;
  amountPence: number;
  description: string | null;
  externalRef: string | null;
}

const REPEATS_MAX = 3;
const PAGES_MAX = 100;

export class TestedAccount {
  readonly minute: Minute;
  /** Chosen by the caller; the run writes into these only. */
  sources: TestedSource[] = [];
  /** The ids of all listed sources. */
  listed: string[] = [];
  /** The rule being checked. */
  rule = '';
  /** Every exchange of the run, in the order of the responses. */
  readonly history: Exchange[];

  constructor(
    readonly options: AccountOptions,
    history: Exchange[],
  ) {
    this.minute = new Minute(options.pace, options.clock);
    this.history = history;
  }

  get source(): TestedSource {
    const [source] = this.sources;
    if (!source) throw new Error(`the ${this.options.name} account has no source`);
    return source;
  }

  /** Sends a request with the key. After a 429 `rate_limited`, waits and sends it again. */
  async request(path: string, options: RequestOptions = {}): Promise<Exchange> {
    for (let repeats = 0; ; repeats++) {
      await this.minute.admit();
      const result = await this.requestNow(path, options);
      const isLimited = result.status === 429 && result.body?.error?.code === 'rate_limited';
      if (!isLimited || repeats === REPEATS_MAX) return result;
      await this.minute.refused(Number(result.headers.get('retry-after')));
    }
  }

  /** The same, ignoring the limit. */
  async requestNow(path: string, options: RequestOptions = {}): Promise<Exchange> {
    const { name: account } = this.options;
    const result = await exchange({ rule: this.rule, account }, this.options, path, options);
    this.minute.learn(result.headers.get('x-ratelimit-remaining'));
    this.history.push(result);
    return result;
  }

  /** Sends a request that fetch cannot send, with the key. Not in the history, because a proxy may respond to it. */
  async plain(path: string, options: PlainOptions): Promise<Exchange> {
    await this.minute.admit();
    return plainExchange({ rule: this.rule, account: this.options.name }, this.options, path, options);
  }

  /** Sends a request without the key; `headers` may have another. */
  async stranger(path: string, options: RequestOptions = {}): Promise<Exchange> {
    const result = await exchange(
      { rule: this.rule, account: undefined },
      { ...this.options, key: undefined },
      path,
      options,
    );
    this.history.push(result);
    return result;
  }

  get(path: string): Promise<Exchange> {
    return this.request(path);
  }

  /** Posts JSON; sends a text unchanged. */
  post(
    body: unknown,
    { source = this.source.id, headers }: { source?: string; headers?: Record<string, string> } = {},
  ): Promise<Exchange> {
    return this.request(transactions(source), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** Creates entries for a rule. @throws Broken unless all are created */
  async create(entries: readonly object[], source = this.source.id): Promise<Json[]> {
    const created = await this.post(entries, { source });
    expectThat(created, created.body?.created === entries.length, `${entries.length} created entries`);
    return created.body.transactions;
  }

  page(query: Record<string, string | number>, source = this.source.id): Promise<Exchange> {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, `${value}`);
    return this.get(`${transactions(source)}?${parameters}`);
  }

  /** Every entry of these days, page by page. @throws Broken */
  async list(
    [from, to = from]: readonly [string, string?],
    { limit = 200, source = this.source.id } = {},
  ): Promise<{ entries: ListedEntry[]; last: Exchange }> {
    const entries: ListedEntry[] = [];
    let cursor: string | null = null;
    for (let pages = 1; ; pages++) {
      const query: Record<string, string | number> = { from, to, limit };
      if (cursor !== null) query.cursor = cursor;
      const last = await this.page(query, source);
      expectStatus(last, 200);
      entries.push(...last.body.transactions);
      cursor = last.body.nextCursor ?? null;
      if (cursor === null) return { entries, last };
      expectThat(last, pages < PAGES_MAX, 'a list that ends');
    }
  }
}

export const transactions = (source: string) => `/api/v1/sources/${source}/transactions`;
