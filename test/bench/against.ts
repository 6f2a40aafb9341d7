/**
 * `bun run bench --against DIR`: the service of another checkout (old) and that of this one (new), alternately on one machine.
 *
 * Each has its own gateway, worker, Postgres and Redis, and gets requests over HTTP alone, so the two may differ in everything
 * else. The rows are those that people have. Ratios are of the rounds: median, minimum, maximum. On a machine with other load
 * the CPU time per request is the steadier figure.
 */
import { resolve } from 'node:path';
import { rotation } from './accounts.ts';
import type { Request } from './connection.ts';
import { cpuSeconds, LOAD_GENERATOR } from './cpu.ts';
import { newEntries } from './entries.ts';
import type { Flags } from './flags.ts';
import { httpConnection } from './http-load.ts';
import { interleave, type Measured, type Schedule } from './interleave.ts';
import { type Caller, DAY_PAGE, dayCycle, meRequest, pageRequest, postRequest } from './requests.ts';
import { closedLoopSide, type Side } from './side.ts';
import { type Spread, spread } from './statistics.ts';
import { createAccounts, startTree, type Tree } from './tree.ts';
import type { Group } from './workload.ts';

const THIS = resolve(import.meta.dir, '../..');

const ROUNDS = 8;

// Ten batches fill the day of an account. This is more than a service fills in a second.
const FILLED_PER_SECOND = 30;
const WRITERS_MIN = 1_500;
// Each key stays below its rate limit.
const READERS = 500;
const READER_KEYS = 4;
const STORED = 200;

interface Row {
  group: Group;
  name: string;
  clients: number;
  by: 'writers' | 'readers';
  /** Returns the function that renders the next request. */
  requests(accounts: Caller[][]): () => Request;
}

const post = (entries: number, clients: number): Row => ({
  group: 'post',
  name: `POST ${entries}`,
  clients,
  by: 'writers',
  requests(accounts) {
    const next = rotation(accounts);
    return () => postRequest(next(), newEntries(entries), '201');
  },
});

const ROWS: Row[] = [
  ...[1, 8, 32].map((clients) => post(1, clients)),
  ...[1, 8].map((clients) => post(500, clients)),
  {
    group: 'read',
    name: 'GET 50',
    clients: 32,
    by: 'readers',
    requests(accounts) {
      const next = rotation(accounts);
      return () => pageRequest(next(), DAY_PAGE);
    },
  },
  {
    group: 'mixed',
    name: 'mixed day',
    clients: 32,
    by: 'readers',
    requests(accounts) {
      const [next, nextKind] = [rotation(accounts), dayCycle()];
      return () => {
        const kind = nextKind();
        return kind === 'read' ? pageRequest(next(), DAY_PAGE) : postRequest(next(), newEntries(kind), '201');
      };
    },
  },
];

interface Filled extends Tree {
  accounts: Record<Row['by'], Caller[][]>;
}

export async function against(directory: string, flags: Flags): Promise<void> {
  const schedule = { seconds: flags.seconds, rounds: flags.rounds ?? ROUNDS };
  const rows = ROWS.filter((row) => isWanted(row, flags));
  const trees: Filled[] = [];
  const started: Tree[] = [];
  const stop = () => Promise.all(started.map((tree) => tree.stop()));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop().then(() => process.exit(1)));
  }
  try {
    for (const [name, checkout] of [
      ['old', resolve(directory)],
      ['new', THIS],
    ] as const) {
      const tree = await startTree(name, checkout);
      started.push(tree);
      trees.push(await filled(tree, checkout, rows, schedule));
    }
    console.log(HEADING.join('  '));
    for (const row of rows) await measure(row, trees, schedule);
  } finally {
    await stop();
  }
}

const isWanted = ({ group, name, clients }: Row, flags: Flags) =>
  flags.only.includes(group) &&
  (group !== 'post' ||
    (flags.clients.includes(clients) && flags.entries.some((entries) => name === `POST ${entries}`)));

type Times = Pick<Schedule, 'seconds' | 'rounds'>;

