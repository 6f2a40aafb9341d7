/** One round: clients at work, a fault in their midst, recovery, some more work, and the audit. */
import { createAccount, createKeys } from './accounts.ts';
import { audit, type Violation } from './audit/audit.ts';
import { startBalancer } from './balancer.ts';
import { readBooks, seal } from './books.ts';
import {
  type Client,
  fillTheDay,
  hangUp,
  hurry,
  integrate,
  loseAccess,
  loseKeys,
  type Surroundings,
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
  /** More than one: at the same time. */
  faults: readonly Fault[];
  /** How long a fault lasts that does not end by itself. */
  holdMs: number;
  /** Who works. */
  crew: readonly Role[];
}

export interface Round extends RoundOptions {
  history: History;
  violations: Violation[];
  /** From healing to the moment from which everything was as before; undefined: it never was. */
  recoveryMs: number | undefined;
  /** Nobody writes to these accounts any more: their books must stay so. */
  sealed: { accountIds: string[]; seal: string };
  /** The names of the crew's accounts by their ids. */
  accounts: Map<string, string>;
}

export interface Role {
  /** Those of one name share an account. */
  account: string;
  keys: number;
  work(client: Client, surroundings: Surroundings): Promise<void>;
}

export const CREW: readonly Role[] = [
  { account: 'even', keys: 3, work: integrate },
  { account: 'even', keys: 3, work: integrate },
  { account: 'odd', keys: 3, work: integrate },
  { account: 'odd', keys: 3, work: integrate },
  { account: 'full', keys: 1, work: fillTheDay },
  { account: 'full', keys: 1, work: fillTheDay },
  { account: 'lost', keys: 4, work: loseKeys },
  { account: 'barred', keys: 10, work: loseAccess },
  { account: 'fast', keys: 1, work: hurry },
  { account: 'hasty', keys: 3, work: hangUp },
  { account: 'hasty', keys: 3, work: hangUp },
];

const BEFORE_MS = 200;
const AFTER_MS = 300;

export async function playRound(cluster: Cluster, options: RoundOptions): Promise<Round> {
  const chosen = random(options.seed);
  const history = newHistory();
  const balancer = startBalancer(cluster.gateways);
  const transport = createTransport(history, balancer.route);
  const note = (what: string) =>
    history.disturbances.push({ kind: 'disturbance', what, begun: performance.now() });

  await cluster.heal();
  const hire = team(cluster, chosen);
  const crew = await inTurn(options.crew, async (role) => ({ role, client: await hire(role) }));
  const probers = await inTurn(cluster.gateways, ({ name }) =>
    hire({ account: name, keys: KEYS_PER_PROBER }),
  );
  const accountIds = [...new Set([...crew.map(({ client }) => client), ...probers].map(accountIdOf))];
  const degradedBefore = await timesDegraded(cluster);

  const stop = new AbortController();
  const surroundings = { cluster, history, transport, routes: balancer.apart, stop: stop.signal };
  const working = Promise.all(crew.map(({ role, client }) => role.work(client, surroundings)));
  let from = 0;
  let recovered: number | undefined;
  let recoveryMs: number | undefined;
  try {
    await Bun.sleep(BEFORE_MS);
    from = performance.now();
    const heals: Heal[] = [];
    for (const fault of options.faults) {
      heals.push(await fault.inflict({ cluster, random: chosen.fork(fault.name), history, note }));
    }
    await Bun.sleep(options.holdMs);
    await Promise.all(heals.map((heal) => heal()));
    note('healed');
    const healed = performance.now();
    recovered = await recovery(cluster, transport, probers);
    if (recovered !== undefined) recoveryMs = Math.max(0, recovered - healed);
    note(recovered === undefined ? 'not recovered' : 'recovered');
    await Bun.sleep(AFTER_MS);
  } finally {
    stop.abort();
    await working;
    balancer.close();
  }

  const outcomes = failuresOf(options.faults);
  const violations = audit({
    history,
    books: await readBooks(cluster.sql, accountIds),
    excuses: [{ from, to: recovered ?? Number.POSITIVE_INFINITY, outcomes }],
    redisUndisturbed:
      !options.faults.some(({ disturbsRedis }) => disturbsRedis) &&
      degradedBefore === (await timesDegraded(cluster)),
  });
  if (recovered === undefined) violations.push(outOfService('the cluster did not recover within a minute'));
  violations.push(...cluster.unexpectedEnds.splice(0).map(outOfService));
  const sealed = { accountIds, seal: await seal(cluster.sql, accountIds) };
  const accounts = new Map(crew.map(({ role, client }) => [accountIdOf(client), role.account]));
  return { ...options, history, violations, recoveryMs, sealed, accounts };
}

/** Two faults at once may take both of a pair. */
function failuresOf(faults: readonly Fault[]): Fault['failures'] {
  const [only, ...others] = faults;
  return others.length === 0 ? (only?.failures ?? []) : [503, 'broken', 'refused', 'hung'];
}

function outOfService(text: string): Violation {
  return { rule: 'out of service', text, operations: [], accountId: '' };
}

/** Makes clients; those of one account share its workload. */
function team(cluster: Cluster, chosen: Random) {
  const workloads = new Map<string, Workload>();
  let count = 0;
  return async ({ account, keys }: Pick<Role, 'account' | 'keys'>): Promise<Client> => {
    const workload =
      workloads.get(account) ??
      new Workload(account.replace(' ', ''), await createAccount(cluster), chosen.fork(account));
    workloads.set(account, workload);
    return {
      random: chosen.fork(`client ${count++}`),
      keys: await createKeys(cluster, workload.account.accountId, keys),
      workload,
    };
  };
}

const accountIdOf = ({ workload }: Client) => workload.account.accountId;

/** How often the gateways have said that they count for themselves. */
async function timesDegraded({ gateways, logOf }: Cluster): Promise<number> {
  const logs = await Promise.all(gateways.map(({ name }) => logOf(name)));
  return logs.join('').split('limits are kept in this process').length;
}

async function inTurn<Item, Result>(items: readonly Item[], each: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  for (const item of items) results.push(await each(item));
  return results;
}
