/** `admin verify` of the running system: no request beside it is taken for damage. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { batch } from '../fixtures/books.ts';
import { entry, TestAccount } from '../fixtures/client.ts';
import { admin, system } from '../fixtures/system.ts';
import { verify } from './checked-database.ts';

setDefaultTimeout(120_000);

test('beside writes and new keys, and while an account is deleted and erased, nothing is found', async () => {
  const account = await TestAccount.create();
  const { accountId } = account;
  const check = () => verify(system.databaseUrl, '--account', accountId);
  let isDone = false;
  const rounds = async (work: (n: number) => Promise<unknown>) => {
    for (let n = 0; !isDone; n++) await work(n);
  };
  const work = Promise.all([
    rounds((n) => account.post(batch(`b-${n % 100}`, 40))),
    rounds((n) => account.post([...batch(`c-${n % 100}`, 3), entry()])),
    rounds(() => admin.createKey({ accountId })),
  ]);
  for (let n = 0; n < 5; n++) expect(await check()).toMatchObject({ exitCode: 0 });
  isDone = true;
  await work;
  await admin.deleteAccount({ accountId });
  let isErased = false;
  const erased = admin.eraseAccount({ accountId }).finally(() => {
    isErased = true;
  });
  while (!isErased) expect(JSON.parse((await check()).out).findings).toEqual([]);
  await erased;
});
