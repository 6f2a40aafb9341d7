/** The accounts of keys in a gateway's memory: bounded, short-lived, and no decision. */
import { expect, test } from 'bun:test';
import { rememberKeyAccounts } from '../../../gateway/access/key-accounts.ts';

const MINUTE_MS = 60_000;

/** A memory, its clock, and the number of its requests to the worker. */
function remembered() {
  const clock = { ms: 1_000, now: () => clock.ms };
  const accounts = rememberKeyAccounts(clock);
  let requests = 0;
  const accountOf = (key: string) =>
    accounts.accountOf(Buffer.from(key), async () => {
      requests++;
      return { accountId: `account of ${key}`, readOnly: key.startsWith('reading') };
    });
  return { clock, accountOf, requests: () => requests };
}

test('the account of a key costs one request to the worker in five minutes, however often it is used', async () => {
  const { accountOf, clock, requests } = remembered();
  for (let n = 0; n < 5; n++) {
    expect(await accountOf('key')).toEqual({ accountId: 'account of key', readOnly: false });
    clock.ms += MINUTE_MS;
    expect(requests()).toBe(1);
  }
  clock.ms += 1;
  await accountOf('key');
  expect(requests()).toBe(2);
});

test('the keys that were used longest ago are dropped first', async () => {
  const { accountOf, requests } = remembered();
  for (let n = 0; n < 50_000; n++) await accountOf(`key ${n}`);
  await accountOf('key 0');
  expect(requests()).toBe(50_000);
  await accountOf('one more');
  await accountOf('key 0');
  expect(requests()).toBe(50_001);
  await accountOf('key 1');
  expect(requests()).toBe(50_002);
});
