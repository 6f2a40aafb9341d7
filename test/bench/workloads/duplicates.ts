/** POST of batches in which every entry is already in the books. */
import { READ_ACCOUNTS, rotation } from '../accounts.ts';
import { CREATE } from '../bare-call.ts';
import { exchange } from '../connection.ts';
import { type NewEntry, newEntries } from '../entries.ts';
import { postgresConnection } from '../postgres-load.ts';
import { postRequest } from '../requests.ts';
import { type Bench, sidesOf } from '../work.ts';
import type { Workload } from '../workload.ts';
import { createCall, emptied } from './post.ts';

// One batch for each of so many accounts.
const BATCHES = 200;

export function duplicates(bench: Bench, entries: number, clients: number): Workload {
  const accounts = bench.accounts.slice(0, Math.min(BATCHES, READ_ACCOUNTS));
  const batches = new Map<string, NewEntry[]>();
  const batchOf = (accountId: string) => batches.get(accountId) ?? [];
  return {
    group: 'duplicates',
    name: `POST ${entries}, all known`,
    clients,
    async prepare() {
      await emptied(bench);
      for (const [{ accountId }] of accounts) batches.set(accountId, newEntries(entries));
      for (const { databaseUrl } of [bench.service, bench.reference]) {
        const connection = await postgresConnection(databaseUrl, { create: CREATE });
        for (const [account] of accounts) {
          await exchange(connection, createCall(account, batchOf(account.accountId)));
        }
        connection.close();
      }
    },
    sides: () =>
      sidesOf(bench, {
        newPicker: () => rotation(accounts),
        overHttp: (account) => postRequest(account, batchOf(account.accountId), '200'),
        statements: { create: CREATE },
        bare: (account) => createCall(account, batchOf(account.accountId)),
      }),
  };
}
