/** Clients that send requests during an upgrade and check every response. */
import type { AdminClient } from '../../proto/client.ts';
import { batch } from '../fixtures/books.ts';
import { type ApiResponse, entry, type Json, send } from '../fixtures/client.ts';

// A client uses its keys in rotation and so stays below the rate limit.
const KEYS = 40;
const BATCH = 5;
const PAUSE_MS = 5;
const ATTEMPTS_MAX = 40;
const BACKOFF_MS_MAX = 500;

interface Request {
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Safe to repeat: a read, or a write with references or an Idempotency-Key. */
  isRepeatable: boolean;
}

/** The only client of an account, so that it knows the right response to every request. */
export class UpgradeClient {
  /** The ids of the acknowledged entries. */
  readonly acknowledged: string[] = [];
  rounds = 0;
  slowestMs = 0;
  /** Failed requests that were retried. */
  retries = 0;
  /** Wrong responses, and failures of requests that are not safe to repeat. */
  readonly wrong: unknown[] = [];
  #sent = 0;

  private constructor(
    readonly accountId: string,
    readonly sourceId: string,
    private readonly keys: readonly string[],
    /** The gateways in service. */
    private readonly urls: () => readonly string[],
  ) {}

  static async create(admin: AdminClient, urls: () => readonly string[]): Promise<UpgradeClient> {
    const { accountId = '' } = await admin.createAccount({ plan: 'pro' });
    const details = { type: 'uk-property', name: 'Home', role: 'owner', sharePercent: 100 };
    const { id } = await admin.createSource({ accountId, ...details });
    const keys = await Promise.all(Array.from({ length: KEYS }, () => admin.createKey({ accountId })));
    return new UpgradeClient(
      accountId,
      id,
      keys.map(({ key }) => key),
      urls,
    );
  }

  async work(stop: AbortSignal): Promise<void> {
    for (; !stop.aborted && this.wrong.length === 0; this.rounds++) {
      await this.#single();
      await this.#twiceWithOneKey();
      await this.#batchTwiceAtOnce();
      await this.#readBack();
      await this.#knownBatch(this.rounds);
      // A batch from before the upgrade.
      await this.#knownBatch(0);
      await this.#count();
      await Bun.sleep(PAUSE_MS);
    }
  }

  /** A write without a reference or an Idempotency-Key. */
  async #single(): Promise<void> {
    const body = entry({ date: dayOf(this.rounds) });
    const response = await this.#request('/transactions', { body, isRepeatable: false });
    this.#expect('a single entry is created', [response.status, response.body.created], [201, 1]);
    this.acknowledged.push(...idsOf(response));
  }

  async #twiceWithOneKey(): Promise<void> {
    const body = entry({ date: dayOf(this.rounds) });
    const headers = { 'idempotency-key': `round-${this.rounds}` };
    const ids = await this.#twiceAtOnce({ body, headers, isRepeatable: true });
    this.#expect('one entry for one Idempotency-Key', ids.length, 1);
    this.acknowledged.push(...ids);
  }

  async #batchTwiceAtOnce(): Promise<void> {
    const ids = await this.#twiceAtOnce({ body: this.#batch(this.rounds), isRepeatable: true });
    this.#expect('an entry for each reference', ids.length, BATCH);
    this.acknowledged.push(...ids);
  }

  /** Sends the request through two gateways at once. */
  async #twiceAtOnce(request: Request): Promise<string[]> {
    const responses = await Promise.all([
      this.#request('/transactions', request),
      this.#request('/transactions', request),
    ]);
    const [one = [], other] = responses.map((response) => idsOf(response).sort());
    this.#expect('both responses have the same ids', other, one);
    return one;
  }

  async #readBack(): Promise<void> {
    const day = dayOf(this.rounds);
    const query = `?from=${day}&to=${day}&limit=200`;
    const { body } = await this.#request('/transactions', { query, isRepeatable: true });
    this.#expect(
      'the acknowledged entries are read',
      idsOf({ body }).sort(),
      this.acknowledged.slice(-2 - BATCH).sort(),
    );
  }

  async #knownBatch(round: number): Promise<void> {
    const { status, body } = await this.#request('/transactions', {
      body: this.#batch(round),
      isRepeatable: true,
    });
    this.#expect('a known batch', [status, body.deduplicated, body.conflicts], [200, BATCH, undefined]);
    const unknown = idsOf({ body }).filter((id) => !this.acknowledged.includes(id));
    this.#expect('the ids of the first time', unknown, []);
  }

  async #count(): Promise<void> {
    const { body } = await this.#request('', { isRepeatable: true });
    this.#expect('the count', body.sources?.[0].transactionCount, this.acknowledged.length);
  }

  #batch = (round: number) => batch(`round-${round}`, BATCH, { date: dayOf(round) });

  /** Sends to the gateways in rotation, and retries until a success if the request is safe to repeat. */
  async #request(
    path: '' | '/transactions',
    request: Request,
  ): Promise<Pick<ApiResponse, 'status' | 'body'>> {
    for (let attempt = 0; ; attempt++) {
      const response = await this.#send(path, request);
      if (!(response instanceof Error) && response.status < 300) return response;
      const isTransient = response instanceof Error || response.status >= 500;
      if (!isTransient || !request.isRepeatable || attempt === ATTEMPTS_MAX) {
        const failure = response instanceof Error ? response.message : [response.status, response.body];
        this.wrong.push({ request, failure });
        return { status: 0, body: {} };
      }
      this.retries++;
      await Bun.sleep(Math.min(10 * 2 ** attempt, BACKOFF_MS_MAX));
    }
  }

  async #send(
    path: '' | '/transactions',
    { query = '', body, headers }: Request,
  ): Promise<ApiResponse | Error> {
    const urls = this.urls();
    const n = this.#sent++;
    const begun = performance.now();
    const response = await send(`/api/v1/sources${path && `/${this.sourceId}${path}`}${query}`, {
      url: urls[n % urls.length] ?? '',
      headers: {
        authorization: `Bearer ${this.keys[n % this.keys.length]}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    }).catch((error: Error) => error);
    this.slowestMs = Math.max(this.slowestMs, performance.now() - begun);
    return response;
  }

  #expect(what: string, actual: unknown, expected: unknown): void {
    if (!Bun.deepEquals(actual, expected)) this.wrong.push({ what, round: this.rounds, actual, expected });
  }
}

/** A different date for each round. */
const dayOf = (round: number) => new Date(Date.UTC(2020, 0, 1 + round)).toISOString().slice(0, 10);

const idsOf = ({ body: { transactions = [], existing = [] } }: Pick<ApiResponse, 'body'>): string[] =>
  [...transactions, ...existing].map(({ id }: Json) => id);
