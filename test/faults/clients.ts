/** The clients: each runs a loop of requests chosen by a seed until `stop` aborts or its keys are used up. */
import { LIMITS } from '../../proto/domain.ts';
import { losePlanOrAccount, loseSource, revoke } from './accounts.ts';
import type { Route } from './balancer.ts';
import type { Cluster } from './cluster.ts';
import { failed, type History, type Operation, type PageQuery, type Write } from './history.ts';
import type { Random } from './random.ts';
import type { Key, Transport } from './transport.ts';
import { isRepeatable, type Workload } from './workload.ts';

export interface ClientContext {
  cluster: Cluster;
  history: History;
  transport: Transport;
  /** Routes that begin at different gateways. */
  routes: [Route, Route];
  /** Aborts when the clients must stop. */
  stop: AbortSignal;
}

export interface Client {
  random: Random;
  keys: Key[];
  workload: Workload;
}

/** Requests per key, below the rate limit. */
const REQUESTS_PER_KEY = 100;
const PAUSE_MS_MAX = 25;
const ATTEMPTS_MAX = 5;
const BACKOFF_MS = 100;
const PAGES_MAX = 3;

/** A typical integration: writes of every kind, and reads between them. */
export async function integrate(client: Client, { transport, routes, stop }: ClientContext): Promise<void> {
  const { random, workload } = client;
  const key = rotateKeys(client.keys);
  const [here, there] = routes;

  while (!stop.aborted && key.left() > 2 * ATTEMPTS_MAX) {
    const dice = random.int(1, 100);
    if (dice <= 60) await perform(workload.next());
    else if (dice <= 70) await race(workload.batch(random.int(1, 50), 'all'));
    else if (dice <= 74) await race(workload.keyed(random.int(1, 50)));
    else if (dice <= 90) await readPages();
    else if (dice <= 96) await transport.sources(key.next());
    else await transport.me(key.next());
    await Bun.sleep(random.int(0, PAUSE_MS_MAX));
  }

  /** Retries until there is a response, if the operation is safe to repeat. */
  async function perform(operation: Operation): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const write = await transport.write(operation, key.next());
      if (!failed(write) || !isRepeatable(operation)) return;
      await Bun.sleep(BACKOFF_MS * attempt);
    }
  }

  /** Sends the same body, or another body with the same references, to both gateways at once. */
  async function race(operation: Operation): Promise<void> {
    const isSame = operation.idempotencyKey !== undefined || random.chance(0.5);
    const other = isSame ? operation : workload.rival(operation);
    await Promise.all([
      transport.write(operation, key.next(), { route: here }),
      transport.write(other, key.next(), { route: there }),
    ]);
  }

  async function readPages(): Promise<void> {
    const { id: sourceId } = random.pick(workload.account.sources);
    const day = String(random.int(1, 28)).padStart(2, '0');
    const range = random.pick([{}, { from: `2026-04-${day}` }, { to: `2026-04-${day}` }]);
    let query: PageQuery = { sourceId, limit: random.int(1, LIMITS.pageSizeMax), ...range };
    let cursor: string | undefined;
    for (let page = 1; page <= PAGES_MAX; page++) {
      const { response } = await transport.page(query, key.next(), { cursor });
      const last = response?.transactions.at(-1);
      if (!response?.nextCursor || !last) return;
      cursor = response.nextCursor;
      query = { ...query, after: { date: last.date, id: last.id } };
    }
  }
}

/** Writes full batches until the daily cap is reached, and continues. */
export async function fillDailyCap(client: Client, { transport, stop }: ClientContext): Promise<void> {
  const { random, workload } = client;
  const key = rotateKeys(client.keys);
  let last: Write | undefined;
  while (!stop.aborted && key.left() > 0) {
    const isFull = last?.refused === 'daily_cap';
    const count = isFull ? random.int(1, 120) : LIMITS.entriesPerRequest;
    last = await transport.write(workload.batch(count, random.pick(['none', 'all'])), key.next());
    await Bun.sleep(isFull ? 5 * PAUSE_MS_MAX : PAUSE_MS_MAX);
  }
}

const USES_AFTER_REVOCATION = 4;
const USERS = 3;

/** Writes while its keys, sources, plan and account are removed again and again, and restored or replaced. */
export async function loseAccess(client: Client, context: ClientContext): Promise<void> {
  const { transport, cluster, history, stop } = context;
  const { random, workload } = client;
  const { account } = workload;
  const keys = client.keys.map((key) => ({ key, left: REQUESTS_PER_KEY }));
  const next = () => {
    while (keys[0]?.left === 0) keys.shift();
    const [current] = keys;
    if (current) current.left--;
    return current?.key;
  };
  const newOperation = () => {
    const count = random.int(1, 5);
    return random.chance(0.3) ? workload.keyed(count) : workload.batch(count, random.pick(['none', 'all']));
  };
  const use = async () => {
    for (let key = next(); key && !stop.aborted; key = next()) {
      await transport.write(newOperation(), key);
      await Bun.sleep(random.int(0, 3 * PAUSE_MS_MAX));
    }
  };
  const removals = [
    async () => {
      const [lost] = keys.splice(0, 1);
      if (!lost) return;
      await revoke(cluster, history, lost.key);
      for (let n = 0; n < USES_AFTER_REVOCATION; n++) await transport.write(newOperation(), lost.key);
    },
    () => loseSource(cluster, history, account, random.int(0, account.sources.length - 1)),
    ...(['plan', 'account'] as const).map((what) => async () => {
      const restore = await losePlanOrAccount(cluster, history, account.accountId, what);
      await Bun.sleep(random.int(50, 300));
      await restore();
    }),
  ];

  const users = Promise.all(Array.from({ length: USERS }, use));
  while (!stop.aborted && keys.length > 0) {
    await Bun.sleep(random.int(50, 200));
    await random.pick(removals)();
  }
  await users;
}

const ABANDON_MS_MAX = 40;

/** Closes the connection before, or just when, the response arrives. */
export async function abandonRequests(client: Client, { transport, stop }: ClientContext): Promise<void> {
  const { random, workload } = client;
  const key = rotateKeys(client.keys);
  while (!stop.aborted && key.left() > 0) {
    const abandonAfterMs = random.int(1, ABANDON_MS_MAX);
    const { id: sourceId } = random.pick(workload.account.sources);
    if (random.chance(0.5)) await transport.page({ sourceId, limit: 50 }, key.next(), { abandonAfterMs });
    else await transport.write(workload.batch(random.int(1, 20), 'none'), key.next(), { abandonAfterMs });
  }
}

/** Uses each key for REQUESTS_PER_KEY requests, one key after the other. */
export function rotateKeys(keys: Key[]): { next(): Key; left(): number } {
  let used = 0;
  return {
    next: () => keys[Math.min(Math.floor(used++ / REQUESTS_PER_KEY), keys.length - 1)] as Key,
    left: () => keys.length * REQUESTS_PER_KEY - used,
  };
}
