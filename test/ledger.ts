/** The questions of the RPC Ask as functions, each in a call of its own, with entries in the place of their JSON. */
import type { status } from '@grpc/grpc-js';
import { hashApiKey } from '../proto/api-key.ts';
import {
  type Answer__Output as Answer,
  type CreateEntriesRequest,
  createLedgerClient,
  type QuestionName,
  type ReplyOf,
  type RequestOf,
} from '../proto/ledger.ts';
import { askAll } from './ask.ts';
import type { TestAccount } from './client.ts';

/** As proto/ledger.proto has it. */
export interface Entry {
  id: string;
  date: string;
  type: string;
  amountPence: number;
  category?: string;
  description?: string;
  externalRef?: string;
}

export const newEntry = (fields: Partial<Entry> = {}): Entry => ({
  id: Bun.randomUUIDv7(),
  date: '2026-04-06',
  type: 'income',
  amountPence: 1,
  ...fields,
});

/** As a request carries them. */
export const entriesJson = (entries: readonly unknown[]) => Buffer.from(JSON.stringify(entries));

/** Those of a page. What they have not is null. */
export const entriesOf = ({ page }: ReplyOf<'listEntries'>) => JSON.parse(`[${page?.entriesJson ?? ''}]`);

type NewEntries = Omit<CreateEntriesRequest, 'entriesJson'> & { entries: readonly Entry[] };

interface Options {
  /** ms since the epoch. */
  deadline?: number;
  /** Aborting it gives the call up. */
  signal?: AbortSignal;
}

export type TestLedger = ReturnType<typeof openLedger>;

/** What fails rejects with `code` and `details`, as a call would. */
export function openLedger(address: string) {
  const client = createLedgerClient(address, {});

  async function ask<Name extends QuestionName>(name: Name, request: RequestOf<Name>, options: Options = {}) {
    const { deadline = Date.now() + 60_000, signal } = options;
    const [answer] = await askAll(client, [{ [name]: request, timeoutMs: deadline - Date.now() }], {
      onCall(call) {
        signal?.addEventListener('abort', () => call.cancel(), { once: true });
        call.end();
      },
    });
    const { failure, [name]: reply } = answer as Answer;
    if (failure) throw Object.assign(new Error(failure.details), failure);
    return reply as ReplyOf<Name>;
  }

  return {
    ...client,
    authenticate: (request: RequestOf<'authenticate'>, options?: Options) =>
      ask('authenticate', request, options),
    listSources: (request: RequestOf<'listSources'>, options?: Options) =>
      ask('listSources', request, options),
    listEntries: (request: RequestOf<'listEntries'>) => ask('listEntries', request),
    createEntries: ({ entries, ...request }: NewEntries, options?: Options) =>
      ask('createEntries', { ...request, entriesJson: entriesJson(entries) }, options),
  };
}

/** An account and its key, as a request of a gateway names them. */
export const callerOf = ({ accountId, key }: TestAccount) => ({ accountId, keyHash: hashApiKey(key) });

/** What a call fails with. @throws Error when it succeeds */
export async function failure(call: Promise<unknown>): Promise<{ code: status; details: string }> {
  return call.then(
    (reply) => Promise.reject(new Error(`answered ${JSON.stringify(reply).slice(0, 200)}`)),
    (error) => ({ code: error.code, details: error.details }),
  );
}
