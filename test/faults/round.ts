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
  exceedRateLimit,
  fillDailyCap,
  integrate,
  loseAccess,
  rotateKeys,
  useAlmostAll,
} from './clients.ts';
import type { Cluster } from './cluster.ts';
import type { Fault } from './fault.ts';
import { type History, newHistory } from './history.ts';
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

export interface Round extends RoundOptions {
  history: History;
  violations: Violation[];
  /** The longest time from the end of a fault to recovery; undefined: the cluster did not recover. */
  recoveryMs: number | undefined;
}

/** The clients, each with an account of its own, and their numbers of keys. */
const CLIENTS: [keys: number, run: (client: Client, context: ClientContext) => Promise<void>][] = [
  [4, integrate],
  [4, integrate],
  [1, fillDailyCap],
  [18, loseAccess],
  [1, exceedRateLimit],
  [1, useAlmostAll],
  [3, abandonRequests],
];

// Requests before the first fault: then every client has begun.
const REQUESTS_BEFORE = 20;

export async function runRound(cluster: Cluster, options: RoundOptions): Promise<Round> {
  const fork = (name: string) => random(`${options.seed}/${name}`);
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
  const degradedBefore = await timesDegraded(cluster);

  const stop = new AbortController();
  const context = { cluster, history, transport, routes: balancer.distinctRoutes, stop: stop.signal };
  const running = Promise.all(CLIENTS.map(([, run], n) => run(clients[n] as Client, context)));
  const { untilInService } = balancer;
  const allowedFailures: AllowedFailure[] = [];
  let recoveryMs: number | undefined = 0;
  try {
    await until('requests of clients', () => history.requests.length >= REQUESTS_BEFORE, 60_000);
    for (const fault of options.faults) {
      const from = performance.now();
      const context = { cluster, random: fork(fault.name), history, note, untilInService };
      const heal = await fault.inject(context);
      await Bun.sleep(options.holdMs);
      await heal();
      note('healed');
      const healed = performance.now();
      const to = await recovery(cluster, transport, probers);
      allowedFailures.push({ from, to: to ?? Number.POSITIVE_INFINITY, outcomes: fault.failures });
      note(to === undefined ? 'not recovered' : 'recovered');
      recoveryMs = to && Math.max(recoveryMs, to - healed);
      if (recoveryMs === undefined) break;
    }
  } finally {
    stop.abort();
    await running;
    balancer.close();
  }

  const violations: Violation[] = [];
  const outOfService = (text: string) => violations.push({ rule: 'out of service', text, accountId: '' });
  if (recoveryMs === undefined) outOfService('the cluster did not recover within two minutes');
  // Gateways and workers hold nothing when there are no requests.
  else for (const held of await leaksIn(cluster)) outOfService(`still held: ${held}`);
  const hasMoved = options.faults.some(({ movesRows }) => movesRows);
  const disturbsRedis = options.faults.some((fault) => fault.disturbsRedis);
  const evidence = {
    history,
    books: await readBooks(cluster.database, accountIds, hasMoved),
    allowedFailures,
    redisUndisturbed: !disturbsRedis && degradedBefore === (await timesDegraded(cluster)),
  };
  violations.push(...audit(evidence));
  for (const end of [...cluster.unexpectedEnds.splice(0), ...cluster.database.crashes()]) outOfService(end);
  return { ...options, history, violations, recoveryMs };
}

const leaksIn = ({ gateways, workers }: Cluster) =>
  leaks([...gateways, ...workers].map(({ current }) => current));

/** How often the gateways have logged that they count the limits in their own memory. */
async function timesDegraded({ gateways, logOf }: Cluster): Promise<number> {
  const logs = await Promise.all(gateways.map(({ name }) => logOf(name)));
  return logs.join('').split('limits are kept in this process').length;
}
