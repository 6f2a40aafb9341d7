/**
 * One server of Redis, up or down. Commands are sent only while it is up.
 *
 *   down ── a connection opens, and the probe has a reply ──▶ up ── a command has none, or the connection ends ──▶ down
 *    │  ▲
 *    └──┘ after a failed attempt, 500 ms after its beginning
 */
import { ReplyError } from 'ioredis';
import type { Logger } from 'pino';
import { type Remedies, withRemedy } from '../../platform/remedies.ts';

// Limit of one command. Together with the rest of a request's work it stays within 100 ms when Redis is unavailable.
const COMMAND_MS_MAX = 80;
// The least time for a command that is sent again.
const SECOND_COMMAND_MS_MIN = 15;
// Limit of a connection that is opened, and the least time from one attempt to the next.
export const CONNECT_MS_MAX = 500;
// The log repeats at this interval that a server is unavailable.
const REMINDER_MS = 60_000;

/** The rights of the gateway's user, as for ACL SETUSER: for the scripts and for the library. */
export const ACL =
  '~ledger:* +eval +evalsha +time +set +del +pexpire +lindex +llen +lpop +lrange +lset +rpush';

// The second is the error of a script.
const NO_RIGHT = /NOPERM|can't run this command/;

/** By the text of the error. */
const REDIS_REMEDIES: Remedies = [
  [NO_RIGHT, `give the user these rights: ${ACL}`],
  [/DB index/, 'correct the number after the host and port'],
  [/WRONGPASS|NOAUTH/, 'write user and password before the host, as redis://user:password@host:port'],
  [/READONLY/, 'name the master'],
  [/unknown command .sentinel/, 'it is no sentinel, list sentinels or set REDIS_URL'],
  [/All sentinels/, 'none of the sentinels responds, correct their hosts and ports'],
  [/slots cache/, 'none of the servers responds as a node of a cluster, list its nodes or set REDIS_URL'],
  [/certificate/, 'set NODE_EXTRA_CA_CERTS to the file of the authority of its certificate'],
  [
    /no reply|time(d ?)?out/i,
    'correct host and port, let the firewall pass them, and write rediss:// only for a server with TLS',
  ],
  [/ECONNRESET|EPIPE/, 'correct host and port, and write rediss:// for a server with TLS'],
];

export const NO_DEADLINE = Number.MAX_SAFE_INTEGER;

/** Redis's time in µs, and the reply; without one if the deadline had passed (deadline.lua). */
export type TimedReply<Reply> = [nowUs: number, reply?: Reply];

/** A call of a script. The deadline is added to its arguments. */
export interface Call {
  script: string;
  keys: readonly string[];
  args: readonly (string | number)[];
}

export interface Connection {
  /** Opens a connection, its host name resolved anew. @param signal aborted when the attempt is given up */
  open(signal: AbortSignal): Promise<unknown>;
  /** @param deadlineUs by Redis's clock: from then on the script must have no effect */
  send<Reply>(call: Call, deadlineUs: number): Promise<TimedReply<Reply>>;
  /** A write that counts nothing. */
  probe(): Call;
  /** Ends the connection at once. Its commands fail. */
  end(): void;
  /** Why the connection failed last, if that is known. */
  lastError(): Error | undefined;
}

export class RedisServer {
  #isUp = false;
  #isClosed = false;
  // The number of the current connection. A late failure of an earlier one changes nothing.
  #connections = 0;
  // Redis's clock minus this process's, in µs, at most.
  #aheadUs = 0;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  // The time at which the log last reported the server as unavailable.
  #warnedAt: number | undefined;

