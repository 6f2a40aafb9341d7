/** A database of a test's own with three accounts, and `admin verify` on copies of it. */
import { expect } from 'bun:test';
import { startWorker } from '../../local/system.ts';
import { createAdminClient } from '../../proto/admin-client.ts';
import { hashApiKey } from '../../proto/api-key.ts';
import type { Json } from '../fixtures/client.ts';
import { digestOfRows } from '../fixtures/database.ts';
import { newEntry, openLedger } from '../fixtures/ledger.ts';
import { equip } from '../fixtures/new-account.ts';
import { createDatabase } from '../fixtures/own-database.ts';
import { run } from './command-line.ts';

/** Three accounts in ascending order: of the first the log has three writes, with 2, 2 and 1 entries; of the others one, with 1 entry. */
export const A = '00000000-0000-7000-8000-00000000000a';
export const B = A.replace('a', 'b');
export const C = A.replace('a', 'c');

export async function createOriginal() {
  const original = await createDatabase();
  const worker = await startWorker({ databaseUrl: original.url });
  const admin = createAdminClient(worker.adminAddress);
  const ledger = openLedger(worker.address);
  for (const accountId of [A, B, C]) {
    await original.db`select ledger.create_account(${accountId}, ${Bun.randomUUIDv7()}, 'a test', 'pro')`;
    const { source: sourceId, keys } = await equip(admin, accountId, 1);
    const write = (entries: object[], more = {}) =>
      ledger.createEntries({
        caller: { accountId, keyHash: hashApiKey(keys[0] ?? '') },
        writeId: Bun.randomUUIDv7(),
        sourceId,
        entries: entries.map((fields) => newEntry(fields)),
        ...more,
      });
    if (accountId === A) {
      await write([{ externalRef: 'a' }, { externalRef: 'b' }]);
      // Of this request one entry is known.
      const once = { idempotency: { key: 'once', fingerprint: Buffer.alloc(32) } };
      await write([{ externalRef: 'a' }, { description: 'x' }, { description: 'y' }], once);
    }
    await write([{ category: 'periodAmount' }]);
  }
  admin.close();
  ledger.close();
  await worker.stop();
  await original.db`create extension amcheck`;
  await original.db.end();
  return original;
}

export const verify = (url: string, ...args: string[]) =>
  run(['verify', '--json', ...args], undefined, { DATABASE_URL: url });

/** Runs the command on a copy of the database, after `statements` of a superuser. It has to change nothing. */
export async function verifyCopy(original: string, statements: string, args: string[] = []) {
  const copy = await createDatabase(original);
  try {
    await copy.db.unsafe(statements);
    const rows = await digestOfRows(copy.db);
    const { exitCode, out, err } = await verify(copy.url, ...args);
    expect(await digestOfRows(copy.db)).toEqual(rows);
    const report = JSON.parse(out);
    return { exitCode, report, err, facts: report.findings.map(({ fact }: Json) => fact) };
  } finally {
    await copy.drop();
  }
}
