/** The service with millions of stored entries, compared with a second one with few. */
import { rotation, storeAccounts } from '../accounts.ts';
import { type Books, controlBooks } from '../books.ts';
import { emptyBooks, fillBooks } from '../stored.ts';
import { warmUp } from '../warm-up.ts';
import { type Bench, httpSide, type Work } from '../work.ts';
import type { Workload } from '../workload.ts';
import { creating } from './post.ts';
import { ENTRIES_PER_READ_ACCOUNT, readAccounts, readingFirst } from './read.ts';

// Few enough to stay small, and enough to read from within the limits.
const CONTROL_READ_ACCOUNTS = 100;
const CLIENTS = 32;
const CLIENTS_BATCHES = 8;
const BATCH = 500;
const PAGE = 50;
const WARM_UP_SECONDS = 5;

/** Fills the books of the service up to `stored` entries. The read accounts are already filled. */
export async function grow({ service, accounts }: Bench, stored: number): Promise<void> {
  const has = readAccounts({ accounts }).length;
  const wanted = Math.min(accounts.length, Math.round(stored / ENTRIES_PER_READ_ACCOUNT));
  if (wanted > has) await fillBooks(service.sql, accounts.slice(has, wanted), ENTRIES_PER_READ_ACCOUNT);
}

/** @param stored the number of entries in the large books, as text */
export async function growth(
  bench: Bench,
  stored: string,
): Promise<{ workloads: Workload[]; control: Books }> {
  const { stack, service, accounts } = bench;
  const control = await controlBooks(stack);
  await storeAccounts(control.sql, accounts);
  const few = accounts.slice(0, CONTROL_READ_ACCOUNTS);
  const reading = readingFirst(bench, PAGE);
  const both = (clients: number, name: string, prepare: () => Promise<void>, large: Work, small = large) => ({
    group: 'growth' as const,
    name: `${name}, ${stored} stored`,
    clients,
    prepare,
    sides: () => [httpSide(service, large), httpSide(control, small)],
  });
  const readingFew = { ...reading, newPicker: () => rotation(few) };
  const post = (entries: number) => creating(entries, () => rotation(accounts));
  const emptied = async (work: Work) => {
    await emptyBooks(control.sql);
    await warm(control, work);
    await emptyBooks(control.sql);
  };
  const filled = async () => {
    await fillBooks(control.sql, few, ENTRIES_PER_READ_ACCOUNT);
    await warm(control, readingFew);
  };
  return {
    control,
    workloads: [
      both(CLIENTS, 'POST 1', () => emptied(post(1)), post(1)),
      both(CLIENTS_BATCHES, `POST ${BATCH}`, () => emptied(post(BATCH)), post(BATCH)),
      both(CLIENTS, `GET ${PAGE}`, filled, reading, readingFew),
    ],
  };
}

/** Warms up the new gateway and worker like those of the service. */
async function warm(control: Books, work: Work): Promise<void> {
  const side = httpSide(control, work);
  await side.begin(CLIENTS);
  await warmUp(side, WARM_UP_SECONDS);
  side.end();
}
