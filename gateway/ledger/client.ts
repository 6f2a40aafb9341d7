/** The gateway's view of the ledger worker: one function per question, with deadline and retry; refusals are ApiErrors. */
import { status } from '@grpc/grpc-js';
import { ExponentialBackoff, handleType, retry } from 'cockatiel';
import type { ClientSecurity } from '../../platform/mutual-tls.ts';
import { endRpc, rpcSpan, type Span } from '../../platform/tracing.ts';
import {
  type Created__Output as Created,
  createLedgerClient,
  MESSAGE_BYTES_MAX,
  type Page__Output as Page,
  type QuestionName,
  type Rejection__Output as Rejection,
  type ReplyOf,
  type RequestOf,
  type Source__Output as Source,
} from '../../proto/client.ts';
import type { Plan } from '../../proto/vocabulary.ts';
import type { Caller } from '../access/auth.ts';
import { Unavailable } from '../api/errors.ts';
import type { ListScope, Position } from '../input/cursor.ts';
import type { Entries } from '../input/entries.ts';
import { fingerprint } from '../input/idempotency.ts';
import type { Metrics } from '../metrics.ts';
import { dailyCap, idempotencyKeyReused, invalidCategory, rejected, sourceNotFound } from './errors.ts';
import { type QuestionOptions, Questions, Unanswered } from './multiplexer.ts';

export interface PageQuery extends ListScope {
  after: Position | undefined;
  limit: number;
}

export interface Write {
  sourceId: string;
  body: Entries;
  /** UUIDv7, one for each entry. */
  ids: readonly string[];
  /** Undefined: the client sent none. */
  idempotencyKey: string | undefined;
}

export interface Identity {
  accountId: string;
  plan: Plan;
}

/**
 * Every function throws ApiError invalid_key or upgrade_required, and Unavailable when no worker answered within the
 * budget: whether one did the work is then unknown, and asking again is safe. What only reads is given up, with
 * ClientGone, when its client is gone.
 */
export interface Ledger {
  /** The account behind a key, asked of the books each time. */
  authenticate(keyHash: Buffer, budget: Budget): Promise<Identity>;
  listSources(caller: Caller, budget: Budget): Promise<Source[]>;
  /** @throws ApiError source_not_found */
  listEntries(caller: Caller, query: PageQuery, budget: Budget): Promise<Page>;
  /**
   * Creates the entries, all or none. Once begun, it goes on without its client.
   * @throws ApiError source_not_found, invalid_category, daily_cap, idempotency_key_reused
   */
  createEntries(caller: Caller, write: Write, budget: Budget): Promise<Created>;
  /** Whether any worker says, by the gRPC health protocol, that it serves. */
  isServing(): Promise<boolean>;
  close(): void;
}

export interface LedgerOptions {
  /** A gRPC target: `host:port`, or `dns:///name:port` for every worker behind the name. */
  address: string;
  /** What the workers are shown, and must show. */
  security: ClientSecurity;
  /** Called when the worker rejects a key. */
  onRejected(keyHash: Buffer): void;
  metrics: Metrics;
}

/** How long the work for a request may still take, and whether its client still waits. */
export interface Budget {
  /** ms since the epoch. */
  deadline: number;
  gone: AbortSignal;
  /** Of the request, where it is part of a trace. */
  span?: Span | undefined;
}

/** Nobody waits for the answer any more. */
export class ClientGone extends Error {}

// One attempt that hangs must leave time for another, on another worker.
const ATTEMPT_MS_MAX = 5_000;
const HEALTH_MS_MAX = 1_000;
const HEALTH_ANSWER_MS_MAX = 500;
const HEALTH_PAUSE_MS = 50;

const CHANNEL_OPTIONS = {
  // All workers in turn.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
  // With the default of 64 KiB a few pages at a time wait for each other.
  'grpc-node.flow_control_window': 4 * 1024 * 1024,
  // The defaults wait up to two minutes before they look again for a worker that was away.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  // Asked again whenever a connection ends, which workers see to: by default 30 s later at the earliest.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  // A worker that stands still is noticed while there is time for another attempt. It gets no more calls until it moves
  // again: before that, no connection to it is complete.
  'grpc.keepalive_time_ms': 2_000,
  'grpc.keepalive_timeout_ms': 2_000,
};

