/** One round: clients under load, one fault after the other with the recovery from it, more load, and the audit. */
import { stillHeld } from '../fixtures/nothing-held.ts';
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
  loseKeys,
  useAlmostAll,
} from './clients.ts';
import type { Cluster } from './cluster.ts';
import type { Fault, Heal } from './fault.ts';
import { type History, newHistory } from './history.ts';
import { type Random, random } from './random.ts';
import { KEYS_PER_PROBER, recovery } from './recovery.ts';
import { createTransport } from './transport.ts';
import { Workload } from './workload.ts';

export interface RoundOptions {
  seed: string;
  /** Each step begins after the recovery from the one before. The faults of a step are injected at the same time. */
  steps: readonly (readonly Fault[])[];
  /** The duration of a fault that does not end by itself. */
  holdMs: number;
  clients: readonly ClientSpec[];
}

export interface Round extends RoundOptions {
  history: History;
  violations: Violation[];
  /** The longest time from the end of a fault to recovery; undefined: the cluster did not recover. */
  recoveryMs: number | undefined;
  accountIds: string[];
}

export interface ClientSpec {
  /** Clients with the same name share an account. */
  account: string;
  keys: number;
  run(client: Client, context: ClientContext): Promise<void>;
}

export const CLIENTS: readonly ClientSpec[] = [
  { account: 'even', keys: 4, run: integrate },
  { account: 'even', keys: 4, run: integrate },
  { account: 'odd', keys: 4, run: integrate },
  { account: 'odd', keys: 4, run: integrate },
  { account: 'full', keys: 1, run: fillDailyCap },
  { account: 'full', keys: 1, run: fillDailyCap },
  { account: 'revoked', keys: 8, run: loseKeys },
  { account: 'restricted', keys: 10, run: loseAccess },
  { account: 'fast', keys: 1, run: exceedRateLimit },
  { account: 'steady', keys: 1, run: useAlmostAll },
  { account: 'impatient', keys: 3, run: abandonRequests },
  { account: 'impatient', keys: 3, run: abandonRequests },
];

// Requests before the first fault: then every client has begun.
const REQUESTS_BEFORE = 20;

export async function runRound(cluster: Cluster, options: RoundOptions): Promise<Round> {
  const rng = random(options.seed);
  const history = newHistory();
  const balancer = startBalancer(cluster.gateways);
  const transport = createTransport(history, balancer.route);
  const note = (what: string) => history.disturbances.push({ what, begun: performance.now() });

  await cluster.heal();
  const createClient = clientFactory(cluster, rng);
  const clients = await Promise.all(options.clients.map(createClient));
  const probers = await Promise.all(
    cluster.gateways.map(({ name }) => createClient({ account: name, keys: KEYS_PER_PROBER })),
  );
  const accountIds = [...new Set([...clients, ...probers].map(({ workload }) => workload.account.accountId))];
  const degradedBefore = await timesDegraded(cluster);

  const stop = new AbortController();
  const context = { cluster, history, transport, routes: balancer.distinctRoutes, stop: stop.signal };
  const running = Promise.all(options.clients.map(({ run }, n) => run(clients[n] as Client, context)));
  const recovered = recovery(cluster, transport, probers);
  const { untilInService } = balancer;
  const allowedFailures: AllowedFailure[] = [];
  let recoveryMs: number | undefined = 0;
  try {
    await until('requests of clients', () => history.requests.length >= REQUESTS_BEFORE, 60_000);
    for (const faults of options.steps) {
      const from = performance.now();
      const heals: Heal[] = [];
      for (const fault of faults) {
        const own = rng.fork(fault.name);
        heals.push(await fault.inject({ cluster, random: own, history, note, untilInService }));
      }
      await Bun.sleep(options.holdMs);
      await Promise.all(heals.map((heal) => heal()));
      note('healed');
      const healed = performance.now();
      const to = await recovered();
      allowedFailures.push({ from, to: to ?? Number.POSITIVE_INFINITY, outcomes: failuresOf(faults) });
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
  else for (const held of await stillHeldIn(cluster)) outOfService(`still held: ${held}`);
  const faults = options.steps.flat();
  const hasMoved = faults.some(({ movesRows }) => movesRows);
  const disturbsRedis = faults.some((fault) => fault.disturbsRedis);
  const evidence = {
    history,
    books: await readBooks(cluster.database, accountIds, hasMoved),
    allowedFailures,
    redisUndisturbed: !disturbsRedis && degradedBefore === (await timesDegraded(cluster)),
  };
  violations.push(...audit(evidence));
  for (const end of [...cluster.unexpectedEnds.splice(0), ...cluster.database.crashes()]) outOfService(end);
  return { ...options, history, violations, recoveryMs, accountIds };
}

const stillHeldIn = ({ gateways, workers }: Cluster) =>
  stillHeld([...gateways, ...workers].map(({ current }) => current));

/** Two faults at the same time may affect both gateways or both workers. */
function failuresOf(faults: readonly Fault[]): Fault['failures'] {
  const [only, ...others] = faults;
  return others.length === 0 ? (only?.failures ?? []) : [503, 'broken', 'unavailable', 'hung'];
}

/** Creates clients; those with the same account share its workload. */
function clientFactory(cluster: Cluster, rng: Random) {
  const workloads = new Map<string, Promise<Workload>>();
  let count = 0;
  return async ({ account, keys }: Pick<ClientSpec, 'account' | 'keys'>): Promise<Client> => {
    const own = rng.fork(`client ${count++}`);
    const created =
      workloads.get(account) ??
      createAccount(cluster).then((each) => new Workload(account.replace(' ', ''), each, rng.fork(account)));
    workloads.set(account, created);
    const workload = await created;
    return { random: own, keys: await createKeys(cluster, workload.account.accountId, keys), workload };
  };
}

/** How often the gateways have logged that they count the limits in their own memory. */
async function timesDegraded({ gateways, logOf }: Cluster): Promise<number> {
  const logs = await Promise.all(gateways.map(({ name }) => logOf(name)));
  return logs.join('').split('limits are kept in this process').length;
}
