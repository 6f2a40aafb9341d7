/** POST of batches in which every entry is already in the books. */
import { READ_ACCOUNTS, rotation } from '../accounts.ts';
import { exchange } from '../connection.ts';
import { type NewEntry, newEntries } from '../entries.ts';
import { httpConnection } from '../http-load.ts';
import { postRequest } from '../requests.ts';
import { type Bench, sidesOf } from '../work.ts';
import type { Workload } from '../workload.ts';
import { emptied } from './post.ts';

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
      for (const { url } of [bench.service, bench.reference]) {
        const connection = await httpConnection(url);
        for (const [account] of accounts) {
          await exchange(connection, postRequest(account, batchOf(account.accountId), '201'));
        }
        connection.close();
      }
    },
    sides: () =>
      sidesOf(bench, {
        newPicker: () => rotation(accounts),
        request: (account) => postRequest(account, batchOf(account.accountId), '200'),
      }),
  };
}
