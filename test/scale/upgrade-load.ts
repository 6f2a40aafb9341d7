/** Clients that send requests during an upgrade and check every response. */
import type { RequestOptions } from '../../clients/conformance/exchange.ts';
import { historyOf } from '../../clients/conformance/history-run.ts';
import type { AdminClient } from '../../proto/client.ts';
import { batch } from '../fixtures/books.ts';
import { type ApiResponse, send } from '../fixtures/client.ts';
import { newAccount } from '../fixtures/new-account.ts';

// A client uses its keys in rotation and so stays below the rate limit.
const KEYS = 40;
// So that no account reaches its daily cap.
const PAUSE_MS = 300;
const ATTEMPTS_MAX = 40;
const BACKOFF_MS_MAX = 500;
/** Known since before the upgrade. */
const FIRST = batch('before', 5);

/** The only client of an account: each round is a history of requests, which must be linearizable. */
export class UpgradeClient {
  /** The ids of the acknowledged entries. */
  readonly acknowledged: string[] = [];
  rounds = 0;
  /** Histories that no ledger explains, and failures of requests that are not safe to repeat. */
  readonly wrong: unknown[] = [];
  #sent = 0;

  private constructor(
    readonly accountId: string,
    private readonly sourceId: string,
    private readonly keys: readonly string[],
    /** The gateways in service. */
    private readonly urls: () => readonly string[],
  ) {}

  static async create(admin: AdminClient, urls: () => readonly string[]): Promise<UpgradeClient> {
    const { accountId, source, keys } = await newAccount(admin, KEYS);
    return new UpgradeClient(accountId, source, keys, urls);
  }

  async work(stop: AbortSignal): Promise<void> {
    const path = `/api/v1/sources/${this.sourceId}/transactions`;
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'before' };
    await this.#request(path, { method: 'POST', headers, body: JSON.stringify(FIRST) });
    delete (headers as Record<string, string>)['idempotency-key'];
    for (; !stop.aborted && this.wrong.length === 0; this.rounds++) {
      const { history, verdict } = await historyOf({
        ...{ sourceIds: [this.sourceId], seed: this.rounds, prefix: `${this.rounds}` },
        ...{ clients: 2, writes: 4, reads: 4 },
        sendRequest: (path, options) => this.#request(path, options),
      });
      if (verdict.verdict !== 'linearizable') this.wrong.push(verdict);
      for (const request of history.requests) {
        if (request.kind !== 'write') continue;
        this.acknowledged.push(...(request.response?.transactions ?? []).map(({ id }) => id));
      }
      const { body } = await this.#request(path, { method: 'POST', headers, body: JSON.stringify(FIRST) });
      if (body?.deduplicated !== FIRST.length || body.conflicts) this.wrong.push(body);
      await Bun.sleep(PAUSE_MS);
    }
  }

  /** Sends to the gateways in rotation, and retries until a success what is safe to repeat. */
  async #request(path: string, options: RequestOptions): Promise<Pick<ApiResponse, 'status' | 'body'>> {
    const { method, headers = {}, signal, body } = options;
    const isSafe = method !== 'POST' || 'idempotency-key' in headers;
    const hasReferences = !isSafe && JSON.parse(String(body)).every((each: object) => 'externalRef' in each);
    for (let attempt = 0; ; attempt++) {
      const urls = this.urls();
      const n = this.#sent++;
      const authorization = `Bearer ${this.keys[n % this.keys.length]}`;
      const url = urls[n % urls.length] ?? '';
      const response = await send(path, {
        ...(options as object),
        url,
        headers: { ...headers, authorization },
      }).catch((error: Error) => error);
      if (!(response instanceof Error) && response.status < 300) return response;
      if (signal?.aborted) throw response;
      if (!isSafe || attempt === ATTEMPTS_MAX) {
        // The history has it as unknown.
        if (!hasReferences) this.wrong.push({ path, body, response });
        throw response;
      }
      await Bun.sleep(Math.min(10 * 2 ** attempt, BACKOFF_MS_MAX));
    }
  }
}
