/**
 * A model of the streams between gateways and a worker: messages arrive late, in their order, and a connection may break or hang. Its rules
 * are those of both ends: what they owe each other whenever time passes.
 */
import { EventEmitter } from 'node:events';
import { status } from '@grpc/grpc-js';
import type { Caller } from '../../gateway/http/request-context.ts';
import type { LedgerClient } from '../../proto/client.ts';
import { rule, type Schedule } from './schedule.ts';

/** Of each stream in turn. One that goes silent delivers nothing from then on, and neither end hears of it. */
export type Connection = 'works' | 'breaks' | 'hangs' | 'goes silent';

// A gateway sends requests in a stream for 100 ms.
const OPEN_MS = 100;
const DETAILS = { [status.CANCELLED]: 'cancelled', [status.UNAVAILABLE]: 'the connection broke' } as Record<
  number,
  string
>;

interface Message {
  requests?: { timeoutMs: number; createEntries?: { writeId: string } }[];
  cancelled?: number[];
}

/** The two ends of one stream. */
class Stream {
  readonly client = Object.assign(new EventEmitter(), {
    writableEnded: false,
    write: (message: Message) => {
      const sent = message.requests ?? [];
      if (sent.length > 0 && this.#hasFailed) this.network.sentAgainHere = true;
      for (const request of sent) {
        this.#expected.add(this.#sent++);
        for (const { caller } of Object.values(request) as { caller?: Caller }[])
          if (caller) this.network.onSent(caller);
      }
      for (const index of message.cancelled ?? []) this.#expected.delete(index);
      this.#deliver('the worker', () => this.#receive(message));
    },
    end: () => {
      this.client.writableEnded = true;
      this.#deliver('the worker', () => {
        this.#isHalfClosed = true;
        this.server.emit('end');
      });
    },
    cancel: () => this.fail(status.CANCELLED),
    getPeer: () => '127.0.0.1:1',
  });
  readonly server = Object.assign(new EventEmitter(), {
    cancelled: false,
    destroyed: false,
    write: (message: { responses: { index: number; failure?: object }[] }) => {
      for (const { index } of message.responses) this.#owed.delete(index);
      this.#deliver('the gateway', () => {
        for (const { index, failure } of message.responses) {
          const isExpected = this.#expected.delete(index);
          this.#hasFailed ||= isExpected && failure !== undefined;
        }
        this.client.emit('data', message);
      });
    },
    end: () => {
      rule(this.#owed.size === 0, `the worker ends ${this.name} before it has responded`);
      this.#hasServerEnded = true;
      this.#deliver('the gateway', () => this.#end());
    },
  });
  isOfAnother = false;
  hasEnded = false;
  /** As the worker knows. */
  hasEndedThere = false;
  readonly cancelled = new Set<number>();
  /** The requests that the worker has begun with. */
  started = 0;
  #isSilent = false;
  /** The gateway has a response with a failure. */
  #hasFailed = false;
  readonly #messages = { 'the worker': [] as (() => void)[], 'the gateway': [] as (() => void)[] };
  readonly #deadline: Timer;
  readonly #openedAt = Date.now();
  #sent = 0;
  #received = 0;
  #isHalfClosed = false;
  #hasServerEnded = false;
  /** The requests whose responses the gateway awaits, and those that the worker has to respond to. */
  readonly #expected = new Set<number>();
  readonly #owed = new Set<number>();

  constructor(
    private readonly network: Network,
    private readonly schedule: Schedule,
    readonly name: string,
    connection: Connection,
    deadline: number,
  ) {
    this.#isSilent = connection === 'hangs';
    this.#deadline = setTimeout(() => {
      this.fail(status.DEADLINE_EXCEEDED);
      this.#endThere();
    }, deadline - Date.now());
    if (connection === 'breaks') schedule.event(`${name} breaks`, () => this.fail(status.UNAVAILABLE));
    if (connection === 'goes silent')
      schedule.event(`${name} goes silent`, () => {
        this.#isSilent = true;
      });
  }

  /** The requests whose responses can still arrive. */
  get expected(): number {
    return this.hasEnded || this.isOfAnother ? 0 : this.#expected.size;
  }

  check(): void {
    if (this.hasEnded) return;
    const isOver = Date.now() > this.#openedAt + OPEN_MS && this.#expected.size === 0;
    rule(
      !isOver || this.client.writableEnded,
      `the gateway does not end ${this.name}, which it needs no longer`,
    );
    rule(
      !this.#isHalfClosed || this.#owed.size > 0 || this.#hasServerEnded,
      `the worker does not end ${this.name}`,
    );
  }

  #receive({ requests = [], cancelled = [] }: Message): void {
    for (const index of cancelled) this.cancelled.add(index);
    for (const { createEntries, timeoutMs } of requests) {
      this.#owed.add(this.#received++);
      if (createEntries) this.network.deadlines.set(createEntries.writeId, Date.now() + timeoutMs);
    }
    this.network.receiving = this;
    // As the worker decodes it.
    const decoded = requests.map((request) => ({ trace: null, method: Object.keys(request)[0], ...request }));
    this.server.emit('data', { cancelled, requests: decoded });
  }

  #deliver(to: 'the worker' | 'the gateway', arrive: () => void): void {
    if (this.#isSilent) return;
    this.#messages[to].push(arrive);
    this.schedule.event(`${to} gets a message of ${this.name}`, () => {
      const next = this.#messages[to].shift();
      if (!this.hasEnded && !this.#isSilent) next?.();
    });
  }

  fail(code: status): void {
    if (this.hasEnded) return;
    this.#finish();
    this.client.emit('error', Object.assign(new Error(DETAILS[code] ?? status[code]), { code }));
    this.client.emit('status');
  }

  #end(): void {
    this.#finish();
    this.client.emit('end');
    this.client.emit('status');
  }

  #finish(): void {
    this.hasEnded = true;
    // The worker ends a silent one at its deadline.
    if (this.#isSilent) return;
    clearTimeout(this.#deadline);
    this.#endThere();
  }

  #endThere(): void {
    if (this.hasEndedThere) return;
    this.hasEndedThere = true;
    this.server.cancelled = true;
    this.server.emit('cancelled');
  }
}

