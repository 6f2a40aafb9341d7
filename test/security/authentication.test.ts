/** API2: a key counts in one place only, and is hashed before any lookup. */
import { expect, test } from 'bun:test';
import { Registry } from 'prom-client';
import { createAdmission, rememberKeyAccounts } from '../../gateway/access/admission.ts';
import { createLimits } from '../../gateway/access/limits.ts';
import { createQuotas } from '../../gateway/http/quotas.ts';
import type { Ledger } from '../../gateway/ledger/client.ts';
import { createMetrics } from '../../gateway/metrics.ts';
import { createScripts } from '../../gateway/redis/scripts.ts';
import { mintApiKey } from '../../ledger-worker/admin/keys.ts';
import { hashApiKey } from '../../proto/api-key.ts';
import { TestAccount } from '../fixtures/client.ts';
import { bearer } from '../fixtures/endpoints.ts';
import { admin } from '../fixtures/system.ts';
import { requestText, sendBytes } from '../fixtures/wire.ts';

const account = await TestAccount.create();
const prefix = account.key.slice(0, account.key.indexOf('_live_'));

const FORM = ['Content-Type: application/x-www-form-urlencoded'];
const CHUNKED = ['Transfer-Encoding: chunked', 'Trailer: Authorization'];

test.each<[where: string, request: (get: string, key: string) => string]>([
  ['in the query', (get, key) => requestText(`${get}?access_token=${key}&key=${key}`)],
  ['in the path', (get, key) => requestText(`${get}/${key}`)],
  ['as user of the address', (get, key) => requestText(get.replace(' ', ` http://${key}:@gateway`))],
  ['in a cookie', (get, key) => requestText(get, [`Cookie: Authorization=Bearer ${key}`])],
  ['in a body', (get, key) => requestText(get, [], `{"authorization":"Bearer ${key}"}`)],
  ['in a form', (get, key) => requestText(get, FORM, `access_token=${key}`)],
  ['for a proxy', (get, key) => requestText(get, [`Proxy-Authorization: Bearer ${key}`])],
  ['in a trailer', (get, key) => `${requestText(get, CHUNKED)}0\r\nAuthorization: Bearer ${key}\r\n\r\n`],
])('a key opens nothing %s', async (_, request) => {
  const response = await sendBytes(request('GET /api/v1/me', account.key));
  expect(response).toMatch(/^HTTP\/1\.1 40[014] /);
  expect(response).not.toContain(account.accountId);
});

test('two Authorization headers are one malformed key, even of two keys that work', async () => {
  const second = (await admin.createKey({ accountId: account.accountId })).key;
  // One opens, written by hand too.
  const one = await sendBytes(requestText('GET /api/v1/me', [`Authorization: Bearer ${second}`]));
  expect(one).toContain(account.accountId);
  for (const first of [second, account.key, mintApiKey(prefix)]) {
    const headers = [first, account.key].map((key) => `Authorization: Bearer ${key}`);
    const response = await sendBytes(requestText('GET /api/v1/me', headers));
    expect(response).toStartWith('HTTP/1.1 401 ');
    expect(response).toContain('invalid_key');
  }
});

/** The gateway's admission over a ledger that accepts every key, and what its lookups are given. */
function recordedAdmission() {
  const lookups: unknown[] = [];
  const limits = createLimits(createScripts(undefined), createMetrics(new Registry()));
  const keyAccounts = Object.assign(rememberKeyAccounts(), {
    get(name: string) {
      lookups.push(Buffer.from(name, 'base64'));
      return undefined;
    },
  });
  const ledger: Pick<Ledger, 'authenticate'> = {
    async authenticate(keyHash) {
      lookups.push(keyHash);
      return { accountId: account.accountId, plan: 'pro', readOnly: false };
    },
  };
  const admission = createAdmission({
    keyPrefix: prefix,
    requestTimeoutMs: 5_000,
    quotas: createQuotas(80, 0),
    keyAccounts,
    limits,
    ledger: ledger as Ledger,
  });
  return { lookups, admit: (key: string) => admission.admit(requestWith(key), undefined) };
}

const requestWith = (key: string) =>
  new Request('http://gateway.example/api/v1/me', { headers: bearer(key) });

test('cache and database look a key up by its SHA-256 only: no comparison sees the key', async () => {
  const { lookups, admit } = recordedAdmission();
  for (const key of [account.key, mintApiKey(prefix)]) {
    const { caller } = await admit(key);
    expect(caller).toEqual({ keyHash: hashApiKey(key), accountId: account.accountId });
    expect(lookups.splice(0)).toEqual([hashApiKey(key), hashApiKey(key)]);
  }
});

test('the checksum is checked before any lookup: whether it fails depends on no stored key', async () => {
  const { lookups, admit } = recordedAdmission();
  for (const known of [account.key, mintApiKey(prefix)]) {
    const last = known.at(-1) === 'a' ? 'b' : 'a';
    const refused = admit(`${known.slice(0, -1)}${last}`);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_key' });
  }
  expect(lookups).toEqual([]);
});
