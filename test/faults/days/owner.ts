/** The owner of an account of such a system. */
import { newAccount } from '../../fixtures/new-account.ts';
import type { OwnSystem } from './own-system.ts';

// Below the limit of a minute, so that a long test does not run into it.
const REQUESTS_PER_KEY = 100;

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: as JSON.parse returns it
  body: any;
  /** The time of the database before and after the request. */
  sentAt: number;
  repliedAt: number;
}

interface PostOptions {
  gateway?: number;
  idempotencyKey?: string;
}

export const entry = (fields: object = {}) => ({
  date: '2026-04-06',
  type: 'income',
  amountPence: 1,
  ...fields,
});

export const entries = (count: number) => Array.from({ length: count }, () => entry());

// More than the gateway waits for Redis.
const RECORD_MS_MAX = 2_000;

/** Waits until Redis has a write. A gateway that Redis keeps waiting gives the record up: the database decides. */
async function recorded(isKnown: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + RECORD_MS_MAX;
  while (performance.now() < end && !(await isKnown())) await Bun.sleep(10);
}

export async function newOwner({ admin, gateways, clocks, newestInRedis }: OwnSystem) {
  const { accountId, source, keys } = await newAccount(admin);
  let key = `${keys[0]}`;
  let left = REQUESTS_PER_KEY;
  const createdIds = new Set<string>();

  async function request(path: string, init: RequestInit = {}, gateway = 0): Promise<Reply> {
    if (left-- === 0) {
      key = (await admin.createKey({ accountId })).key;
      left = REQUESTS_PER_KEY - 1;
    }
    const sentAt = clocks.postgres.now();
    const response = await fetch(`${gateways[gateway]?.url}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    });
    const body = await response.json();
    return { status: response.status, body, sentAt, repliedAt: clocks.postgres.now() };
  }

  return {
    accountId,
    key,
    source,
    request,
    /** Resolves when Redis knows of the entries, or will not: before that no clock may move. */
    async post(body: unknown, { gateway, idempotencyKey }: PostOptions = {}): Promise<Reply> {
      const headers = {
        'content-type': 'application/json',
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      };
      const init = { method: 'POST', body: JSON.stringify(body), headers };
      const newest = await newestInRedis(accountId);
      const reply = await request(`/sources/${source}/transactions`, init, gateway);
      const id = reply.body.transactions?.[0]?.id;
      if (id !== undefined && !createdIds.has(id))
        await recorded(async () => (await newestInRedis(accountId)) !== newest);
      createdIds.add(id);
      return reply;
    },
    /** Fills the account's day, or what is left of it. */
    async fill(count = 5_000): Promise<void> {
      for (let left = count; left > 0; left -= 500) {
        const { status, body } = await this.post(entries(Math.min(left, 500)));
        if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      }
    },
    async transactionCount(): Promise<number> {
      const { body } = await request('/sources');
      return body.sources[0].transactionCount;
    },
  };
}
