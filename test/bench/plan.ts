/** The workloads, in the order of measurement. */
import type { Flags } from './flags.ts';
import { fillBooks } from './stored.ts';
import type { Bench } from './work.ts';
import type { Workload } from './workload.ts';
import { duplicates } from './workloads/duplicates.ts';
import { emptied, post, skewedPost } from './workloads/post.ts';
import { ENTRIES_PER_READ_ACCOUNT, firstPage, me, mixedDay, readAccounts } from './workloads/read.ts';

const CLIENTS = 32;
const CLIENTS_BATCHES = 8;
const BATCH = 500;
const PAGES = [50, 200];

/** The workloads that begin with empty books. */
export function writes(bench: Bench, { entries, clients }: Flags): Workload[] {
  return [
    ...entries.flatMap((each) => clients.map((many) => post(bench, each, many))),
    duplicates(bench, BATCH, CLIENTS_BATCHES),
    skewedPost(bench, CLIENTS),
  ];
}

/** The workloads that read. They need filled books. */
export function reads(bench: Bench): Workload[] {
  return [
    ...PAGES.map((limit) => firstPage(bench, limit, CLIENTS)),
    me(bench, CLIENTS),
    mixedDay(bench, CLIENTS),
  ];
}

/** The warm-up workloads before the writes and before the reads. */
export const firstWrites = (bench: Bench) => [post(bench, 1, CLIENTS), post(bench, BATCH, CLIENTS_BATCHES)];
export const firstReads = (bench: Bench) => [firstPage(bench, 50, CLIENTS), mixedDay(bench, CLIENTS)];

export async function prepareReads(bench: Bench): Promise<void> {
  await emptied(bench);
  for (const { sql } of [bench.service, bench.reference]) {
    await fillBooks(sql, readAccounts(bench), ENTRIES_PER_READ_ACCOUNT);
  }
}
