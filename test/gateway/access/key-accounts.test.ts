/** The accounts of keys in a gateway's memory: bounded, short-lived, and no decision. */
import { expect, test } from 'bun:test';
import { createAdmission, rememberKeyAccounts } from '../../../gateway/access/admission.ts';
import { createQuotas } from '../../../gateway/http/quotas.ts';
import type { Ledger } from '../../../gateway/ledger/client.ts';
import { mintApiKey } from '../../../ledger-worker/admin/keys.ts';
import { bearer } from '../../fixtures/endpoints.ts';

const MINUTE_MS = 60_000;

/** An admission, the clock of its memory, and the number of its requests to the worker. */
function remembering() {
  const clock = { ms: 1_000, now: () => clock.ms };
  let requests = 0;
  const ledger: Pick<Ledger, 'authenticate'> = {
    async authenticate() {
      requests++;
      return { accountId: `account ${requests}`, plan: 'pro', readOnly: false };
    },
  };
  const { admit, end } = createAdmission({
    keyPrefix: 'ledger',
    requestTimeoutMs: 5_000,
    quotas: createQuotas(80, 0),
    keyAccounts: rememberKeyAccounts(clock),
    limits: { count: async () => ({ admitted: true, remaining: 1, entriesLeft: undefined }) },
    ledger: ledger as Ledger,
  });
  async function accountOf(key: string): Promise<string> {
    const request = new Request('http://gateway.example/api/v1/me', { headers: bearer(key) });
    const { caller } = await admit(request, undefined);
    end(request);
    return caller.accountId;
  }
  return { clock, accountOf, requests: () => requests };
}

test('the account of a key costs one request to the worker in five minutes, however often it is used', async () => {
  const { accountOf, clock, requests } = remembering();
  const key = mintApiKey('ledger');
  for (let n = 0; n < 5; n++) {
    expect(await accountOf(key)).toBe('account 1');
    clock.ms += MINUTE_MS;
    expect(requests()).toBe(1);
  }
  clock.ms += 1;
  expect(await accountOf(key)).toBe('account 2');
});

test('50,000 keys are remembered, and the one that was used longest ago is dropped first', () => {
  const accounts = rememberKeyAccounts();
  const remember = (key: string) => accounts.set(key, { accountId: `account of ${key}`, readOnly: false });
  for (let n = 0; n < 50_000; n++) remember(`key ${n}`);
  expect(accounts.get('key 0')?.accountId).toBe('account of key 0');
  remember('one more');
  expect(['key 0', 'key 1', 'key 2', 'one more'].filter((key) => accounts.get(key))).toEqual([
    'key 0',
    'key 2',
    'one more',
  ]);
});
