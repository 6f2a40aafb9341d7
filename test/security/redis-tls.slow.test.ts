/** TLS to Redis: `rediss://` takes a certificate of a known authority and of the right name, and nothing else. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { startGateway } from '../../local/servers/gateway.ts';
import { type Redis, startRedis } from '../../local/servers/redis.ts';
import { type Files, newAuthority, newFiles } from '../fixtures/certificates.ts';
import { send } from '../fixtures/client.ts';
import { freePort } from '../fixtures/free-port.ts';
import { system } from '../fixtures/system.ts';

setDefaultTimeout(60_000);

const port = freePort();
/** The certificate of Redis, for `localhost` alone, and its authority. */
let ours: Files;
let redis: Redis | undefined;

beforeAll(async () => {
  const authority = await newAuthority('ours');
  ours = newFiles(await authority.issue('redis', ['localhost']), authority.cert);
  redis = await startRedis({
    settings: {
      bind: '127.0.0.1',
      'tls-port': String(port),
      'tls-cert-file': ours.cert,
      'tls-key-file': ours.key,
      'tls-ca-cert-file': ours.ca,
      'tls-auth-clients': 'no',
    },
  });
  if (!redis) throw new Error('neither Redis nor Valkey is on the PATH');
});

afterAll(async () => {
  await redis?.stop();
  ours.remove();
});

const rows: [what: string, url: string, authority: () => object, limits: string][] = [
  ['its authority and its name', `rediss://localhost:${port}`, () => extra(ours.ca), 'shared'],
  ['another name', `rediss://127.0.0.1:${port}`, () => extra(ours.ca), 'in-process'],
  ['an authority that this machine does not trust', `rediss://localhost:${port}`, () => ({}), 'in-process'],
  ['no TLS', `redis://localhost:${port}`, () => extra(ours.ca), 'in-process'],
];
const extra = (file: string) => ({ NODE_EXTRA_CA_CERTS: file });

test.each(rows)('with %s: %s', async (_, redisUrl, authority, limits) => {
  const { workerAddress } = system;
  const gateway = await startGateway({ workerAddress, redisUrl, env: { ...authority() } });
  expect((await send('/readyz', { url: gateway.url })).body.limits).toBe(limits);
  await gateway.stop();
});
