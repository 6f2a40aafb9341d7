/** POST of batches in which every entry is in the books already. */
import { READ_ACCOUNTS, rotation } from '../accounts.ts';
import { CREATE } from '../bare-call.ts';
import { type NewEntry, newEntries } from '../entries.ts';
import { exchange } from '../line.ts';
import { postgresLine } from '../postgres-load.ts';
import { type Bench, sidesOf } from '../work.ts';
import type { Workload } from '../workload.ts';
import { createCall, emptied, postRequest } from './post.ts';

// So many accounts have a batch in the books.
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
        const line = await postgresLine(databaseUrl, { create: CREATE });
        for (const [account] of accounts) {
          await exchange(line, createCall(account, batchOf(account.accountId)));
        }
        line.close();
      }
    },
    sides: () =>
      sidesOf(bench, {
        turns: () => rotation(accounts),
        overHttp: (account) => postRequest(account, batchOf(account.accountId), '200'),
        statements: { create: CREATE },
        bare: (account) => createCall(account, batchOf(account.accountId)),
      }),
  };
}
