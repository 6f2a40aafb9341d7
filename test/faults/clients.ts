/** Clients at work: each a loop of requests that a seed chooses, until it is told to stop or has none left. */
import { LIMITS } from '../../proto/vocabulary.ts';
import { lose, loseSource, revoke } from './accounts.ts';
import type { Route } from './balancer.ts';
import type { Cluster } from './cluster.ts';
import { failed, type History, type Operation, type Write } from './history.ts';
import type { Random } from './random.ts';
import type { Key, PageQuery, Transport } from './transport.ts';
import { isRepeatable, type Workload } from './workload.ts';

export interface Surroundings {
  cluster: Cluster;
  history: History;
  transport: Transport;
  /** Routes that begin at different gateways. */
  routes: [Route, Route];
  /** Aborts when the clients are to come to an end. */
  stop: AbortSignal;
}

export interface Client {
  random: Random;
  keys: Key[];
  workload: Workload;
}

/** Requests with one key, below the limit of a minute. */
const REQUESTS_PER_KEY = 100;
const PAUSE_MS_MAX = 25;
const ATTEMPTS_MAX = 5;
const BACKOFF_MS = 100;
const PAGES_MAX = 3;

/** An integration: writes of every kind, and reads between them. */
export async function integrate(client: Client, { transport, routes, stop }: Surroundings): Promise<void> {
  const { random, workload } = client;
  const key = takeTurns(client.keys);
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

  /** Sends it until it is answered, where it can be repeated without harm. */
  async function perform(operation: Operation): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const write = await transport.write(operation, key.next());
      if (!failed(write) || !isRepeatable(operation)) return;
      await Bun.sleep(BACKOFF_MS * attempt);
    }
  }

  /** The same body to both gateways at once, or another body with the same references. */
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
      const { answer } = await transport.page(query, key.next(), { cursor });
      const last = answer?.transactions.at(-1);
      if (!answer?.nextCursor || !last) return;
      cursor = answer.nextCursor;
      query = { ...query, after: { date: last.date, id: last.id } };
    }
  }
}

/** Writes full batches until the day is full, and goes on. */
export async function fillTheDay(client: Client, { transport, stop }: Surroundings): Promise<void> {
  const { random, workload } = client;
  const key = takeTurns(client.keys);
  let last: Write | undefined;
  while (!stop.aborted && key.left() > 0) {
    const isFull = last?.code === 'daily_cap';
    const count = isFull ? random.int(1, 120) : LIMITS.entriesPerRequest;
    last = await transport.write(workload.batch(count, random.pick(['none', 'all'])), key.next());
    await Bun.sleep(isFull ? 5 * PAUSE_MS_MAX : PAUSE_MS_MAX);
  }
}

const USES_AFTER_REVOCATION = 8;

/** Uses one key after the other, two requests at a time, and revokes each while it is in use. */
export async function loseKeys(client: Client, surroundings: Surroundings): Promise<void> {
  const { transport, cluster, history, stop } = surroundings;
  const { random, workload } = client;
  for (const key of client.keys) {
    if (stop.aborted) return;
    let left = REQUESTS_PER_KEY;
    const revoked = { returned: false };
    const use = async () => {
      while (left-- > 0 && !(stop.aborted && revoked.returned)) {
        await transport.write(workload.batch(random.int(1, 3), 'none'), key);
        await Bun.sleep(random.int(0, PAUSE_MS_MAX));
      }
    };
    const users = [use(), use()];
    await Bun.sleep(random.int(50, 800));
    await revoke(cluster, history, key);
    left = Math.min(left, USES_AFTER_REVOCATION);
    revoked.returned = true;
    await Promise.all(users);
  }
}

const USERS = 3;

/** Writes while all that it needs for that is taken from it again and again, and given back or replaced. */
export async function loseAccess(client: Client, surroundings: Surroundings): Promise<void> {
  const { transport, cluster, history, stop } = surroundings;
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
  const losses = [
    async () => {
      const [lost] = keys.splice(0, 1);
      if (lost) await revoke(cluster, history, lost.key);
    },
    () => loseSource(cluster, history, account, random.int(0, account.sources.length - 1)),
    ...(['plan', 'account'] as const).map((what) => async () => {
      const giveBack = await lose(cluster, history, account.accountId, what);
      await Bun.sleep(random.int(50, 300));
      await giveBack();
    }),
  ];

  const users = Promise.all(Array.from({ length: USERS }, use));
  while (!stop.aborted && keys.length > 0) {
    await Bun.sleep(random.int(50, 200));
    await random.pick(losses)();
  }
  await users;
}

const HASTE_MS_MAX = 40;

/** Hangs up before there can be an answer, or just then: what it sent is withdrawn somewhere on its way. */
export async function hangUp(client: Client, { transport, stop }: Surroundings): Promise<void> {
  const { random, workload } = client;
  const key = takeTurns(client.keys);
  while (!stop.aborted && key.left() > 0) {
    const patienceMs = random.int(1, HASTE_MS_MAX);
    const { id: sourceId } = random.pick(workload.account.sources);
    if (random.chance(0.5)) await transport.page({ sourceId, limit: 50 }, key.next(), { patienceMs });
    else await transport.write(workload.batch(random.int(1, 20), 'none'), key.next(), { patienceMs });
  }
}

/** Asks faster than one key may, of both gateways. */
export async function hurry(client: Client, { transport, stop }: Surroundings): Promise<void> {
  const [key] = client.keys;
  let left = 2 * LIMITS.requestsPerMinute;
  const ask = async () => {
    while (key && left-- > 0 && !stop.aborted) await transport.me(key);
  };
  await Promise.all([ask(), ask()]);
}

/** Each key for as many requests as it is good for, one key after the other. */
export function takeTurns(keys: Key[]): { next(): Key; left(): number } {
  let used = 0;
  return {
    next: () => keys[Math.min(Math.floor(used++ / REQUESTS_PER_KEY), keys.length - 1)] as Key,
    left: () => keys.length * REQUESTS_PER_KEY - used,
  };
}
