/** Connections to Postgres: one statement at a time on each, and none that hangs forever. */
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import postgres from 'postgres';
import { failing, secured, tlsOf, withoutTls } from './tls.ts';

/** For single statements only: `begin` and `reserve` do not work with the options below. */
export type Sql = postgres.Sql<{ bigint: number; calendarDay: string }>;

export interface DatabaseOptions {
  /**
   * `postgres://user:password@host:port/name`, of one host; `?host=/directory` is a unix socket, `?sslmode=` and `&sslrootcert=`
   * select TLS, as in libpq.
   */
  url: string;
  poolMax: number;
  /** 0: no timeout. */
  statementTimeoutMs: number;
  /** Whether Citus distributes the books. */
  isDistributed?: boolean;
}

/** The library's options, from the address and libpq's variables. */
interface Address {
  host: string[];
  port: number[];
  /** The unix socket. */
  path: string | false;
}

/** The settings that the plans and results of the worker's statements depend on. */
export const STATEMENT_SETTINGS = {
  // Every statement has its index. A generic plan made while a table was empty is kept when the table grows, and the planner
  // underestimates a page with three bounds and would sort it.
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  // By default Postgres plans a statement for short arrays each time, because it assumes ten elements for any array. Planning
  // costs more than most of these statements.
  plan_cache_mode: 'force_generic_plan',
  // The date format of the contract.
  DateStyle: 'ISO',
};

/** Citus chooses the shard from the values of a statement's parameters, and refuses a plan without them. */
const DISTRIBUTED_SETTINGS = { ...STATEMENT_SETTINGS, plan_cache_mode: 'auto' };

// How long after its statement timeout the server may take to report it.
const SILENCE_MARGIN_MS = 500;
const CONNECT_SECONDS_MAX = 2;
const RECONNECT_MS_MAX = 500;

/** Connects at the first statement. */
export function openDatabase({ url, poolMax, statementTimeoutMs, isDistributed }: DatabaseOptions): Sql {
  const tls = tlsOf(new URL(url));
  const address = withoutTls(new URL(url));
  const socketDirectory = address.searchParams.get('host');
  address.searchParams.delete('host');
  const socket = async ({ host: [name = ''], port: [port], path }: Address) => {
    const overNetwork = () => {
      const opened = connect(Number(port), name);
      return tls ? secured(opened, name, tls, CONNECT_SECONDS_MAX * 1000) : opened;
    };
    const spoken = path ? await connected(path) : await overNetwork();
    failWhenNotReceived(spoken);
    if (statementTimeoutMs > 0) endWhenSilent(spoken, statementTimeoutMs + SILENCE_MARGIN_MS);
    // For the library's error messages.
    return Object.assign(spoken, { host: name });
  };
  // The library's types lack these. Without pipelining, a statement can be cancelled and uses the next free connection.
  const untyped = { socket, ssl: false, max_pipeline: 0, ...ipv6(address) } as object;

  return postgres(address.href, {
    ...untyped,
    ...(socketDirectory && { host: socketDirectory }),
    max: poolMax,
    connect_timeout: CONNECT_SECONDS_MAX,
    backoff: (retries: number) => Math.min(10 * 2 ** retries, RECONNECT_MS_MAX) / 1000,
    onnotice: () => {},
    connection: {
      application_name: 'ledger-worker',
      statement_timeout: statementTimeoutMs,
      // ledger.write_batches reads what committed while it waited for a lock.
      default_transaction_isolation: 'read committed',
      ...(isDistributed ? DISTRIBUTED_SETTINGS : STATEMENT_SETTINGS),
    },
    // The library would query them on each new connection without awaiting the result: if the connection is lost then, the
    // unhandled rejection ends the process.
    fetch_types: false,
    types: {
      // Every bigint of the schema is at most 2^53-1, and a date is a calendar day, not an instant.
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      calendarDay: { to: 1082, from: [1082], serialize: String, parse: String },
      ...PARAMETER_TYPES,
    },
  });
}

/**
 * Checks in the database the settings that `sql` asks for. A pooler may drop the settings of a connection: then the role must have them.
 * @throws Error in one sentence that names the missing settings
 */
export async function requireSettings(sql: Sql): Promise<void> {
  const expected = Object.entries<unknown>(sql.options.connection);
  const names = expected.map(([name]) => name.toLowerCase()).join();
  const rows = await sql<{ name: string; value: string }[]>`
    select lower(name) as name, setting as value from pg_settings
     where lower(name) = any(string_to_array(${names}, ','))`;
  const actual = new Map(rows.map(({ name, value }) => [name, value]));
  const missing = expected
    // "ISO, MDY"
    .filter(([name, value]) => actual.get(name.toLowerCase())?.split(',')[0] !== String(value))
    .map(([name, value]) => `${name} = '${value}'`);
  if (missing.length > 0) {
    throw new Error(
      `Statements do not run under the settings that they need; set for the database role: ${missing.join(', ')}.`,
    );
  }
}

/** The library takes the brackets of an IPv6 address for a part of a name. */
function ipv6({ hostname, port }: URL): object {
  const [, host] = /^\[(.*)\]$/.exec(hostname) ?? [];
  return host === undefined ? {} : { host: [host], port: [port || '5432'] };
}

// The oids of pg_type.
const PARAMETER_TYPES = {
  bytea: {
    to: 17,
    from: [],
    serialize: once((bytes: Buffer) => `\\x${bytes.toString('hex')}`),
    parse: String,
  },
} as object;

/** The library serializes parameters a second time when a statement has to be prepared again. */
function once<Value>(serialize: (value: Value) => string): (value: Value | string) => string {
  return (value) => (typeof value === 'string' ? value : serialize(value));
}

/**
 * A connected unix socket. Connection errors come at once, before the library listens for them: on error the result is a socket
 * that fails at its first use.
 */
function connected(path: string): Promise<Duplex> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(socket));
    socket.once('error', (error) => resolve(failing(error)));
  });
}

/**
 * Fails a connection that is closed before the server has sent anything, as a proxy before a dead server does. The library would
 * silently reconnect forever.
 */
function failWhenNotReceived(socket: Duplex): void {
  const fail = () => {
    socket.destroy(Object.assign(new Error('the database closed the connection'), { code: 'ECONNRESET' }));
  };
  socket.once('end', fail);
  socket.once('data', () => socket.off('end', fail));
}

/**
 * Closes a connection when a response is due and the server has sent nothing for `ms`, because it hangs or the network drops
 * packets. Otherwise a statement would wait for TCP's timeout of many minutes.
 */
function endWhenSilent(socket: Duplex, ms: number): void {
  let timer: Timer | undefined;
  const stopTimer = () => clearTimeout(timer);
  const startTimer = () => {
    stopTimer();
    timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error('the database is silent'), { code: 'ETIMEDOUT' }));
    }, ms);
  };
  const write = socket.write.bind(socket);
  socket.write = ((...args: Parameters<typeof write>) => {
    startTimer();
    return write(...args);
  }) as typeof write;
  socket.on('data', (data: Buffer) => (endsWithReadyForQuery(data) ? stopTimer() : startTimer()));
  socket.on('close', stopTimer);
}

/** ReadyForQuery: the last message of a response. */
function endsWithReadyForQuery(data: Buffer): boolean {
  return data.length >= 6 && data[data.length - 6] === 0x5a && data.readUInt32BE(data.length - 5) === 5;
}
