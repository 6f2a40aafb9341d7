/**
 * `bun run bench:citus`: what distributed books cost, against books on one plain PostgreSQL of the same version.
 *
 * Starts both on this machine, each with a worker, a gateway and a Redis, and measures each workload in alternation. The cost is the
 * CPU time of the database servers per request: the machine has no cores for each node, so requests per second say little. Then it
 * sends many single entries to the distributed books, and compares the memory of the nodes' server processes.
 */
import { Command } from 'commander';
import { rotation } from '../accounts.ts';
import { cpuSeconds } from '../cpu.ts';
import { newEntries } from '../entries.ts';
import { interleave, type Measured } from '../interleave.ts';
import { residentMegabytes } from '../memory.ts';
import { allProcesses, treeOf } from '../process-tree.ts';
import { meRequest, postRequest } from '../requests.ts';
import { failuresOf, p50 } from '../result.ts';
import { httpSide } from '../work.ts';
import { creating } from '../workloads/post.ts';
import { readingFirst } from '../workloads/read.ts';
import { CITUS, type CitusSide, openSides, PLAIN, SERVERS } from './servers.ts';

interface Workload {
  name: string;
  clients: number;
  /** The most that a request may cost on distributed books, in multiples of plain Postgres. Undefined: a figure without a goal. */
  most: number | undefined;
  work(side: CitusSide): Parameters<typeof httpSide>[1];
}

const posting = (entries: number) => (side: CitusSide) => creating(entries, () => rotation(side.accounts));
const reading = (limit: number) => (side: CitusSide) => readingFirst(side, limit);
const WORKLOADS: Workload[] = [
  { name: 'POST 1', clients: 1, most: 4, work: posting(1) },
  { name: 'POST 1', clients: 8, most: 4, work: posting(1) },
  { name: 'POST 1', clients: 32, most: 4, work: posting(1) },
  { name: 'POST 500', clients: 8, most: 1.6, work: posting(500) },
  { name: 'GET 50', clients: 1, most: 4, work: reading(50) },
  { name: 'GET 50', clients: 32, most: 4, work: reading(50) },
  {
    name: 'GET /me, key not cached',
    clients: 8,
    most: undefined,
    work: ({ accounts }) => ({ newPicker: () => rotation(accounts), request: meRequest }),
  },
];

// Each account has more entries than a page before the first measurement.
const ENTRIES_BEFORE = 60;
const FILL_CLIENTS = 8;
// After the first tenth of the requests, which fills the caches of the server processes.
const MEMORY_CHANGE_MAX = 0.1;

const flags = new Command('bench:citus')
  .description('Measures what distributed books cost the database servers, against plain PostgreSQL.')
  .option('--seconds <number>', 'seconds per side and round', Number, 1)
  .option('--rounds <number>', 'number of rounds', Number, 3)
  .option('--accounts <number>', 'accounts in the books of each side', Number, 4_000)
  .option('--requests <number>', 'requests of the memory test', Number, 100_000)
  .parse()
  .opts<{ seconds: number; rounds: number; accounts: number; requests: number }>();

const { sides, pids, stop } = await openSides(flags.accounts);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stop().then(() => process.exit(1)));
try {
  for (const side of sides) await fill(side);
  console.log('µs of CPU of the database servers per request; p50 in ms\n');
  console.log(line('workload', 'clients', PLAIN, CITUS, 'ratio', 'coordinator', 'p50', 'p50', 'goal'));
  for (const workload of WORKLOADS) await measure(workload);
  await measureMemory(sides[1]);
} finally {
  await stop();
}

async function measure({ name, clients, most, work }: Workload): Promise<void> {
  const schedule = { ...flags, clients };
  const measured = await interleave(
    sides.map((side) => httpSide(side, work(side))),
    schedule,
    () => cpuSeconds(pids),
  );
  for (const failure of failuresOf({ group: 'post', name, clients, measured })) {
    console.log(`    FAILED: ${failure}`);
    process.exitCode = 1;
  }
  const [plain, citus] = measured as [Measured, Measured];
  const [ofPlain, ofCitus] = [perRequest(plain, SERVERS[PLAIN]), perRequest(citus, SERVERS[CITUS])];
  const ratio = ofCitus / ofPlain;
  const goal = most === undefined ? '' : `at most ${most}: ${ratio <= most ? 'reached' : 'MISSED'}`;
  const us = (value: number) => value.toFixed(0);
  console.log(
    line(
      name,
      String(clients),
      us(ofPlain),
      us(ofCitus),
      ratio.toFixed(2),
      us(perRequest(citus, ['coordinator'])),
      p50(plain).toFixed(1),
      p50(citus).toFixed(1),
      goal,
    ),
  );
}

/** µs of CPU of some servers. */
function perRequest({ rounds }: Measured, servers: readonly string[]): number {
  const used = rounds.flatMap(({ cpu }) => servers.map((name) => cpu?.[name] ?? Number.NaN));
  const requests = rounds.reduce((sum, round) => sum + round.requests, 0);
  return (used.reduce((sum, each) => sum + each, 0) / requests) * 1e6;
}

function line(...[name = '', ...figures]: string[]): string {
  return name.padEnd(25) + figures.map((figure) => figure.padStart(16)).join('');
}

/** Sends every account's first entries, which also makes the gateway cache its key. */
async function fill(side: CitusSide): Promise<void> {
  const work = {
    newPicker: () => rotation(side.accounts),
    request: (account: Parameters<typeof postRequest>[0]) =>
      postRequest(account, newEntries(ENTRIES_BEFORE), '201'),
  };
  const filling = httpSide(side, work);
  await filling.begin(FILL_CLIENTS);
  for (let sent = 0; sent < side.accounts.length; ) {
    filling.load(1);
    sent += (await filling.run(1)).requests;
  }
  filling.end();
}

/** Of the nodes' server processes, before and after many requests. */
async function measureMemory(side: CitusSide): Promise<void> {
  const nodes = SERVERS[CITUS].map((name) => pids.get(name) ?? 0);
  const memory = () => {
    const processes = allProcesses();
    return residentMegabytes(nodes.flatMap((pid) => treeOf(pid, processes)));
  };
  const singles = httpSide(side, posting(1)(side));
  await singles.begin(FILL_CLIENTS);
  let sent = 0;
  let early = 0;
  while (sent < flags.requests) {
    singles.load(5);
    sent += (await singles.run(5)).requests;
    if (early === 0 && sent >= flags.requests / 10) early = memory();
  }
  singles.end();
  const late = memory();
  const change = late / early - 1;
  const verdict = change <= MEMORY_CHANGE_MAX ? 'reached' : 'MISSED';
  console.log(
    `\nmemory of the nodes: ${early.toFixed(0)} MB after a tenth of ${sent} requests, ${late.toFixed(0)} MB after all ` +
      `(${(change * 100).toFixed(0)} %; at most ${MEMORY_CHANGE_MAX * 100} %: ${verdict})`,
  );
}
