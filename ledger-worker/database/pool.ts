/** The connection pool: one statement at a time on each connection, and none that can hang. */
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import postgres from 'postgres';
import { failing, secured, tlsOf, withoutTls } from './tls.ts';

/** Every question is one statement: with what is set below, `begin` and `reserve` do not work. */
export type Sql = postgres.Sql<{ bigint: number; calendarDay: string }>;

export interface DatabaseOptions {
  /**
   * `postgres://user:password@host:port/name`; `?host=/directory` names a unix socket,
   * `?sslmode=` and `&sslrootcert=` ask for TLS, as in libpq.
   */
  url: string;
  poolMax: number;
  /** 0 switches it off. */
  statementTimeoutMs: number;
}

/** As the library has it, after its reading of the address and of libpq's variables. */
interface Address {
  host: string[];
  port: number[];
  /** Of a unix socket. */
  path: string | false;
}

/** What the plans and the answers of the worker's statements depend on. */
export const STATEMENT_SETTINGS = {
  // Every statement has its index. A plan that was made while a table was empty is kept when it no longer is, and a page
  // that is bounded in three ways is taken for a short one, to be sorted.
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  // Planned once, for any values. Left to itself Postgres plans a statement for few questions anew each time, since it takes every
  // array for one of ten: that costs more than most of these statements.
  plan_cache_mode: 'force_generic_plan',
  // As the contract has dates.
  DateStyle: 'ISO',
};

// Beyond its own timeout, how long the server may take to say that a statement timed out.
const SILENCE_MARGIN_MS = 500;
const CONNECT_SECONDS_MAX = 2;
const RECONNECT_MS_MAX = 500;

/** Opens no connection yet: the first statement does. */
export function openDatabase({ url, poolMax, statementTimeoutMs }: DatabaseOptions): Sql {
  const tls = tlsOf(new URL(url));
  const address = withoutTls(new URL(url));
  const socketDirectory = address.searchParams.get('host');
  address.searchParams.delete('host');
  let attempts = 0;
  const socket = async ({ host, port, path }: Address) => {
    const n = attempts++ % host.length;
    const name = host[n] as string;
    const overNetwork = () => {
      const opened = connect(Number(port[n]), name);
      return tls ? secured(opened, name, tls, CONNECT_SECONDS_MAX * 1000) : opened;
    };
    const spoken = path ? await connected(path) : await overNetwork();
    failWhenNotReceived(spoken);
    if (statementTimeoutMs > 0) endWhenSilent(spoken, statementTimeoutMs + SILENCE_MARGIN_MS);
    // What the library names in its errors.
    return Object.assign(spoken, { host: name });
  };
  // The library's types leave these two out. One statement at a time on a connection: behind another it could be neither
  // withdrawn nor given to a connection that is free.
  const untyped = { socket, ssl: false, max_pipeline: 0 } as object;

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
      // ledger.create_batches reads what committed while it waited for a lock.
      default_transaction_isolation: 'read committed',
      ...STATEMENT_SETTINGS,
    },
    // To ask the server for them, as the library does, is a statement on each new connection that nobody awaits: when the
    // connection is lost meanwhile, its rejection would end the process.
    fetch_types: false,
    types: {
      // Every bigint of the schema ends at 2^53-1, and a date is a calendar day, not an instant.
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      calendarDay: { to: 1082, from: [1082], serialize: String, parse: String },
      ...PARAMETER_TYPES,
    },
  });
}

/**
 * A pooler may keep the settings of a connection to itself: then the database role must have them.
 * @throws Error in one sentence that names those under which statements do not run
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

// Their numbers in pg_type.
const PARAMETER_TYPES = {
  bytea: {
    to: 17,
    from: [],
    serialize: once((bytes: Buffer) => `\\x${bytes.toString('hex')}`),
    parse: String,
  },
} as object;

/** When a statement has to be planned anew, the library serializes its parameters a second time. */
function once<Value>(serialize: (value: Value) => string): (value: Value | string) => string {
  return (value) => (typeof value === 'string' ? value : serialize(value));
}

/**
 * Of a unix socket. It is refused at once, before the library listens for an error: so it is given one that fails at its
 * first use.
 */
function connected(path: string): Promise<Duplex> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(socket));
    socket.once('error', (error) => resolve(failing(error)));
  });
}

/**
 * Makes an error of a connection that is closed before the server has said anything, as something in front of a dead
 * server does. The library would connect again at once, for ever, and nobody would be told.
 */
function failWhenNotReceived(socket: Duplex): void {
  const fail = () => {
    socket.destroy(Object.assign(new Error('the database closed the connection'), { code: 'ECONNRESET' }));
  };
  socket.once('end', fail);
  socket.once('data', () => socket.off('end', fail));
}

/**
 * Ends a connection whose server owes an answer and says nothing for `ms`: it hangs, or the network swallows what is
 * sent. Otherwise the statement would wait for as long as TCP has patience, many minutes.
 */
function endWhenSilent(socket: Duplex, ms: number): void {
  let timer: Timer | undefined;
  const hush = () => clearTimeout(timer);
  const expectAnswer = () => {
    hush();
    timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error('the database is silent'), { code: 'ETIMEDOUT' }));
    }, ms);
  };
  const write = socket.write.bind(socket);
  socket.write = ((...args: Parameters<typeof write>) => {
    expectAnswer();
    return write(...args);
  }) as typeof write;
  socket.on('data', (data: Buffer) => (endsWithReadyForQuery(data) ? hush() : expectAnswer()));
  socket.on('close', hush);
}

/** The protocol's message by which the server says that it owes nothing. */
function endsWithReadyForQuery(data: Buffer): boolean {
  return data.length >= 6 && data[data.length - 6] === 0x5a && data.readUInt32BE(data.length - 5) === 5;
}