  constructor(
    readonly name: string,
    private readonly connection: Connection,
    private readonly log: Logger,
  ) {
    this.#connect();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** As `RedisDeployment.run`. */
  async run<Reply>(call: Call): Promise<Reply | undefined> {
    if (!this.#isUp) {
      this.#warn();
      return undefined;
    }
    const connection = this.#connections;
    const begun = performance.now();
    try {
      let reply = await this.#send<Reply>(call, COMMAND_MS_MAX);
      if (reply.length === 1) {
        // The gateway has not given the command up: the clocks have moved apart, or it was sent late. This reply corrects the clock.
        const left = begun + COMMAND_MS_MAX - performance.now();
        reply = await this.#send<Reply>(call, Math.max(left, SECOND_COMMAND_MS_MIN));
      }
      return reply[1];
    } catch (error) {
      // Not the error itself: it holds the command, and so the hash of a key.
      this.log.debug({ reason: (error as Error).message }, 'redis did not reply');
      if (connection === this.#connections && isServerFailure(error)) this.#fail(error as Error);
      return undefined;
    }
  }

  async isAvailable(): Promise<boolean> {
    return this.#isUp && (await this.run(this.connection.probe())) !== undefined;
  }

  /** The other side has closed the connection. */
  disconnected(): void {
    if (this.#isUp) this.#reconnect();
  }

  /** Stops the probe. @returns whether the log has reported the server as unavailable */
  close(): boolean {
    this.#isClosed = true;
    return this.#warnedAt !== undefined;
  }

  /** The deadline is by Redis's clock: docs/architecture.md, "A command counts on time or never". */
  async #send<Reply>(call: Call, timeoutMs: number, isClockKnown = true): Promise<TimedReply<Reply>> {
    const sentAt = performance.now();
    const deadlineUs = isClockKnown ? Math.ceil((sentAt + timeoutMs) * 1000 + this.#aheadUs) : NO_DEADLINE;
    const reply = await withTimeout(this.connection.send<Reply>(call, deadlineUs), timeoutMs);
    this.#aheadUs = reply[0] - sentAt * 1000;
    return reply;
  }

  /** Gives a failed connection up: its name may lead elsewhere, or a firewall may have dropped it. */
  #fail(error: Error): void {
    this.#warn(error);
    this.connection.end();
    this.#reconnect();
  }

  #reconnect(): void {
    this.#isUp = false;
    this.#connections++;
    this.#connect();
  }

  async #connect(): Promise<void> {
    while (!this.#isClosed) {
      await Bun.sleep(Math.max(0, this.#attemptedAt + CONNECT_MS_MAX - performance.now()));
      if (this.#isClosed) return;
      this.#attemptedAt = performance.now();
      try {
        await withTimeout(this.connection.open(AbortSignal.timeout(CONNECT_MS_MAX)), CONNECT_MS_MAX);
        // The server may be another one.
        await this.#send(this.connection.probe(), COMMAND_MS_MAX, false);
        return this.#begin();
      } catch (error) {
        if (this.#isClosed) return;
        this.#warn(error as Error);
        this.connection.end();
      }
    }
  }

  #begin(): void {
    this.#isUp = true;
    if (this.#warnedAt === undefined) return;
    this.#warnedAt = undefined;
    this.log.info({ server: this.name }, 'redis is back: limits are shared again');
  }

  #warn(error?: Error): void {
    const now = performance.now();
    if (this.#warnedAt !== undefined && now - this.#warnedAt < REMINDER_MS) return;
    this.#warnedAt = now;
    this.log.warn(
      { server: this.name, reason: withRemedy(this.connection.lastError() ?? error, REDIS_REMEDIES) },
      'redis is unavailable: limits are kept in this process',
    );
  }
}

/** False for an error about one key's value. */
function isServerFailure(error: unknown): boolean {
  if (!(error instanceof ReplyError)) return true;
  const { message } = error as Error;
  return NO_RIGHT.test(message) || !/^WRONGTYPE|^ERR .*user_script/.test(message);
}

/**
 * ioredis never settles some commands when a connection breaks. If the timer fires late, this process was busy and the reply
 * may already be in the socket: then it gets another 5 ms.
 */
function withTimeout<Reply>(reply: Promise<Reply>, timeoutMs: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const due = performance.now() + timeoutMs;
    const fail = () => reject(new Error(`no reply within ${Math.round(timeoutMs)} ms`));
    let timer = setTimeout(() => {
      if (performance.now() - due > 5) timer = setTimeout(fail, 5);
      else fail();
    }, timeoutMs);
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
