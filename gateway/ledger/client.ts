/** The ledger worker as the gateway sees it: one function per method, with deadline and retries. */
import { status } from '@grpc/grpc-js';
import type { InFlightCounts } from '../../platform/metrics.ts';
import type { ClientSecurity } from '../../platform/mutual-tls.ts';
import type { Quota } from '../../platform/quota.ts';
import { createLedgerClient } from '../../proto/client.ts';
import {
  type Created__Output as Created,
  type DatabaseTime,
  MESSAGE_BYTES_MAX,
  type MethodName,
  type Page__Output as Page,
  type RequestOf,
  type ResponseOf,
  rpcName,
  type Source__Output as Source,
} from '../../proto/contract.ts';
import { isCategory, type SourceType } from '../../proto/domain.ts';
import { readOnlyKey } from '../api/errors.ts';
import type { Caller, RequestContext } from '../http/request-context.ts';
import { fingerprint, type ParsedBody } from '../input/entries.ts';
import type { PageQuery } from '../input/page-query.ts';
import { isServing } from './health.ts';
import { Multiplexer, RpcError } from './multiplexer.ts';
import { invalidCategory, outcomeError, sourceNotFound } from './outcomes.ts';
import { withRetries } from './retries.ts';

interface Write {
  sourceId: string;
  body: ParsedBody;
  ids: readonly string[];
  idempotencyKey: string | undefined;
}

export type Identity = NonNullable<ResponseOf<'authenticate'>['identity']>;

/**
 * Every request throws ApiError invalid_key or upgrade_required; Unavailable when no worker responded before the
 * deadline, in which case the work may or may not be done, and repeating the request is safe; and, for reads,
 * ClientDisconnected.
 */
export interface Ledger {
  /** The account behind a key, and the kind of the key, read from the database each time. */
  authenticate(keyHash: Buffer, context: RequestContext): Promise<Identity>;
  listSources(caller: Caller, context: RequestContext): Promise<Source[]>;
  /** @throws ApiError source_not_found */
  listEntries(caller: Caller, query: PageQuery, context: RequestContext): Promise<Page>;
  /**
   * Creates the entries, all or none. Continues when the client disconnects.
   * @throws ApiError read_only_key, source_not_found, invalid_category, daily_cap, idempotency_key_reused
   */
  createEntries(caller: Caller, write: Write, context: RequestContext): Promise<Created>;
  /**
   * Checks for errors that refuse the write on any day. Writes nothing.
   * @throws ApiError read_only_key, source_not_found, invalid_category
   */
  checkWrite(caller: Caller, write: Write, context: RequestContext): Promise<void>;
  /** Whether any worker reports SERVING. @param onFailure gets the reason of each attempt that fails */
  isServing(onFailure?: (reason: string | undefined) => void): Promise<boolean>;
  inFlight: InFlightCounts;
  close(): void;
}

export interface LedgerClientObserver {
  /** Of each attempt. */
  rpcFinished(method: MethodName, code: status, seconds: number): void;
}

interface LedgerClientOptions {
  /** A gRPC target: `host:port`, or `dns:///name:port` for every worker behind the name. */
  address: string;
  security: ClientSecurity;
  /** Of the API keys. The workers must create keys with the same one. */
  keyPrefix: string;
  /** Called with the response to a health check, at its arrival. */
  onTimes(times: readonly DatabaseTime[], roundTripMs: number): void;
  observer: LedgerClientObserver;
  /** Requests that try again after their quick attempts. */
  retryQuota: Quota;
}

const CHANNEL_OPTIONS = {
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
  // With the default of 64 KiB, concurrent pages wait for each other.
  'grpc-node.flow_control_window': 4 * 1024 * 1024,
  // By default a worker that was unavailable is tried again after up to two minutes.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  // The name is resolved again whenever a connection ends, and workers limit the age of connections. The default is at
  // most once in 30 s.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  // Detects a worker that hangs while there is time for another attempt. It gets no requests until it responds again.
  'grpc.keepalive_time_ms': 2_000,
  'grpc.keepalive_timeout_ms': 2_000,
  // Workers end each connection after 5 s. Without requests, the gateway reconnects at the next one, and finds the current workers.
  'grpc.client_idle_timeout_ms': 10_000,
};

