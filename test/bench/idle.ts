/** The CPU time of a system without requests, from /proc, so on Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import { newAccounts, rotation, storeAccounts } from './accounts.ts';
import { BARE_STACK_GATEWAY, BARE_STACK_WORKER, type Books, bareStackBooks, serviceBooks } from './books.ts';
import { closedLoop } from './closed-loop.ts';
import { newEntries } from './entries.ts';
import { httpConnection } from './http-load.ts';
import { allProcesses, treeOf } from './process-tree.ts';
import { postRequest } from './requests.ts';
import { startStack } from './stack.ts';

/** ms of CPU time per second, by component. Empty where it cannot be measured. */
export type IdleCpu = Record<string, number>;

const ACCOUNTS = 100;
const CLIENTS = 8;
const REQUESTS = 500;
const REST_MS = 30_000;
const MEASURED_MS = 20_000;

/** Warms up a system of its own and a bare stack on the same books, and then leaves them alone. */
export async function idleCpu(): Promise<IdleCpu> {
  if (process.platform !== 'linux') return {};
  const stack = await startStack();
  try {
    const bareStack = await bareStackBooks(stack);
    const accounts = newAccounts(ACCOUNTS);
    await storeAccounts(stack.sql, accounts);
    for (const books of [serviceBooks(stack), bareStack]) {
      await warmUp(
        books,
        Array.from({ length: REQUESTS }, rotation(accounts)).map((account) =>
          postRequest(books.accountOf(account), newEntries(1), '201'),
        ),
      );
    }
    await Bun.sleep(REST_MS);
    const [begun, before] = [performance.now(), threadsOf(stack.pids)];
    await Bun.sleep(MEASURED_MS);
    const [after, seconds] = [threadsOf(stack.pids), (performance.now() - begun) / 1_000];
    await bareStack.stop();
    const idle: IdleCpu = {};
    for (const [thread, { name, ns }] of after) {
      idle[name] = (idle[name] ?? 0) + (ns - (before.get(thread)?.ns ?? 0)) / 1e6 / seconds;
    }
    return idle;
  } finally {
    await stack.stop();
  }
}

/** Without the bare stack's own processes. It sends no statement, so Postgres works for the service alone. */
export function idleInAll(idle: IdleCpu): number {
  return Object.entries(idle).reduce((sum, [name, ms]) => sum + (isBareStack(name) ? 0 : ms), 0);
}

const isBareStack = (name: string) => name === BARE_STACK_GATEWAY || name === BARE_STACK_WORKER;

export function idleText(idle: IdleCpu): string {
  return Object.entries(idle)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
    .join(', ');
}

async function warmUp(books: Books, requests: Parameters<typeof closedLoop>[1]): Promise<void> {
  const connections = await Promise.all(Array.from({ length: CLIENTS }, () => httpConnection(books.url)));
  const { failures } = await closedLoop(connections, requests, Number.POSITIVE_INFINITY);
  for (const connection of connections) connection.close();
  for (const result of Object.keys(failures)) throw new Error(`${books.name}: POST returned ${result}`);
}

/** The CPU time of each thread that lives. /proc/<pid>/stat counts in steps of 10 ms, which is too coarse here. */
function threadsOf(pids: ReadonlyMap<string, number>): Map<string, { name: string; ns: number }> {
  const processes = allProcesses();
  const threads = [...pids].flatMap(([name, pid]) =>
    treeOf(pid, processes).flatMap((each) =>
      namesIn(`/proc/${each}/task`).map((thread) => {
        const ns = nanosecondsOf(`/proc/${each}/task/${thread}/schedstat`);
        return [`${each}/${thread}`, { name, ns }] as const;
      }),
    ),
  );
  return new Map(threads);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // The process has ended.
  }
}

function nanosecondsOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]);
  } catch {
    return 0; // The thread has ended.
  }
}