/** Connects when it is first asked. */
export function createLedger({ address, security, onRejected, metrics }: LedgerOptions): Ledger {
  const client = createLedgerClient(address, CHANNEL_OPTIONS, security);
  // Over the same connections, but by turns of their own: probes at a steady pace could otherwise take every turn of a worker.
  const prober = createLedgerClient(address, CHANNEL_OPTIONS, security);
  const questions = new Questions(client);

  /** Asks, again where that may help, until the budget is spent. */
  function ask<Name extends QuestionName>(
    name: Name,
    request: RequestOf<Name>,
    budget: Pick<Budget, 'deadline'> & Partial<Budget>,
  ): Promise<ReplyOf<Name>> {
    return attempt(budget, (options) => {
      const begun = performance.now();
      const span = budget.span?.child(...rpcSpan(name));
      const answered = (code: status) => {
        metrics.workerAsked(name, status[code], (performance.now() - begun) / 1000);
        endRpc(span, code, 'client');
      };
      const reply = questions.ask(name, request, options, span);
      reply.then(
        () => answered(status.OK),
        (error) => answered(error instanceof Unanswered ? error.code : status.UNKNOWN),
      );
      return reply;
    });
  }

  /** The error of a reply that holds nothing else: a rejection, or an outcome that only a newer worker knows. */
  function rejectedKey(keyHash: Buffer, rejection: Rejection | undefined): Error {
    if (rejection === undefined) return new Error('the worker answered with an unknown outcome');
    onRejected(keyHash);
    return rejected(rejection);
  }

  return {
    async authenticate(keyHash, budget) {
      const reply = await ask('authenticate', { keyHash }, budget);
      if (!reply.identity) throw rejectedKey(keyHash, reply.rejected);
      return { accountId: reply.identity.accountId, plan: reply.identity.plan as Plan };
    },

    async listSources(caller, budget) {
      const reply = await ask('listSources', { caller }, budget);
      if (!reply.sources) throw rejectedKey(caller.keyHash, reply.rejected);
      return reply.sources.sources;
    },

    async listEntries(caller, { sourceId, from, to, after, limit }, budget) {
      const request = {
        caller,
        sourceId,
        limit,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(after !== undefined && { after }),
      };
      const reply = await ask('listEntries', request, budget);
      if (reply.page) return reply.page;
      if (reply.sourceNotFound) throw sourceNotFound(sourceId);
      throw rejectedKey(caller.keyHash, reply.rejected);
    },

    async createEntries(caller, { sourceId, body, ids, idempotencyKey }, { deadline, span }) {
      // As JSON: a message of each entry would take either process longer than all else that it does with it.
      const entries = body.entries.map((entry, index) => ({ ...entry, id: ids[index] as string }));
      const request = {
        caller,
        sourceId,
        entriesJson: Buffer.from(JSON.stringify(entries)),
        ...(idempotencyKey !== undefined && {
          idempotency: { key: idempotencyKey, fingerprint: fingerprint(sourceId, body) },
        }),
      };
      const reply = await ask('createEntries', request, { deadline, span });
      if (reply.created) return reply.created;
      if (reply.sourceNotFound) throw sourceNotFound(sourceId);
      if (reply.invalidCategories) throw invalidCategory(reply.invalidCategories, body);
      if (reply.idempotencyKeyReused) throw idempotencyKeyReused(idempotencyKey ?? '');
      if (reply.dailyCapReached) throw dailyCap(reply.dailyCapReached);
      throw rejectedKey(caller.keyHash, reply.rejected);
    },

    async isServing() {
      // Each question goes to the next worker.
      for (const end = Date.now() + HEALTH_MS_MAX; Date.now() < end; await Bun.sleep(HEALTH_PAUSE_MS)) {
        const deadline = Math.min(end, Date.now() + HEALTH_ANSWER_MS_MAX);
        if ((await prober.checkHealth('ledger.v1.Ledger', { deadline })) === 'SERVING') return true;
      }
      return false;
    },

    close() {
      client.close();
      prober.close();
    },
  };
}

/** A failure that another attempt may cure. Every question may be repeated: entries carry their ids. */
class Transient extends Error {}

const TRANSIENT = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.ABORTED,
  status.RESOURCE_EXHAUSTED,
  status.CANCELLED,
]);

// Where every worker is full, more attempts would only make it worse.
const FULL_WORKERS_MAX = 3;

const BACKOFF_MS_MAX = 500;
const retries = retry(handleType(Transient), {
  // The deadline ends the attempts, long before this.
  maxAttempts: 1_000,
  backoff: new ExponentialBackoff({ initialDelay: 20, maxDelay: BACKOFF_MS_MAX }),
});

/** Calls until it succeeds, fails for good, the time is up, or `gone` says that nobody waits. */
async function attempt<Reply>(
  { deadline, gone }: { deadline: number; gone?: AbortSignal },
  ask: (options: QuestionOptions) => Promise<Reply>,
): Promise<Reply> {
  let fullWorkers = 0;
  return retries.execute(async () => {
    if (gone?.aborted) throw new ClientGone();
    try {
      return await ask({ deadline: Math.min(deadline, Date.now() + ATTEMPT_MS_MAX), gone });
    } catch (error) {
      if (gone?.aborted) throw new ClientGone();
      if (!(error instanceof Unanswered) || !TRANSIENT.has(error.code)) throw error;
      const { code } = error;
      if (code === status.RESOURCE_EXHAUSTED && ++fullWorkers === FULL_WORKERS_MAX) {
        throw new Unavailable('the workers are full', { cause: error });
      }
      if (Date.now() + BACKOFF_MS_MAX < deadline) throw new Transient('', { cause: error });
      throw new Unavailable('no worker answered in time', { cause: error });
    }
  });
}
