/** TLS to Redis: `rediss://` takes a certificate of a known authority and of the right name, and nothing else. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { startRedis } from '../../local/servers/redis.ts';
import { newAuthority, newFiles } from '../fixtures/certificates.ts';
import { send } from '../fixtures/client.ts';
import { freePort } from '../fixtures/free-port.ts';
import { startOwnGateway } from '../fixtures/own-services.ts';

setDefaultTimeout(60_000);

const port = freePort();
const authority = await newAuthority('ours');
/** The certificate of Redis, for `localhost` alone, and its authority. */
const ours = newFiles(await authority.issue('redis', ['localhost']), authority.cert);
const settings = {
  bind: '127.0.0.1',
  'tls-port': String(port),
  'tls-cert-file': ours.cert,
  'tls-key-file': ours.key,
  'tls-ca-cert-file': ours.ca,
  'tls-auth-clients': 'no',
};
const redis = await startRedis({ settings });
afterAll(() => redis?.stop());

const TRUSTED = { NODE_EXTRA_CA_CERTS: ours.ca };

test.each<[what: string, url: string, authority: Record<string, string>, limits: string]>([
  ['its authority and its name', `rediss://localhost:${port}`, TRUSTED, 'shared'],
  ['another name', `rediss://127.0.0.1:${port}`, TRUSTED, 'in-process'],
  ['an authority that this machine does not trust', `rediss://localhost:${port}`, {}, 'in-process'],
  ['no TLS', `redis://localhost:${port}`, TRUSTED, 'in-process'],
])('with %s: %s', async (_, redisUrl, env, limits) => {
  const gateway = await startOwnGateway({ redisUrl, env });
  expect((await send('/readyz', { url: gateway.url })).body.limits).toBe(limits);
});
