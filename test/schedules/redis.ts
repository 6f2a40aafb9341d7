/**
 * A model of one Redis server with the scripts of scripts.ts, each framed by its deadline. It executes the commands of a connection in
 * their order, at any later moment, also when their connection has ended: so does one that hung.
 */
import type { Logger } from 'pino';
import type { RedisDeployment } from '../../gateway/redis/scripts.ts';
import { type Call, type Connection, RedisServer, type TimedReply } from '../../gateway/redis/server.ts';
import { rule, type Schedule } from './schedule.ts';
import { Scripts } from './scripts.ts';

/** Of each command in turn. */
export type Reply = 'replies' | 'loses the reply' | 'does not accept writes';
/** Of each attempt to connect in turn. */
export type Opening = 'connects' | 'is refused' | 'hangs';

/** A script that a gateway has run: one call, sent once or twice. */
export interface Command {
  call: Call;
  begunAt: number;
  endedAt?: number;
  /** What `run` returned. */
  reply?: unknown;
  /** The executions that were not too late: the time of each, and its reply. */
  executions: { at: number; reply: unknown }[];
  /** How often it was sent, and how often it should have been: again after the reply that it was too late. */
  sent: number;
  sentAtLeast: number;
  /** How long each execution that was too late came after its sending. */
  tooLateMs: number[];
}

// `RedisDeployment.run`: within 100 ms. A deadline is later than that by a round trip at most, which has the limit of a command.
const RUN_MS_MAX = 100;
const COMMAND_MS_MAX = 80;
// The least time that a command has.
const COMMAND_MS_MIN = 15;
const LOG = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger;

interface Sent {
  at: number;
  repliedAt?: number;
  isFailed: boolean;
}

export class Redis {
  /** Set forward or back, in µs. */
  aheadUs = 0;
  readonly commands: Command[] = [];
  readonly #scripts = new Scripts();
  /** A rule that is broken in a promise which the gateway handles. */
  broken = '';
  /** Called at each execution. */
  onExecuted: (command: Command) => void = () => {};

  constructor(
    private readonly schedule: Schedule,
    private replies: readonly Reply[],
    private openings: readonly Opening[],
  ) {}

  /** From now on, each connection opens and each command gets its reply. */
  heal(): void {
    this.replies = [];
    this.openings = [];
  }

  /** Requests of the key, just before now. */
  seed(key: string, count: number): void {
    this.#scripts.minutes.set(key, Array(count).fill(this.#nowUs() - 1000));
  }

  /** A gateway's part: the real RedisServer. */
  connect(name: string): RedisDeployment {
    const { connection, breakable } = this.#connection(name);
    const server = new RedisServer(name, connection, LOG);
    breakable(() => server.disconnected());
    return {
      run: async <Result>(call: Call) => {
        const command: Command = {
          call,
          begunAt: performance.now(),
          executions: [],
          tooLateMs: [],
          sent: 0,
          sentAtLeast: 0,
        };
        this.commands.push(command);
        const reply = await server.run<Result>(call);
        Object.assign(command, { reply, endedAt: performance.now() });
        return reply;
      },
      slotOf: () => 0,
      isAvailable: () => server.isAvailable(),
      isUp: () => server.isUp,
      close: () => void server.close(),
    };
  }