async function filled(
  tree: Tree,
  checkout: string,
  rows: Row[],
  { seconds, rounds }: Times,
): Promise<Filled> {
  const uses = (by: Row['by']) => rows.some((row) => row.by === by);
  const writing = Math.max(WRITERS_MIN, Math.ceil(seconds * rounds * FILLED_PER_SECOND * 2));
  const writers = uses('writers') ? await createAccounts(tree, checkout, writing, 1) : [];
  const readers = uses('readers') ? await createAccounts(tree, checkout, READERS, READER_KEYS) : [];
  await tree.send(readers.map(([caller]) => postRequest(caller as Caller, newEntries(STORED), '201')));
  return { ...tree, accounts: { writers, readers } };
}

async function measure({ name, clients, by, requests }: Row, trees: readonly Filled[], times: Times) {
  // A gateway remembers keys for some minutes: this is a service that has run for a while.
  for (const { accounts, send } of trees) await send(accounts[by].flat().map(meRequest));
  const pids = new Map(trees.flatMap((tree) => [...tree.pids]));
  const sides = trees.map((tree): Side => {
    const next = requests(tree.accounts[by]);
    return closedLoopSide({
      name: tree.name,
      connect: () => httpConnection(tree.url),
      render: (count) => Array.from({ length: count }, next),
    });
  });
  const [old, fresh] = await interleave(sides, { ...times, clients }, () => cpuSeconds(pids));
  if (old === undefined || fresh === undefined) return;
  console.log(line(name, clients, old, fresh));
  for (const { side, rounds } of [old, fresh]) {
    for (const [result, count] of rounds.flatMap(({ failures }) => Object.entries(failures))) {
      console.log(`    FAILED: ${side}: ${count} × ${result}`);
      process.exitCode = 1;
    }
  }
}

const HEADING = [
  'workload'.padEnd(10),
  'clients',
  'requests/s: old -> new, ratio'.padEnd(44),
  'p50 ms: old -> new, ratio'.padEnd(44),
  'µs of CPU per request: old -> new, ratio (by process)',
];

function line(name: string, clients: number, old: Measured, fresh: Measured): string {
  const figures = (of: (round: Measured['rounds'][number]) => number, digits: number) => {
    const [before, now] = [old.rounds.map(of), fresh.rounds.map(of)];
    const ratio = spread(now.map((value, round) => value / (before[round] ?? Number.NaN)));
    const text = `${spread(before).median.toFixed(digits)} -> ${spread(now).median.toFixed(digits)}`;
    return `${text}, ${ratioText(ratio)}`.padEnd(44);
  };
  return [
    name.padEnd(10),
    String(clients).padStart(7),
    figures(({ requests, seconds }) => requests / seconds, 0),
    figures(({ latencyMs }) => latencyMs.p50, 2),
    cpuText(old, fresh),
  ].join('  ');
}

const ratioText = ({ median, min, max }: Spread) =>
  `× ${median.toFixed(2)} (${min.toFixed(2)}..${max.toFixed(2)})`;

function cpuText(old: Measured, fresh: Measured): string {
  const [before, now] = [cpuOf(old), cpuOf(fresh)];
  const sum = (costs: Map<string, number>) => [...costs.values()].reduce((all, each) => all + each, 0);
  const parts = [...before].map(([name, µs]) => `${name} ${µs.toFixed(0)} -> ${now.get(name)?.toFixed(0)}`);
  const [all, allNow] = [sum(before), sum(now)];
  return `${all.toFixed(0)} -> ${allNow.toFixed(0)}, × ${(allNow / all).toFixed(2)} (${parts.join(', ')})`;
}

/** µs per request by the process of a side, without those of the other side. Empty where it cannot be measured. */
function cpuOf({ side, rounds }: Measured): Map<string, number> {
  const requests = rounds.reduce((sum, round) => sum + round.requests, 0);
  const names = Object.keys(rounds[0]?.cpu ?? {}).filter((name) => name !== LOAD_GENERATOR);
  return new Map(
    names
      .filter((name) => name.startsWith(`${side}: `))
      .map((name) => {
        const seconds = rounds.reduce((sum, { cpu }) => sum + (cpu?.[name] ?? 0), 0);
        return [name.slice(side.length + 2), (seconds / requests) * 1e6];
      }),
  );
}
