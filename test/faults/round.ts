/** One round: clients under load, one fault after the other with the recovery from it, more load, and the audit. */
import { leaks } from '../fixtures/no-leaks.ts';
import { until } from '../fixtures/until.ts';
import { createAccount, createKeys } from './accounts.ts';
import { type AllowedFailure, audit, type Violation } from './audit/audit.ts';
import { startBalancer } from './balancer.ts';
import { readBooks } from './books.ts';
import {
  abandonRequests,
  type Client,
  type ClientContext,
  fillDailyCap,
  integrate,
  loseAccess,
  rotateKeys,
} from './clients.ts';
import { type Cluster, startCluster } from './cluster.ts';
import type { Kind } from './cluster-database.ts';
import type { Fault } from './fault.ts';
import { failed, type History, lineOf, newHistory } from './history.ts';
import { random } from './random.ts';
import { KEYS_PER_PROBER, recovery } from './recovery.ts';
import { createTransport } from './transport.ts';
import { Workload } from './workload.ts';

export interface RoundOptions {
  seed: string;
  /** Each is injected after the recovery from the one before. */
  faults: readonly Fault[];
  /** The duration of a fault that does not end by itself. */
  holdMs: number;
}

export interface Round {
  history: History;
  /** The longest time from the end of a fault to recovery. */
  recoveryMs: number;
}

/** The clients, each with an account of its own, and their numbers of keys. */
const CLIENTS: [keys: number, run: (client: Client, context: ClientContext) => Promise<void>][] = [
  [4, integrate],
  [4, integrate],
  [1, fillDailyCap],
  [18, loseAccess],
  [3, abandonRequests],
];

// Requests before the first fault: then every client has begun.
const REQUESTS_BEFORE = 20;

/** Rounds in one cluster. After a round that failed, the next one gets a clean cluster. @param env of the gateways */
export async function startRounds(kind: Kind, env: Record<string, string> = {}) {
  let cluster = await startCluster(kind, env);
  return {
    /** Whether this machine allows the fault. */
    isPossible: (fault: Fault) => fault.isPossible?.(cluster) ?? true,
    /** @throws Error with a report when the round failed */
    async run(options: RoundOptions): Promise<Round> {
      try {
        return await runRound(cluster, options);
      } catch (error) {
        await cluster.stop();
        cluster = await startCluster(kind, env);
        throw error;
      }
    },
    stop: () => cluster.stop(),
  };
}

async function runRound(cluster: Cluster, { seed, faults, holdMs }: RoundOptions): Promise<Round> {
  const fork = (name: string) => random(`${seed}/${name}`);
  const history = newHistory();
  const balancer = startBalancer(cluster.gateways);
  const transport = createTransport(history, balancer.route);
  const note = (what: string) => history.disturbances.push({ what, begun: performance.now() });

  await cluster.heal();
  const newClient = async (name: string, keys: number): Promise<Client> => {
    const account = await createAccount(cluster);
    const workload = new Workload(name, account, fork(name));
    return { random: fork(`client ${name}`), keys: await createKeys(cluster, account, keys), workload };
  };
  const clients = await Promise.all(CLIENTS.map(([keys], n) => newClient(`client-${n}`, keys)));
  const newProber = async (_: unknown, n: number) => {
    const { workload, keys } = await newClient(`prober-${n}`, KEYS_PER_PROBER);
    return { workload, key: rotateKeys(keys) };
  };
  const probers = await Promise.all(cluster.gateways.map(newProber));
  const accountIds = [...clients, ...probers].map(({ workload }) => workload.account.accountId);

  const stop = new AbortController();
  const context = { cluster, history, transport, routes: balancer.distinctRoutes, stop: stop.signal };
  const running = Promise.all(CLIENTS.map(([, run], n) => run(clients[n] as Client, context)));
  const { untilInService } = balancer;
  const allowedFailures: AllowedFailure[] = [];
  let recoveryMs = 0;
  try {
    await until('requests of clients', () => history.requests.length >= REQUESTS_BEFORE, 60_000);
    for (const fault of faults) {
      const from = performance.now();
      const heal = await fault.inject({ cluster, random: fork(fault.name), history, note, untilInService });
      await Bun.sleep(holdMs);
      await heal();
      note('healed');
      const healed = performance.now();
      const to = await recovery(cluster, transport, probers);
      allowedFailures.push({ from, to, outcomes: fault.failures });
      note('recovered');
      recoveryMs = Math.max(recoveryMs, to - healed);
      if (recoveryMs === Number.POSITIVE_INFINITY) break;
    }
  } finally {
    stop.abort();
    await running;
    balancer.close();
  }

  const outOfService =
    recoveryMs === Number.POSITIVE_INFINITY
      ? ['the cluster did not recover within two minutes']
      : // Gateways and workers hold nothing when there are no requests.
        await leaks([...cluster.gateways, ...cluster.workers].map(({ current }) => current));
  const books = await readBooks(cluster.database, accountIds);
  const violations = audit({ history, books, allowedFailures });
  outOfService.push(...cluster.unexpectedEnds.splice(0), ...cluster.database.crashes());
  violations.push(...outOfService.map((text): Violation => ({ rule: 'out of service', text })));
  if (violations.length > 0) throw new Error(reportOf(violations, history));
  return { history, recoveryMs };
}

const LINES_MAX = 40;

/** The first violations, the actions on the cluster, and the requests that failed. */
function reportOf(violations: readonly Violation[], { disturbances, requests }: History): string {
  const actions = disturbances.map(({ begun, what }) => ({ begun, line: `*** ${what}` }));
  const failures = requests.filter(failed).map((each) => ({ begun: each.begun, line: lineOf(each) }));
  const events = [...actions, ...failures].sort((a, b) => a.begun - b.begun);
  return [
    `${violations.length} violations`,
    ...violations.slice(0, LINES_MAX).map(({ rule, text }) => `  ${rule}: ${text}`),
    ...events.slice(0, LINES_MAX).map(({ begun, line }) => `    ${Math.round(begun)}  ${line}`),
  ].join('\n');
}
