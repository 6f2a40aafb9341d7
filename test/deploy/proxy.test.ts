/** deploy/haproxy: consistent with the gateway, and hardened. */
import { describe, expect, test } from 'bun:test';
import { ERRORS, type ErrorCode, UNAVAILABLE } from '../../gateway/api/errors.ts';
import { readConfig } from '../../gateway/config.ts';
import { read } from '../fixtures/checkout.ts';
import { PLAIN, seconds } from './compose-files.ts';
import { gatewayOfProxy, proxy, setting } from './proxy-settings.ts';

describe('the proxy:', () => {
  test('never resends a request that may have reached a gateway', () => {
    expect(setting('retry-on')).toEqual(['conn-failure']);
    expect(
      proxy.filter((line) =>
        /\b(all-retryable-errors|empty-response|response-timeout|http-reuse)\b/.test(line),
      ),
    ).toEqual([]);
  });

  test('has longer timeouts than a gateway', () => {
    const { BODY_TIMEOUT_MS, REQUEST_TIMEOUT_MS } = readConfig({});
    const timeouts = Object.fromEntries(
      setting('timeout').map((line) => line.split(' ') as [string, string]),
    );
    for (const name of ['client', 'server']) {
      expect(seconds(timeouts[name]) * 1_000).toBeGreaterThan(BODY_TIMEOUT_MS + REQUEST_TIMEOUT_MS);
    }
    const [hardStop] = setting('hard-stop-after');
    expect(seconds(hardStop) * 1_000).toBeGreaterThan(BODY_TIMEOUT_MS + REQUEST_TIMEOUT_MS);
    expect(seconds(PLAIN.services.proxy?.stop_grace_period)).toBeGreaterThan(seconds(hardStop));
  });

  test('checks the readiness of each gateway often enough to notice a drain', () => {
    expect(setting('http-check')).toEqual(['send meth GET uri /readyz', 'expect status 200']);
    const [, intervalMs, fall] =
      /\binter (\d+)ms fall (\d+)\b/.exec(setting('default-server')[0] ?? '') ?? [];
    expect(Number(intervalMs) * Number(fall)).toBeLessThan(readConfig({}).SHUTDOWN_DELAY_MS);
    // Resolved repeatedly, since the gateways change.
    expect(gatewayOfProxy.resolution).toContain('resolvers names');
  });

  test('limits the requests in progress of one client, by the address that the TLS terminator passes on', () => {
    const requests = setting('http-request');
    const track = requests.findIndex((line) =>
      line.startsWith('track-sc0 req.hdr_ip(X-Forwarded-For,-1) if { req.hdr(X-Forwarded-For) -m found }'),
    );
    expect(track).toBeGreaterThanOrEqual(0);
    expect(requests[track + 1]).toMatch(/^deny deny_status 503 if \{ sc0_conn_cur gt \d+ \}$/);
    expect(setting('stick-table')[0]).toContain('store conn_cur');
    expect(read('docs/deploying.md')).toContain('X-Forwarded-For');
  });

  test('returns its own errors in the Error shape of the API', () => {
    const errors = setting('http-error').map((line) =>
      /^status (\d+) content-type application\/json string '(.*?)'/.exec(line),
    );
    expect(errors.map((match) => match?.[1])).toEqual(['408', '500', '502', '503', '504']);
    for (const [, status, body] of errors.filter((match) => match !== null)) {
      const { error } = JSON.parse(body as string);
      expect(Object.keys(error)).toEqual(['code', 'message']);
      const usual = ERRORS[error.code as ErrorCode];
      expect([error.code, usual === Number(status) || (usual === 500 && Number(status) >= 500)]).toEqual([
        error.code,
        true,
      ]);
    }
    expect(setting('http-error').find((line) => line.startsWith(`status ${UNAVAILABLE}`))).toContain(
      'hdr Retry-After',
    );
  });
});
