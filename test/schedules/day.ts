/**
 * Schedules of the daily cap: the pre-checks of two gateways in one Redis, which executes late, loses replies and refuses writes, and a
 * model of Postgres, which counts and decides. A day later some of the entries have left the window.
 */
import fc from 'fast-check';
import { createLimits } from '../../gateway/access/limits.ts';
import { createScripts, type LimitScripts } from '../../gateway/redis/scripts.ts';
import { LIMITS } from '../../proto/domain.ts';
import { type Command, type Opening, Redis, type Reply } from './redis.ts';
import { rule, type Schedule, schedulesOf } from './schedule.ts';

const CAP = LIMITS.entriesPerDay;
const DAY_MS = LIMITS.dayWindowMs;
const ACCOUNT = 'A';
const writes = fc.array(
  fc.record({
    gateway: fc.nat({ max: 1 }),
    entries: fc.constantFrom(1, CAP / 2, CAP - 1, CAP),
    arrivesAtMs: fc.constantFrom(0, 0, 1_000),
    /** Between its commit and the response to it. */
    workerHangsMs: fc.constantFrom(0, 0, 4_000),
  }),
  { minLength: 1, maxLength: 5 },
);
const plan = fc.record({
  writes,
  /** From just before the first entries leave the window. */
  writesLater: writes,
  replies: fc.array(fc.constantFrom<Reply>('replies', 'loses the reply', 'does not accept writes'), {
    maxLength: 4,
  }),
  openings: fc.array(fc.constantFrom<Opening>('connects', 'is refused'), { maxLength: 2 }),
});

/** Postgres: it counts the entries that were created within the last 24 hours. */
class Postgres {
  readonly #log: { at: number; entries: number }[] = [];

  constructor(private readonly schedule: Schedule) {}

  /** The entries that fit the day at a time. */
  room(at = performance.now()): number {
    const used = this.#log.filter((write) => write.at > at - DAY_MS);
    return CAP - used.reduce((sum, { entries }) => sum + entries, 0);
  }

  get firstAt(): number | undefined {
    return this.#log[0]?.at;
  }

  async create(name: string, entries: number, workerHangsMs = 0): Promise<number> {
    await this.schedule.happens(`Postgres executes ${name}`);
    const fits = entries <= this.room();
    if (fits) this.#log.push({ at: performance.now(), entries });
    if (workerHangsMs > 0) await Bun.sleep(workerHangsMs);
    await this.schedule.happens(`the response to ${name} arrives`);
    return fits ? entries : 0;
  }
}

/** What the scripts report of the day: at most what Redis knows of it. */
function fitsOf({ call, executions }: Command): number | undefined {
  const reply = executions[0]?.reply as number[] | undefined;
  return call.script === 'readDay' ? reply?.[0] : reply?.[3];
}

/** What fits when a request is admitted. */
async function entriesLeftIn(scripts: LimitScripts): Promise<number | undefined> {
  const minute = await scripts.count(ACCOUNT, 'key', { isWrite: true, span: undefined });
  return minute?.admitted ? minute.entriesLeft : undefined;
}

export const day = schedulesOf({
  plan,
  async run(schedule, { writes, writesLater, replies, openings }) {
    const redis = new Redis(schedule, replies, openings);
    const postgres = new Postgres(schedule);
    let broken = '';
    /** In Postgres at each pre-check in Redis. */
    const rooms: { at: number; room: number }[] = [];
    redis.onExecuted = (command) => {
      const fits = fitsOf(command);
      if (command.call.script === 'readDay') rooms.push({ at: performance.now(), room: postgres.room() });
      if (fits !== undefined && fits < postgres.room())
        broken = `Redis has room for ${fits} entries, and Postgres for ${postgres.room()}`;
    };
    schedule.always(() => rule(broken === '', broken));
    const gateways = [0, 1].map((n) => {
      const deployment = redis.connect(`gateway ${n}`);
      const scripts = createScripts(deployment);
      const limits = createLimits(scripts, { minuteDecided() {}, writeRefused() {} });
      // Otherwise most steps of a day are sweeps of the minutes.
      limits.close();
      return { deployment, scripts, limits };
    });

    /** What the route of a write does. */
    async function send(name: string, gateway: number, entries: number, workerHangsMs = 0): Promise<void> {
      const { scripts, limits } = gateways[gateway] as (typeof gateways)[number];
      const entriesLeft = await entriesLeftIn(scripts);
      await schedule.happens(`the body of ${name} arrives`);
      const readAt = performance.now();
      const write = { entries: Array(entries).fill({}), idempotencyKey: undefined };
      const refusal = await limits.dailyCapRefusal(ACCOUNT, write, entriesLeft);
      if (refusal) {
        schedule.note(`${name} of ${entries} is refused`);
        const isFull = rooms.some(({ at, room }) => at >= readAt && room < entries);
        if (!isFull) broken = `${name} is refused, and Postgres has room`;
        if (refusal.index !== refusal.entriesLeft)
          broken = `${name}: the index is not of the first that does not fit`;
        return;
      }
      const begunAt = performance.now();
      const created = await postgres.create(name, entries, workerHangsMs);
      schedule.note(`${name} of ${entries}: ${created} are created`);
      limits.recordCreated({ accountId: ACCOUNT, entries: created, begunAt });
    }
    let settled = 0;
    const start = (name: string, { gateway, entries, workerHangsMs }: (typeof writes)[number]) =>
      void send(name, gateway, entries, workerHangsMs).then(() => settled++);
    for (const [n, write] of writes.entries()) {
      const arrives = () => schedule.event(`write ${n} arrives`, () => start(`write ${n}`, write));
      setTimeout(arrives, write.arrivesAtMs);
    }
    await schedule.run(() => settled === writes.length);

    const left = (postgres.firstAt ?? 0) + DAY_MS - performance.now();
    for (const [n, write] of writesLater.entries())
      setTimeout(() => start(`write ${n} of a day later`, write), left - 1 + n + write.arrivesAtMs);
    await schedule.run(() => settled === writes.length + writesLater.length && redis.isIdle());
    redis.requireRules();
    rule(broken === '', broken);

    redis.heal();
    schedule.calm();
    await schedule.run(() => gateways.every(({ deployment }) => deployment.isUp()));
    for (const [gateway, { scripts }] of gateways.entries()) {
      const left = () => entriesLeftIn(scripts);
      // Redis may have more room, having missed writes.
      const isCreated = postgres.room() > 0;
      const work = (async () => {
        const before = await left();
        await send('the last write', gateway, 1);
        await schedule.happens('the write is recorded');
        return [before ?? 0, (await left()) ?? 0];
      })();
      const [before = 0, after = 0] = await schedule.until(work);
      rule(!isCreated || before === 0 || after < before, 'a write is not recorded in Redis');
    }
    for (const { deployment } of gateways) deployment.close();
  },
});
