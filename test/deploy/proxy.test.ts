/** deploy/haproxy: consistent with the gateway, and hardened. */
import { expect, test } from 'bun:test';
import { ERRORS, type ErrorCode, UNAVAILABLE_STATUS } from '../../gateway/api/errors.ts';
import { readConfig } from '../../gateway/config.ts';
import { read } from '../fixtures/checkout.ts';
import { PLAIN, seconds } from './compose-files.ts';
import { portOf } from './processes.ts';

const { BODY_TIMEOUT_MS, REQUEST_TIMEOUT_MS, SHUTDOWN_DELAY_MS } = readConfig({});

/** haproxy.cfg, and the gateways of compose.yaml. */
const proxy = ['haproxy.cfg', 'compose.cfg']
  .flatMap((file) => read(`deploy/haproxy/${file}`).split('\n'))
  .map((line) => line.trim());
/** The values of a setting, in the order of the files. */
const setting = (name: string) =>
  proxy.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

test('the proxy never resends a request that may have reached a gateway', () => {
  expect(setting('retry-on')).toEqual(['conn-failure']);
  const resending = /^[^#]*\b(all-retryable-errors|empty-response|response-timeout|http-reuse)\b/;
  expect(proxy.filter((line) => resending.test(line))).toEqual([]);
});

test('the proxy has longer timeouts than a gateway', () => {
  const timeouts = Object.fromEntries(setting('timeout').map((line) => line.split(' ')));
  const [hardStop] = setting('hard-stop-after');
  for (const duration of [timeouts.client, timeouts.server, hardStop]) {
    expect(seconds(duration) * 1_000).toBeGreaterThan(BODY_TIMEOUT_MS + REQUEST_TIMEOUT_MS);
  }
  expect(seconds(PLAIN.services.proxy.stop_grace_period)).toBeGreaterThan(seconds(hardStop));
});

test('the proxy checks the readiness of each gateway often enough to notice a drain', () => {
  expect(setting('http-check')).toEqual(['send meth GET uri /readyz', 'expect status 200']);
  const [, intervalMs, fall] = /\binter (\d+)ms fall (\d+)\b/.exec(`${setting('default-server')}`) ?? [];
  expect(Number(intervalMs) * Number(fall)).toBeLessThan(SHUTDOWN_DELAY_MS);
});

test('the proxy resolves the gateways of compose.yaml repeatedly, since they change, with the port where they listen', () => {
  const address = `gateway:${portOf('gateway', PLAIN.services.gateway.environment)}`;
  for (const template of setting('server-template')) {
    expect(template).toContain(` ${address} `);
    expect(template).toContain(' resolvers names ');
  }
});

test('the proxy limits the requests in progress of one client, by the address that the TLS terminator passes on', () => {
  expect(setting('http-request').join('\n')).toMatch(
    /^track-sc0 req\.hdr_ip\(X-Forwarded-For,-1\) if .*\ndeny deny_status 503 if \{ sc0_conn_cur gt \d+ \}$/m,
  );
  expect(setting('stick-table')[0]).toContain('store conn_cur');
});

test('the proxy returns its own errors in the Error shape of the API', () => {
  const errors = setting('http-error').map((line) =>
    /^status (\d+) content-type application\/json string '(.*?)'/.exec(line),
  );
  expect(errors.map((match) => match?.[1])).toEqual(['408', '500', '502', '503', '504']);
  for (const [, status, body = ''] of errors.filter((match) => match !== null)) {
    const { error } = JSON.parse(body);
    expect(Object.keys(error)).toEqual(['code', 'message']);
    const isServerError = Number(status) >= 500;
    expect<number>(ERRORS[error.code as ErrorCode]).toBe(isServerError ? 500 : Number(status));
  }
  const unavailable = setting('http-error').find((line) => line.startsWith(`status ${UNAVAILABLE_STATUS}`));
  expect(unavailable).toContain('hdr Retry-After');
});
