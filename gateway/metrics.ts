/** What the gateway counts and times. */
import { Counter, Histogram, type Registry } from 'prom-client';
import { readGauge, SECONDS } from '../platform/metrics.ts';
import type { LimitsMode } from './access/limits.ts';
import type { ErrorCode } from './api/errors.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export interface AnsweredRequest {
  /** `other` for what HTTP has no name for, or this service no use. */
  method: string;
  /** The template of the path, `none` where there is nothing: never what a client wrote. */
  route: string;
  status: number;
  seconds: number;
}

/** Registers the metrics; each function counts something. */
export function createMetrics(registry: Registry) {
  const registers = [registry];
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the head of a request to its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'ledger_api_errors_total',
    help: 'Answers that are errors, by the code that they carry.',
    labelNames: ['code'],
    registers,
  });
  const decisions = new Counter({
    name: 'ledger_minute_decisions_total',
    help: 'Requests that the limit of a minute admitted or refused, and where it was kept: shared in Redis or in this process.',
    labelNames: ['decision', 'kept'],
    registers,
  });
  const shed = new Counter({
    name: 'ledger_day_shed_total',
    help: 'Writes that Redis knew not to fit the day: no worker was asked.',
    registers,
  });
  const attempts = new Histogram({
    name: 'grpc_client_handling_seconds',
    help: 'Attempts at questions to a worker, by their gRPC status.',
    labelNames: ['grpc_method', 'grpc_code'],
    buckets: SECONDS,
    registers,
  });

  return {
    requestAnswered({ method, route, status, seconds }: AnsweredRequest) {
      requests.observe({ method, route, status }, seconds);
    },
    errorAnswered(code: ErrorCode) {
      errors.inc({ code });
    },
    minuteDecided(decision: 'admitted' | 'refused', kept: LimitsMode) {
      decisions.inc({ decision, kept });
    },
    dayShed() {
      shed.inc();
    },
    workerAsked(method: string, code: string, seconds: number) {
      attempts.observe({ grpc_method: method, grpc_code: code }, seconds);
    },
    /** Read each time that somebody looks. @param read `isRedisUp`: undefined where there is no Redis by intent */
    gauges(read: { requests(): number; bodyBytes(): number; isRedisUp: (() => boolean) | undefined }) {
      const gauge = readGauge.bind(undefined, registry);
      gauge('http_requests_in_flight', 'Requests that are not answered yet.', read.requests);
      gauge('ledger_body_bytes_held', 'Bytes that have arrived of bodies over 64 KiB.', read.bodyBytes);
      const { isRedisUp } = read;
      if (!isRedisUp) return;
      gauge(
        'ledger_redis_up',
        '1 while the limits are shared through Redis, 0 while this process keeps them alone.',
        () => (isRedisUp() ? 1 : 0),
      );
    },
  };
}
