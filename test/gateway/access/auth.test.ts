/** Whose key is it, and what does it open? (docs/api/requests.md) */
import { expect, test } from 'bun:test';
import { mintApiKey } from '../../../ledger-worker/admin/keys.ts';
import { send, TestAccount } from '../../fixtures/client.ts';
import { ENDPOINTS, type Endpoint, failure } from '../../fixtures/endpoints.ts';
import { admin } from '../../fixtures/system.ts';
import { comparable } from '../../security/comparable.ts';

const account = await TestAccount.create();
const prefix = account.key.slice(0, account.key.indexOf('_live_'));
const secret = account.key.slice(`${prefix}_live_`.length);
const swapped = (character = '') => (character === 'a' ? 'b' : 'a');

// A HEAD has no body, and so no code.
const codeOf = ({ name }: Endpoint, code: string) => (name.startsWith('HEAD') ? undefined : code);
const successOf = ({ name }: Endpoint) => (name.startsWith('POST') ? 201 : 200);

const MALFORMED: [string, string][] = [
  ['no key', ''],
  ['only the secret', secret],
  ['another prefix', `x${account.key}`],
  ['a key for tests', `${prefix}_test_${secret}`],
  ['one character less', account.key.slice(0, -1)],
  ['twice', `${account.key} ${account.key}`],
  ['a percent escape', account.key.replace('_live_', '%5Flive%5F')],
  ['its own hash', new Bun.CryptoHasher('sha256').update(account.key).digest('hex')],
  ['very long', `${prefix}_live_${'A'.repeat(8_000)}`],
  ['the last letter of the checksum changed', account.key.slice(0, -1) + swapped(account.key.at(-1))],
  ['the checksum of another key', account.key.slice(0, -6) + mintApiKey(prefix).slice(-6)],
];

test.each(MALFORMED)('a malformed key is 401 invalid_key, and is not repeated: %s', async (_, key) => {
  const response = await send('/api/v1/me', { headers: { authorization: `Bearer ${key}` } });
  expect(failure(response)).toEqual([401, 'invalid_key']);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  // Refused by its shape, without a query: the message does not say "unknown".
  expect(response.body.error.message).toContain('malformed');
  expect(response.body.error.message).not.toContain(key || account.key);
});

test.each(ENDPOINTS)(
  'from the very next request on, a revoked key that was cached gets the response of an unknown one: $name',
  async (endpoint) => {
    const { keyId, key } = await admin.createKey({ accountId: account.accountId });
    for (const { request } of ENDPOINTS) expect((await request(account, key)).status).toBeLessThan(300);
    const before = await account.entries();

    await admin.revokeKey({ keyId });

    const unknown = await endpoint.request(account, mintApiKey(prefix));
    expect(failure(unknown)).toEqual([401, codeOf(endpoint, 'invalid_key')]);
    for (let attempt = 0; attempt < 2; attempt++)
      expect(comparable(await endpoint.request(account, key))).toEqual(comparable(unknown));
    expect(await account.entries()).toEqual(before);
  },
);

test.each(ENDPOINTS)('the free plan has no API access, 403 upgrade_required: $name', async (endpoint) => {
  const customer = await TestAccount.create('free');
  const { accountId, key } = customer;
  // A change of plan holds from the next request on, both ways.
  for (const plan of ['pro', 'expat', 'firm']) {
    const response = await endpoint.request(customer, key);
    expect(failure(response)).toEqual([403, codeOf(endpoint, 'upgrade_required')]);
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(response.headers.get('x-ratelimit-remaining')).toBeNull();
    await admin.setPlan({ accountId, plan });
    expect((await endpoint.request(customer, key)).status).toBe(successOf(endpoint));
    await admin.setPlan({ accountId, plan: 'free' });
  }
});
