/** One round: clients under load, one fault after the other with the recovery from it, more load, and the audit. */
import { stillHeld } from '../fixtures/nothing-held.ts';
import { createAccount, createKeys } from './accounts.ts';
import { audit, type Violation } from './audit/audit.ts';
import type { AllowedFailure } from './audit/outcomes.ts';
import { startBalancer } from './balancer.ts';
import { checksumOf, readBooks } from './books.ts';
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
  /** The accounts of this round. Their books must not change afterwards. */
  audited: { accountIds: string[]; checksum: string };
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

const BEFORE_MS = 200;
const AFTER_MS = 200;

export async function runRound(cluster: Cluster, options: RoundOptions): Promise<Round> {
  const rng = random(options.seed);
  const history = newHistory();
  const balancer = startBalancer(cluster.gateways);
  const transport = createTransport(history, balancer.route);
  const note = (what: string) =>
    history.disturbances.push({ kind: 'disturbance', what, begun: performance.now() });

  await cluster.heal();
  const createClient = clientFactory(cluster, rng);
  const clients = await mapInSequence(options.clients, async (spec) => ({
    spec,
    client: await createClient(spec),
  }));
  const probers = await mapInSequence(cluster.gateways, ({ name }) =>
    createClient({ account: name, keys: KEYS_PER_PROBER }),
  );
  const accountIds = [...new Set([...clients.map(({ client }) => client), ...probers].map(accountIdOf))];
  const degradedBefore = await timesDegraded(cluster);

  const stop = new AbortController();
  const context = { cluster, history, transport, routes: balancer.distinctRoutes, stop: stop.signal };
  const running = Promise.all(clients.map(({ spec, client }) => spec.run(client, context)));
  const recovered = recovery(cluster, transport, probers);
  const allowedFailures: AllowedFailure[] = [];
  let recoveryMs: number | undefined = 0;
  try {
    await Bun.sleep(BEFORE_MS);
    for (const faults of options.steps) {
      const from = performance.now();
      const heals: Heal[] = [];
      for (const fault of faults) {
        heals.push(await fault.inject({ cluster, random: rng.fork(fault.name), history, note }));
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
    await Bun.sleep(AFTER_MS);
  } finally {
    stop.abort();
    await running;
    balancer.close();
  }

  const faults = options.steps.flat();
  const hasMoved = faults.some(({ movesRows }) => movesRows);
  const violations = audit({
    history,
    books: await readBooks(cluster.database, accountIds, hasMoved),
    allowedFailures,
    redisUndisturbed:
      !faults.some(({ disturbsRedis }) => disturbsRedis) && degradedBefore === (await timesDegraded(cluster)),
  });
  if (recoveryMs === undefined) violations.push(outOfService('the cluster did not recover within a minute'));
  else violations.push(...(await stillHeldIn(cluster)).map((held) => outOfService(`still held: ${held}`)));
  const ends = [...cluster.unexpectedEnds.splice(0), ...cluster.database.crashes()];
  violations.push(...ends.map(outOfService));
  const audited = { accountIds, checksum: await checksumOf(cluster.database.sql, accountIds) };
  return { ...options, history, violations, recoveryMs, audited };
}

/** Two faults at the same time may affect both gateways or both workers. */
function failuresOf(faults: readonly Fault[]): Fault['failures'] {
  const [only, ...others] = faults;
  return others.length === 0 ? (only?.failures ?? []) : [503, 'broken', 'unavailable', 'hung'];
}

function outOfService(text: string): Violation {
  return { rule: 'out of service', text, operations: [], accountId: '' };
}

/** What gateways and workers hold although there are no requests. */
function stillHeldIn({ gateways, workers }: Cluster): Promise<string[]> {
  return stillHeld([...gateways, ...workers].map(({ current }) => current));
}

/** Creates clients; those with the same account share its workload. */
function clientFactory(cluster: Cluster, rng: Random) {
  const workloads = new Map<string, Workload>();
  let count = 0;
  return async ({ account, keys }: Pick<ClientSpec, 'account' | 'keys'>): Promise<Client> => {
    const workload =
      workloads.get(account) ??
      new Workload(account.replace(' ', ''), await createAccount(cluster), rng.fork(account));
    workloads.set(account, workload);
    return {
      random: rng.fork(`client ${count++}`),
      keys: await createKeys(cluster, workload.account.accountId, keys),
      workload,
    };
  };
}

const accountIdOf = ({ workload }: Client) => workload.account.accountId;

/** How often the gateways have logged that they count the limits in their own memory. */
async function timesDegraded({ gateways, logOf }: Cluster): Promise<number> {
  const logs = await Promise.all(gateways.map(({ name }) => logOf(name)));
  return logs.join('').split('limits are kept in this process').length;
}

async function mapInSequence<Item, Result>(items: readonly Item[], each: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  for (const item of items) results.push(await each(item));
  return results;
}
