/** Clients who work while the service is replaced under them, and know what they must be told. */
import type { AdminClient } from '../../proto/client.ts';
import { batch } from '../fixtures/books.ts';
import { type ApiResponse, entry, type Json, send } from '../fixtures/client.ts';

// A client's requests take turns with them, so that none of its minutes gets full.
const KEYS = 40;
const BATCH = 5;
const PAUSE_MS = 5;
const ATTEMPTS_MAX = 40;
const BACKOFF_MS_MAX = 500;

interface Request {
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** What it asks for has a name: sent again it does no harm. */
  isRepeatable: boolean;
}

/** One account's client, and the only one: of every answer it knows what it must be. */
export class UpgradeClient {
  /** Of the entries. */
  readonly acknowledged: string[] = [];
  rounds = 0;
  slowestMs = 0;
  /** Requests that failed, and were sent again. */
  repeated = 0;
  /** What no client can mend: a wrong answer, or a failure of what may not be sent again. */
  readonly wrong: unknown[] = [];
  #sent = 0;

  private constructor(
    readonly accountId: string,
    readonly sourceId: string,
    private readonly keys: readonly string[],
    /** Of the gateways that are in service. */
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
      await this.#pairUnderOneKey();
      await this.#batchTwiceAtOnce();
      await this.#readBack();
      await this.#knownBatch(this.rounds);
      // Of the time before the upgrade.
      await this.#knownBatch(0);
      await this.#count();
      await Bun.sleep(PAUSE_MS);
    }
  }

  /** Nothing names it. */
  async #single(): Promise<void> {
    const body = entry({ date: dayOf(this.rounds) });
    const answer = await this.#ask('/transactions', { body, isRepeatable: false });
    this.#expect('a single entry is created', [answer.status, answer.body.created], [201, 1]);
    this.acknowledged.push(...idsOf(answer));
  }

  async #pairUnderOneKey(): Promise<void> {
    const body = entry({ date: dayOf(this.rounds) });
    const headers = { 'idempotency-key': `round-${this.rounds}` };
    const ids = await this.#twiceAtOnce({ body, headers, isRepeatable: true });
    this.#expect('one entry under one Idempotency-Key', ids.length, 1);
    this.acknowledged.push(...ids);
  }

  async #batchTwiceAtOnce(): Promise<void> {
    const ids = await this.#twiceAtOnce({ body: this.#batch(this.rounds), isRepeatable: true });
    this.#expect('an entry for each reference', ids.length, BATCH);
    this.acknowledged.push(...ids);
  }

  /** By two gateways, and mostly two workers. */
  async #twiceAtOnce(request: Request): Promise<string[]> {
    const answers = await Promise.all([
      this.#ask('/transactions', request),
      this.#ask('/transactions', request),
    ]);
    const [one = [], other] = answers.map((answer) => idsOf(answer).sort());
    this.#expect('both are told the same ids', other, one);
    return one;
  }

  async #readBack(): Promise<void> {
    const day = dayOf(this.rounds);
    const query = `?from=${day}&to=${day}&limit=200`;
    const { body } = await this.#ask('/transactions', { query, isRepeatable: true });
    this.#expect(
      'what was acknowledged is read',
      idsOf({ body }).sort(),
      this.acknowledged.slice(-2 - BATCH).sort(),
    );
  }

  async #knownBatch(round: number): Promise<void> {
    const { status, body } = await this.#ask('/transactions', {
      body: this.#batch(round),
      isRepeatable: true,
    });
    this.#expect('a known batch', [status, body.deduplicated, body.conflicts], [200, BATCH, undefined]);
    const strange = idsOf({ body }).filter((id) => !this.acknowledged.includes(id));
    this.#expect('under the ids of the first time', strange, []);
  }

  async #count(): Promise<void> {
    const { body } = await this.#ask('', { isRepeatable: true });
    this.#expect('the count', body.sources?.[0].transactionCount, this.acknowledged.length);
  }

  #batch = (round: number) => batch(`round-${round}`, BATCH, { date: dayOf(round) });

  /** Each at the next gateway. What may be repeated is, until it succeeds. */
  async #ask(path: '' | '/transactions', request: Request): Promise<Pick<ApiResponse, 'status' | 'body'>> {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#send(path, request);
      if (!(answer instanceof Error) && answer.status < 300) return answer;
      const mayPass = answer instanceof Error || answer.status >= 500;
      if (!mayPass || !request.isRepeatable || attempt === ATTEMPTS_MAX) {
        const failure = answer instanceof Error ? answer.message : [answer.status, answer.body];
        this.wrong.push({ request, failure });
        return { status: 0, body: {} };
      }
      this.repeated++;
      await Bun.sleep(Math.min(10 * 2 ** attempt, BACKOFF_MS_MAX));
    }
  }

  async #send(
    path: '' | '/transactions',
    { query = '', body, headers }: Request,
  ): Promise<ApiResponse | Error> {
    const urls = this.urls();
    const turn = this.#sent++;
    const begun = performance.now();
    const answer = await send(`/api/v1/sources${path && `/${this.sourceId}${path}`}${query}`, {
      url: urls[turn % urls.length] ?? '',
      headers: {
        authorization: `Bearer ${this.keys[turn % this.keys.length]}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    }).catch((error: Error) => error);
    this.slowestMs = Math.max(this.slowestMs, performance.now() - begun);
    return answer;
  }

  #expect(what: string, actual: unknown, expected: unknown): void {
    if (!Bun.deepEquals(actual, expected)) this.wrong.push({ what, round: this.rounds, actual, expected });
  }
}

/** A day of its own for each round. */
const dayOf = (round: number) => new Date(Date.UTC(2020, 0, 1 + round)).toISOString().slice(0, 10);

const idsOf = ({ body: { transactions = [], existing = [] } }: Pick<ApiResponse, 'body'>): string[] =>
  [...transactions, ...existing].map(({ id }: Json) => id);