/** Connects at the first request. */
export function createLedger(options: LedgerClientOptions, connect = createLedgerClient): Ledger {
  const { address, security, keyPrefix, onTimes, observer, retryQuota } = options;
  const client = connect(address, CHANNEL_OPTIONS, security, keyPrefix);
  // Shares the connections but has its own round robin: probes at a steady pace could otherwise always reach the same worker.
  const prober = connect(address, CHANNEL_OPTIONS, security, keyPrefix);
  const multiplexer = new Multiplexer(client);

  /** Sends a request, with retries until its deadline. Without a `signal` it cannot be cancelled. */
  function send<Name extends MethodName>(
    name: Name,
    request: RequestOf<Name>,
    { deadline, signal, span }: Omit<RequestContext, 'signal'> & { signal?: AbortSignal },
  ): Promise<ResponseOf<Name>> {
    return withRetries({ deadline, signal, retryQuota }, (options) => {
      const startedAt = performance.now();
      // By OpenTelemetry's conventions for RPC.
      const method = rpcName(name);
      const attemptSpan = span?.child(method, { 'rpc.system.name': 'grpc', 'rpc.method': method });
      const finish = (code: status) => {
        observer.rpcFinished(name, code, (performance.now() - startedAt) / 1000);
        attemptSpan?.set({ 'rpc.status_code': status[code] });
        if (code !== status.OK) attemptSpan?.fail(status[code]);
        attemptSpan?.end();
      };
      const response = multiplexer.execute(name, request, options, attemptSpan);
      response.then(
        () => finish(status.OK),
        (error) => finish(error instanceof RpcError ? error.code : status.UNKNOWN),
      );
      return response;
    });
  }

  const listSources: Ledger['listSources'] = async (caller, context) => {
    const response = await send('listSources', { caller }, context);
    if (!response.sources) throw outcomeError(response);
    return response.sources.sources;
  };

  const authenticate: Ledger['authenticate'] = async (keyHash, context) => {
    const response = await send('authenticate', { keyHash }, context);
    if (!response.identity) throw outcomeError(response);
    return response.identity;
  };

  return {
    authenticate,

    listSources,

    async listEntries(caller, { sourceId, from, to, after, limit }, context) {
      const request = {
        caller,
        sourceId,
        limit,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(after !== undefined && { after }),
      };
      const response = await send('listEntries', request, context);
      if (!response.page) throw outcomeError(response, { sourceId });
      return response.page;
    },

    async createEntries(caller, write, { deadline, span }) {
      const { sourceId, body, ids, idempotencyKey } = write;
      // As JSON: encoding and decoding a message per entry would cost more than all other work of either process.
      const entries = body.entries.map((entry, index) => ({ ...entry, id: ids[index] as string }));
      const request = {
        caller,
        sourceId,
        entriesJson: Buffer.from(JSON.stringify(entries)),
        writeId: ids[0] as string,
        ...(idempotencyKey !== undefined && {
          idempotency: { key: idempotencyKey, fingerprint: fingerprint(sourceId, body) },
        }),
      };
      const response = await send('createEntries', request, { deadline, span });
      if (!response.created) throw outcomeError(response, write);
      return response.created;
    },

    async checkWrite(caller, { sourceId, body }, context) {
      const [{ readOnly }, sources] = await Promise.all([
        authenticate(caller.keyHash, context),
        listSources(caller, context),
      ]);
      if (readOnly) throw readOnlyKey();
      const source = sources.find(({ id }) => id === sourceId.toLowerCase());
      if (!source) throw sourceNotFound(sourceId);
      const indexes = [...body.entries.keys()].filter((index) => {
        const { type, category } = body.entries[index] as (typeof body.entries)[number];
        return category !== undefined && !isCategory(source.type as SourceType, type, category);
      });
      if (indexes.length > 0) throw invalidCategory({ sourceType: source.type, indexes }, body);
    },

    isServing: (onFailure) => isServing(prober, onTimes, onFailure),

    inFlight: {
      requests_pending: () => multiplexer.inFlight().requests,
      streams: () => multiplexer.inFlight().streams,
    },

    close() {
      client.close();
      prober.close();
    },
  };
}
