/** POST of new entries, single or in batches, evenly over the accounts or mostly to few of them. */
import { type Account, rotation, skewed } from '../accounts.ts';
import { newEntries } from '../entries.ts';
import { postRequest } from '../requests.ts';
import { emptyBooks } from '../stored.ts';
import { type Bench, sidesOf, type Work } from '../work.ts';
import type { Workload } from '../workload.ts';

/** @param entries per request */
export function post(bench: Bench, entries: number, clients: number): Workload {
  return {
    group: 'post',
    name: `POST ${entries}`,
    clients,
    prepare: () => emptied(bench),
    sides: () =>
      sidesOf(
        bench,
        creating(entries, () => rotation(bench.accounts)),
      ),
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
  return { newPicker, request: (account) => postRequest(account, newEntries(entries), '201') };
}
