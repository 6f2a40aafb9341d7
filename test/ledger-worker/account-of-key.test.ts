/** What leads from a key to its account, whoever stored the key and when. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { openDatabase, type Sql } from '../../ledger-worker/database.ts';
import { migrate } from '../../ledger-worker/migrate.ts';
import type { Service } from '../../local/child.ts';
import { startWorker } from '../../local/system.ts';
import { hashApiKey } from '../../proto/api-key.ts';
import { type AdminClient, createAdminClient } from '../../proto/ledger.ts';
import { openLedger, type TestLedger } from '../ledger.ts';
import { sql, system } from '../system.ts';
import { BEFORE_ACCOUNT_OF_KEY } from './before-account-of-key.ts';

setDefaultTimeout(60_000);

const name = `keys_${Bun.randomUUIDv7().replaceAll('-', '')}`;
const address = new URL(system.databaseUrl);
address.pathname = name;
const services: Service[] = [];
let books: Sql;
let admin: AdminClient;
let ledger: TestLedger;

beforeAll(async () => {
  await sql`create database ${sql(name)}`;
  books = openDatabase({ url: address.href, poolMax: 1, statementTimeoutMs: 0 });
  await migrate(books);
  const worker = await startWorker({ databaseUrl: address.href });
  services.push(worker);
  admin = createAdminClient(worker.adminAddress, 'a test');
  ledger = openLedger(worker.address);
});
afterAll(async () => {
  admin.close();
  ledger.close();
  for (const service of services) await service.stop();
  await books.end();
  await sql`drop database ${sql(name)} with (force)`;
});

const newAccount = async () => (await admin.createAccount({ plan: 'pro' })).accountId;

/** As workers of the version before do. */
async function storeKey(accountId: string) {
  const [keyId, keyHash] = [Bun.randomUUIDv7(), hashApiKey(Bun.randomUUIDv7())];
  await books`insert into ledger.api_key (account_id, key_id, key_hash) values (${accountId}, ${keyId}, ${keyHash})`;
  return { accountId, keyId, keyHash };
}

async function expectToWork({ accountId, keyId, keyHash }: Awaited<ReturnType<typeof storeKey>>) {
  expect(await ledger.authenticate({ keyHash })).toMatchObject({ identity: { accountId, plan: 'pro' } });
  expect(await admin.revokeKey({ keyId })).toMatchObject({ accountId, revokedAt: expect.any(String) });
  expect(await ledger.authenticate({ keyHash })).toMatchObject({ rejected: 'REJECTION_INVALID_KEY' });
}

test('a key that a worker of the version before stores works, and is revoked by its id', async () => {
  await expectToWork(await storeKey(await newAccount()));
});

test('a key that was there before the migration works, and is revoked by its id', async () => {
  const accountId = await newAccount();
  await books.unsafe(BEFORE_ACCOUNT_OF_KEY);
  const key = await storeKey(accountId);
  await migrate(books);
  await expectToWork(key);
});

test('a key that this worker makes needs no trigger, which Citus does not take', async () => {
  const accountId = await newAccount();
  await books`alter table ledger.api_key disable trigger key_is_entered`;
  const { key, keyId } = await admin.createKey({ accountId });
  await books`alter table ledger.api_key enable trigger key_is_entered`;
  await expectToWork({ accountId, keyId, keyHash: hashApiKey(key) });
});
