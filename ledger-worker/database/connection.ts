/** Connections to Postgres: one statement at a time on each, and with a timeout no statement hangs forever. */
import type { Socket } from 'node:net';
import postgres from 'postgres';
import { tlsOf } from './address.ts';
import { DatabaseSocket } from './socket.ts';

/** For single statements only: `begin` and `reserve` do not work with the options below. */
export type Sql = postgres.Sql<{ bigint: number; calendarDay: string }> & {
  /**
   * Ends every connection, with the statements that run on them. The next statements open others, which resolves the host's name anew.
   * @param url of another host; user, password and options stay
   */
  reconnect(url?: string): void;
};

export interface DatabaseOptions {
  /**
   * `postgres://user:password@host:port/name`, of one host; `?host=/directory` is a unix socket, `?sslmode=` and `&sslrootcert=`
   * select TLS, as in libpq.
   */
  url: string;
  poolMax: number;
  /** 0: no timeout. */
  statementTimeoutMs: number;
  /** Whether Citus distributes the database. */
  isDistributed?: boolean;
  /** In addition to the settings that the worker's statements need, or in place of some. */
  settings?: Record<string, string>;
  /** Whether no statement runs: then no response is expected. Absent: a connection without statements is closed. */
  isIdle?: () => boolean;
}

/** The settings that the plans and results of the worker's statements depend on. */
const STATEMENT_SETTINGS = {
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

// The time for the server to report a statement timeout.
const RESPONSE_MARGIN_MS = 500;
const CONNECT_SECONDS_MAX = 2;
const RECONNECT_MS_MAX = 500;

/** Connects at the first statement. */
export function openDatabase({
  url,
  poolMax,
  statementTimeoutMs,
  isDistributed,
  settings,
  isIdle = () => false,
}: DatabaseOptions): Sql {
  const address = new URL(url);
  let { target, host, port } = serverIn(address);
  const ssl = tlsOf(address.searchParams, () => host);
  // The library takes the others for settings of the database.
  for (const name of ['host', 'sslmode', 'sslrootcert']) address.searchParams.delete(name);
  const sockets = new Set<DatabaseSocket>();
  const socket = () => {
    // The library takes the name in TLS from `host`, and both for the messages of its errors.
    const opened = Object.assign(new DatabaseSocket(target), { host, port });
    failWhenRefused(opened);
    if (statementTimeoutMs > 0) failWithoutResponse(opened, statementTimeoutMs + RESPONSE_MARGIN_MS, isIdle);
    // Over TLS, the library removes all listeners: also one that would do this at the end of each.
    for (const each of sockets) if (each.destroyed) sockets.delete(each);
    sockets.add(opened);
    return opened;
  };
  // The library's types lack these. Without pipelining, a statement can be cancelled and uses the next free connection.
  const untyped = { socket, max_pipeline: 0 } as object;

  const sql = postgres(address.href, {
    ...untyped,
    ssl,
    max: poolMax,
    connect_timeout: CONNECT_SECONDS_MAX,
    backoff: (retries: number) => Math.min(10 * 2 ** retries, RECONNECT_MS_MAX) / 1000,
    onnotice: () => {},
    connection: {
      application_name: 'ledger-worker',
      statement_timeout: statementTimeoutMs,
      // ledger.write_group reads rows that were committed while it waited for a lock.
      default_transaction_isolation: 'read committed',
      ...(isDistributed ? DISTRIBUTED_SETTINGS : STATEMENT_SETTINGS),
      ...settings,
    },
    // The library would query them on each new connection without awaiting the result: if the connection is lost then, the
    // unhandled rejection ends the process.
    fetch_types: false,
    types: {
      // Every bigint of the schema is at most 2^53-1, and a date is a calendar day, not an instant.
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      calendarDay: { to: 1082, from: [1082], serialize: String, parse: String },
      // The library serializes parameters a second time when a statement has to be prepared again.
      bytea: {
        to: 17,
        from: [],
        serialize: (value: Buffer | string) =>
          typeof value === 'string' ? value : `\\x${value.toString('hex')}`,
        parse: String,
      },
    },
  });
  return Object.assign(sql, {
    reconnect(other?: string) {
      if (other !== undefined) ({ target, host, port } = serverIn(new URL(other)));
      for (const each of sockets) each.endSoon();
    },
  });
}

/** The server of an address, and the `target` of a socket. */
function serverIn({ hostname, port: portText, searchParams }: URL) {
  const port = Number(portText || 5432);
  // An IPv6 address has brackets in a URL only.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const socketDirectory = searchParams.get('host');
  const target = socketDirectory ? { path: `${socketDirectory}/.s.PGSQL.${port}` } : { host, port };
  return { target, host, port };
}

/**
 * Checks in the database the settings that `sql` asks for. A pooler may drop the settings of a connection: then the role must have them.
 * @throws Error in one sentence that names the missing settings
 */
export async function requireSessionSettings(sql: Sql): Promise<void> {
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

/**
 * Fails a connection that is closed before the server has sent anything, as a proxy before a dead server does. The library would
 * reconnect forever. Test: `says nothing and closes` in database-tls.slow.test.ts.
 */
function failWhenRefused(socket: Socket): void {
  const fail = () => fails(socket, 'ECONNRESET', 'the database closed the connection');
  socket.once('end', fail);
  socket.once('data', () => socket.off('end', fail));
}

/**
 * Fails a connection on which nothing is sent for `ms` although a statement runs, because the server hangs or the network drops
 * packets. Otherwise the statement would wait for TCP's timeout of many minutes. Test: `connections stay open while`
 * in lost-database.slow.test.ts.
 */
function failWithoutResponse(socket: Socket, ms: number, isIdle: () => boolean): void {
  const start = () =>
    socket.setTimeout(ms, () =>
      isIdle() ? start() : fails(socket, 'ETIMEDOUT', 'the database does not respond'),
    );
  // After the response to its request for TLS, the library removes all listeners of the socket.
  socket.once('data', () => setImmediate(start));
}

function fails(socket: Socket, code: string, message: string): void {
  socket.destroy(Object.assign(new Error(message), { code }));
}