export class Network implements Pick<LedgerClient, 'execute'> {
  /** The worker's handler of the RPC Execute. */
  serve: (stream: never) => void = () => {};
  /** Called for each request that a gateway sends for a caller. */
  onSent: (caller: Caller) => void = () => {};
  /** When the worker must have ended its last attempt at each write, by write id. */
  readonly deadlines = new Map<string, number>();
  /** A request was sent in a stream after the failure of another one: it should reach another worker. */
  sentAgainHere = false;
  /** The stream whose message the worker receives now. */
  receiving: Stream | undefined;
  readonly #streams: Stream[] = [];

  constructor(
    private readonly schedule: Schedule,
    private connections: readonly Connection[],
  ) {
    schedule.always(() => {
      for (const stream of this.#streams) stream.check();
      rule(!this.sentAgainHere, 'a request is sent to a worker that has just failed');
    });
  }

  /** From now on, each connection works. */
  heal(): void {
    this.connections = [];
  }

  /** The requests whose responses can still arrive at the gateway. */
  expected(): number {
    return this.#streams.reduce((sum, stream) => sum + stream.expected, 0);
  }

  execute(options?: { deadline?: Date | number }) {
    return this.open(options);
  }

  /** @param isOfAnother the stream of another gateway than the one under test */
  open(options?: { deadline?: Date | number }, isOfAnother = false) {
    const connection = this.connections[this.#streams.length] ?? 'works';
    const name = `stream ${this.#streams.length + 1}`;
    this.schedule.note(`${name} is opened${connection === 'hangs' ? ', which hangs' : ''}`);
    const stream = new Stream(this, this.schedule, name, connection, Number(options?.deadline));
    stream.isOfAnother = isOfAnother;
    this.#streams.push(stream);
    this.serve(stream.server as never);
    return stream.client as never;
  }
}