  #connection(name: string) {
    let sent: Sent[] = [];
    let waiting: (() => void)[] = [];
    let [opened, isOpen] = [0, false];
    let onBroken = () => {};
    const connection: Connection = {
      open: async (signal) => {
        const n = ++opened;
        const opening = this.openings[n - 1] ?? 'connects';
        if (isOpen) this.broken = `${name} connects again, and keeps the connection that has failed`;
        if (opening === 'hangs') await new Promise(() => {});
        await this.schedule.happens(`${name} ${opening}`);
        if (opening === 'is refused') throw new Error('ECONNREFUSED');
        if (signal.aborted || n !== opened) return;
        [sent, waiting, isOpen] = [[], [], true];
      },
      send: <Result>(call: Call, deadlineUs: number) => {
        const reply = Promise.withResolvers<TimedReply<Result>>();
        reply.promise.catch(() => {});
        const each: Sent = { at: performance.now(), isFailed: false };
        const [ofConnection, behaviour] = [opened, this.#behaviour(call)];
        sent.push(each);
        if (!isOpen && call.script !== 'probe')
          this.broken = `${name} sends ${call.script} without a connection`;
        const command = this.commands.find((other) => other.call === call);
        if (command) command.sent++;
        waiting.push(() => {
          const isCurrent = () => isOpen && ofConnection === opened;
          const timed =
            behaviour === 'does not accept writes' ? undefined : this.#execute(call, deadlineUs, each.at);
          const arrive = () => {
            // ioredis never settles some commands of a connection that has ended.
            if (!isCurrent()) return;
            each.repliedAt = performance.now();
            const isInTime = each.repliedAt < each.at + COMMAND_MS_MAX && behaviour === 'replies';
            if (command && isInTime && timed?.length === 1) command.sentAtLeast = 2;
            if (timed && behaviour === 'replies') return reply.resolve(timed as TimedReply<Result>);
            each.isFailed = true;
            reply.reject(new Error(timed ? 'the connection is lost' : 'READONLY'));
          };
          this.schedule.event(`the reply to ${call.script} of ${name} arrives`, arrive);
        });
        const queue = waiting;
        this.schedule.event(`Redis executes a command of ${name}`, () => queue.shift()?.());
        return reply.promise;
      },
      probe: () => ({ script: 'probe', keys: [], args: [] }),
      end: () => {
        const now = performance.now();
        const hasFailed = sent.some(
          ({ at, repliedAt = now, isFailed }) => isFailed || repliedAt - at >= COMMAND_MS_MIN,
        );
        if (isOpen && !hasFailed) this.broken = `${name} ends a connection that works`;
        isOpen = false;
      },
      lastError: () => undefined,
    };
    const breakable = (broken: () => void) => {
      onBroken = broken;
      this.schedule.event(`the connection of ${name} breaks`, () => {
        if (!isOpen) return;
        isOpen = false;
        onBroken();
      });
    };
    return { connection, breakable };
  }

  #sent = 0;

  #behaviour(call: Call): Reply {
    return call.script === 'probe' ? 'replies' : (this.replies[this.#sent++] ?? 'replies');
  }

  #nowUs(): number {
    return Math.floor(performance.now() * 1000) + 1_000_000_000_000 + this.aheadUs;
  }

  /** deadline.lua */
  #execute(call: Call, deadlineUs: number, sentAt: number): TimedReply<unknown> {
    const now = this.#nowUs();
    const command = this.commands.find((each) => each.call === call);
    if (now > deadlineUs) {
      command?.tooLateMs.push(performance.now() - sentAt);
      return [now];
    }
    const reply = this.#scripts.run(call, now);
    if (command) {
      command.executions.push({ at: performance.now(), reply });
      this.onExecuted(command);
    }
    return [now, reply];
  }

  /** No command waits for its reply. */
  isIdle(): boolean {
    return this.commands.every(({ endedAt }) => endedAt !== undefined);
  }

  /** The rules of each command. @param clockSetUs while they ran: their deadlines then lie elsewhere than the gateway means */
  requireRules(clockSetUs = 0): void {
    rule(this.broken === '', this.broken);
    for (const command of this.commands) {
      const { call, begunAt, endedAt, reply, executions, tooLateMs, sent, sentAtLeast } = command;
      const { script } = call;
      rule(executions.length <= 1, `${script} counts twice`);
      rule(endedAt !== undefined && endedAt - begunAt <= RUN_MS_MAX, `${script} takes longer than 100 ms`);
      const [execution] = executions;
      rule(reply === undefined || reply === execution?.reply, `${script} has the reply of another command`);
      const isLate = execution !== undefined && execution.at > endedAt + COMMAND_MS_MAX;
      rule(!isLate || clockSetUs < 0, `${script} counts, although the gateway has given it up`);
      rule(sent >= sentAtLeast, `${script} came too late by Redis's clock, and is not sent again`);
      const isEarly = tooLateMs.some((ms, n) => ms < (n === 0 ? COMMAND_MS_MAX : COMMAND_MS_MIN));
      rule(!isEarly || clockSetUs > 0, `${script} does not count, although the gateway waits for it`);
    }
  }
}
