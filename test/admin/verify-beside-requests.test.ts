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

test('after each change of the Admin service, a restored account and an erasure nothing is found', async () => {
  const account = await TestAccount.create();
  const { accountId } = account;
  const { body } = await account.post([entry({ externalRef: 'a' }), entry({ category: 'periodAmount' })]);
  const [{ id = '' }] = body.transactions;
  const source = account.sources['uk-property'];
  const of = { accountId, sourceId: source, date: entry().date, id };
  const { keyId } = await admin.createKey({ accountId });
  const changes = [
    () => admin.setPlan({ accountId, plan: 'firm' }),
    () => admin.categorise({ ...of, category: 'periodAmount' }),
    () => admin.categorise({ ...of, category: 'otherIncome' }),
    () => admin.renameSource({ id: source, name: 'Flat' }),
    () => admin.removeSource({ id: account.sources['self-employment'] }),
    () => admin.removeSource({ id: account.sources['self-employment'] }),
    () => admin.deleteAccount({ accountId }),
    () => admin.restoreAccount({ accountId }),
    () => admin.revokeKey({ keyId }),
    () => admin.revokeKey({ keyId }),
    () => admin.deleteAccount({ accountId }),
  ];
  for (const change of changes) {
    await change();
    expect(await verify(system.databaseUrl, '--account', accountId)).toMatchObject({ exitCode: 0 });
  }
  await admin.eraseAccount({ accountId });
  const { out } = await verify(system.databaseUrl, '--account', accountId);
  expect(JSON.parse(out)).toMatchObject({
    findings: [],
    notChecked: [expect.stringContaining('There is no account')],
  });
});
