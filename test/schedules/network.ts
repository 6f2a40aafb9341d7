/** A model of the streams between gateway and worker: messages arrive late, in their order, and a connection may break or hang. */
import { EventEmitter } from 'node:events';
import { status } from '@grpc/grpc-js';
import type { LedgerClient } from '../../proto/client.ts';
import type { Schedule } from './schedule.ts';

/** Of each stream in turn. */
export type Connection = 'works' | 'breaks' | 'hangs';

const DETAILS = { [status.CANCELLED]: 'cancelled', [status.UNAVAILABLE]: 'the connection broke' } as Record<
  number,
  string
>;

/** The two ends of one stream. */
class Stream {
  readonly client = Object.assign(new EventEmitter(), {
    writableEnded: false,
    write: (message: object) =>
      this.#deliver('the worker', () => this.server.emit('data', received(message))),
    end: () => {
      this.client.writableEnded = true;
      this.#deliver('the worker', () => this.server.emit('end'));
    },
    cancel: () => this.fail(status.CANCELLED),
    getPeer: () => '127.0.0.1:1',
  });
  readonly server = Object.assign(new EventEmitter(), {
    cancelled: false,
    destroyed: false,
    write: (message: object) => this.#deliver('the gateway', () => this.client.emit('data', message)),
    end: () => this.#deliver('the gateway', () => this.#end()),
  });
  readonly #messages = { 'the worker': [] as (() => void)[], 'the gateway': [] as (() => void)[] };
  readonly #deadline: Timer;
  #hasEnded = false;

  constructor(
    private readonly schedule: Schedule,
    readonly name: string,
    private readonly connection: Connection,
    deadline: number,
  ) {
    this.#deadline = setTimeout(() => this.fail(status.DEADLINE_EXCEEDED), deadline - Date.now());
    if (connection === 'breaks') schedule.event(`${name} breaks`, () => this.fail(status.UNAVAILABLE));
  }

  #deliver(to: 'the worker' | 'the gateway', arrive: () => void): void {
    if (this.connection === 'hangs') return;
    this.#messages[to].push(arrive);
    this.schedule.event(`${to} gets a message of ${this.name}`, () => {
      const next = this.#messages[to].shift();
      if (!this.#hasEnded) next?.();
    });
  }

  fail(code: status): void {
    if (this.#hasEnded) return;
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
    this.#hasEnded = true;
    this.server.cancelled = true;
    clearTimeout(this.#deadline);
    this.server.emit('cancelled');
  }
}

/** A message as the worker decodes it. */
function received({ requests = [], cancelled = [] }: { requests?: object[]; cancelled?: number[] }) {
  return {
    cancelled,
    requests: requests.map((request) => ({ trace: null, method: Object.keys(request)[0], ...request })),
  };
}

/** @param serve the worker's handler of the RPC Execute */
export function network(
  schedule: Schedule,
  connections: readonly Connection[],
  serve: (stream: never) => void,
): Pick<LedgerClient, 'execute'> {
  let count = 0;
  return {
    execute(options) {
      const connection = connections[count] ?? 'works';
      const name = `stream ${++count}`;
      schedule.note(`${name} is opened${connection === 'hangs' ? ', which hangs' : ''}`);
      const stream = new Stream(schedule, name, connection, Number(options?.deadline));
      serve(stream.server as never);
      return stream.client as never;
    },
  };
}
