/** The gateway's metrics: implements the observers that its folders declare. */
import { status } from '@grpc/grpc-js';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type InFlightCounts, readGauge, registerInFlight, SECONDS } from '../platform/metrics.ts';
import type { LimitsObserver } from './access/limits.ts';
import type { RequestObserver } from './http/request-log.ts';
import type { LedgerClientObserver } from './ledger/client.ts';
import type { ClockObserver } from './ledger/health.ts';

interface Metrics extends RequestObserver, LimitsObserver, LedgerClientObserver, ClockObserver {
  /** Registers gauges that are read at each scrape. @param read `isRedisUp`: undefined when no Redis is configured */
  registerGauges(read: {
    requests(): number;
    bodyBytes(): number;
    isRedisUp: (() => boolean) | undefined;
    inFlight: InFlightCounts;
  }): void;
}

export function createMetrics(registry: Registry): Metrics {
  const registers = [registry];
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the head of a request to its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'ledger_api_errors_total',
    help: 'Error responses, by their code.',
    labelNames: ['code'],
    registers,
  });
  const decisions = new Counter({
    name: 'ledger_minute_decisions_total',
    help: 'Requests that the minute limit admitted or refused, and where it was kept: shared in Redis or in this process.',
    labelNames: ['decision', 'kept'],
    registers,
  });
  const refusedByDay = new Counter({
    name: 'ledger_day_refused_total',
    help: 'Writes refused by the pre-check of the daily cap in Redis, without a request to a worker.',
    registers,
  });
  const attempts = new Histogram({
    name: 'grpc_client_handling_seconds',
    help: 'Attempts at requests to a worker, by their gRPC status.',
    labelNames: ['grpc_method', 'grpc_code'],
    buckets: SECONDS,
    registers,
  });
  const clockAhead = new Gauge({
    name: 'ledger_clock_ahead_seconds',
    help: 'How far the clock of this gateway is ahead of the database at least; negative: behind. 0: they may agree.',
    registers,
  });

  return {
    requestFinished({ method, route, status }, seconds) {
      requests.observe({ method, route, status }, seconds);
    },
    errorReturned(code) {
      errors.inc({ code });
    },
    minuteDecided(decision, kept) {
      decisions.inc({ decision, kept });
    },
    writeRefused() {
      refusedByDay.inc();
    },
    rpcFinished(method, code, seconds) {
      attempts.observe({ grpc_method: method, grpc_code: status[code] }, seconds);
    },
    clockCompared(aheadMs) {
      clockAhead.set(aheadMs / 1000);
    },
    registerGauges(read) {
      const gauge = readGauge.bind(undefined, registry);
      gauge('http_requests_in_flight', 'Requests with a key, without a response yet.', read.requests);
      gauge('ledger_body_bytes_in_flight', 'Bytes in memory of bodies above 64 KiB.', read.bodyBytes);
      registerInFlight(registry)(read.inFlight);
      const { isRedisUp } = read;
      if (!isRedisUp) return;
      gauge(
        'ledger_redis_up',
        '1 while the limits are shared through Redis, 0 while this process keeps them.',
        () => (isRedisUp() ? 1 : 0),
      );
    },
  };
}
