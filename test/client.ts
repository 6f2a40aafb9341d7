/** A client of the API as a test needs it: an account with sources and keys, and requests that tell everything. */
import type { Plan, SourceType } from '../proto/vocabulary.ts';
import { readPages } from './paging.ts';
import { admin, system } from './system.ts';

// What comes back is what a test looks at, member by member: any, as JSON.parse has it.
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

export interface RequestOptions {
  method?: string;
  body?: Bun.BodyInit;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Another gateway than that of the system. */
  url?: string;
}

/** One request, with whatever headers it is given. The body of the answer is parsed where it is JSON. */
export async function send(path: string, options: RequestOptions = {}): Promise<Answer> {
  const { url = system.url, ...init } = options;
  const response = await fetch(url + path, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

// Below the limit of a minute, so that a long test does not run into it.
const REQUESTS_PER_KEY = 100;

export class TestAccount {
  #requestsLeft = REQUESTS_PER_KEY;

  private constructor(
    readonly accountId: string,
    /** Replaced by a fresh one before its minute is full. */
    public key: string,
    /** One source of each type. */
    readonly sources: Record<SourceType, string>,
  ) {}

  static async create(plan: Plan = 'pro'): Promise<TestAccount> {
    const { accountId = '' } = await admin.createAccount({ plan });
    const { key = '' } = await admin.createKey({ accountId });
    const [uk, foreign, self] = [
      await newSource(accountId, 'uk-property'),
      await newSource(accountId, 'foreign-property'),
      await newSource(accountId, 'self-employment'),
    ];
    const sources = { 'uk-property': uk, 'foreign-property': foreign, 'self-employment': self };
    return new TestAccount(accountId, key, sources);
  }

  /** A request with the account's key. */
  async request(path: string, options: RequestOptions = {}): Promise<Answer> {
    if (this.#requestsLeft-- === 0) {
      this.#requestsLeft = REQUESTS_PER_KEY - 1;
      this.key = (await admin.createKey({ accountId: this.accountId })).key;
    }
    return send(path, { ...options, headers: { authorization: `Bearer ${this.key}`, ...options.headers } });
  }

  get(path: string): Promise<Answer> {
    return this.request(path);
  }

  /** Posts `body` as JSON to a source of the account; text and bytes go as they are. */
  post(
    body: unknown,
    { source = this.sources['uk-property'], ...options }: PostOptions = {},
  ): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    return this.request(`/api/v1/sources/${source}/transactions`, {
      method: 'POST',
      body: raw ? (body as Bun.BodyInit) : JSON.stringify(body),
      ...options,
      headers: { 'content-type': 'application/json', ...options.headers },
    });
  }

  /** One page of a source. */
  page(query: Record<string, string | number> = {}, source = this.sources['uk-property']): Promise<Answer> {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
    );
    return this.get(`/api/v1/sources/${source}/transactions?${search}`);
  }

  /** Every page of a source. @param query without a cursor @throws Error when a page fails or the list has no end */
  pages(
    query: Record<string, string | number> = {},
    source = this.sources['uk-property'],
  ): Promise<TransactionList[]> {
    const read = async (cursor?: string): Promise<TransactionList> => {
      const { status, body } = await this.page({ ...query, ...(cursor !== undefined && { cursor }) }, source);
      if (status !== 200) throw new Error(`page failed: ${status} ${JSON.stringify(body)}`);
      return body;
    };
    return readPages(read, ({ nextCursor }) => nextCursor);
  }

  /** Every entry of a source, page by page. */
  async entries(source = this.sources['uk-property'], limit = 200): Promise<Transaction[]> {
    return (await this.pages({ limit }, source)).flatMap(({ transactions }) => transactions);
  }
}

export interface PostOptions extends RequestOptions {
  source?: string;
}

export interface TransactionList {
  transactions: Transaction[];
  nextCursor: string | null;
}

export interface Transaction {
  id: string;
  date: string;
  type: 'income' | 'expense';
  category: string | null;
  amountPence: number;
  description: string | null;
  externalRef: string | null;
}

async function newSource(accountId: string, type: SourceType): Promise<string> {
  const source = await admin.createSource({ accountId, type, name: type, role: 'owner', sharePercent: 100 });
  return source.id;
}

/** A valid entry, with `fields` in the place of its own. */
export const entry = (fields: object = {}) => ({
  date: '2026-04-06',
  type: 'income',
  amountPence: 45_000,
  ...fields,
});
