/** POST of new entries, single or in batches, evenly over the accounts or mostly to few of them. */
import { type Account, rotation, skewed } from '../accounts.ts';
import { CREATE, CREATED, createParameters, PGBENCH_CREATE } from '../bare-call.ts';
import type { Request } from '../connection.ts';
import { type NewEntry, newEntries } from '../entries.ts';
import { findPgbench, pgbenchSide } from '../pgbench.ts';
import { boundCall } from '../postgres-load.ts';
import { postRequest } from '../requests.ts';
import { emptyBooks } from '../stored.ts';
import { type Bench, sidesOf, type Work } from '../work.ts';
import type { Workload } from '../workload.ts';

/** The number of clients for which pgbench runs too. It sends single entries only. */
const PGBENCH_CLIENTS = 32;

/** @param entries per request */
export function post(bench: Bench, entries: number, clients: number): Workload {
  const { service, stack, accounts } = bench;
  const withPgbench = entries === 1 && clients === PGBENCH_CLIENTS && findPgbench() !== null;
  return {
    group: 'post',
    name: `POST ${entries}`,
    clients,
    prepare: () => emptied(bench),
    sides: () => [
      ...sidesOf(
        bench,
        creating(entries, () => rotation(accounts)),
      ),
      ...(withPgbench
        ? [pgbenchSide(service.databaseUrl, PGBENCH_CREATE, stack.sql, accounts, entries)]
        : []),
    ],
  };
}

export function skewedPost(bench: Bench, clients: number): Workload {
  return {
    group: 'skewed',
    name: 'POST 1, a tenth of all to one account',
    clients,
    prepare: () => emptied(bench),
    sides: () =>
      sidesOf(
        bench,
        creating(1, () => skewed(bench.accounts)),
      ),
  };
}

export async function emptied({ service, reference }: Bench): Promise<void> {
  await emptyBooks(service.sql);
  await emptyBooks(reference.sql);
}

/** New entries, `entries` in a request. */
export function creating(entries: number, newPicker: () => () => Account): Work {
  return {
    newPicker,
    overHttp: (account) => postRequest(account, newEntries(entries), '201'),
    statements: { create: CREATE },
    bare: (account) => createCall(account, newEntries(entries)),
  };
}

export function createCall(account: Account, entries: readonly NewEntry[]): Request {
  return boundCall('create', createParameters(account, entries).map(String), CREATED, entries.length);
}
