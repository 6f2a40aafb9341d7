/** The kinds of the errors of statements and connections, and their remedies. */
import postgres from 'postgres';
import { type Remedies, withRemedy } from '../../platform/remedies.ts';

/** The result belongs to another statement: postgres.js has mixed up connections. */
export class UnexpectedResult extends Error {}

export type ErrorKind =
  /** A lost connection, exhausted resources, a server that starts or stops. */
  | 'unavailable'
  /** A deadlock, a serialization failure or a lock timeout. */
  | 'aborted'
  | 'timeout'
  /** A value was refused: by its type or by a constraint. */
  | 'invalid'
  /** Anything else is a bug. */
  | 'internal';

/** By SQLSTATE. An error without one is a failed connection or a bug. */
export function kindOf(error: unknown): ErrorKind {
  if (error instanceof UnexpectedResult) return 'unavailable';
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code !== 'string') return 'internal';
  if (!(error instanceof postgres.PostgresError))
    return CONNECTION_FAILED.test(code) ? 'unavailable' : 'internal';
  if (/^(40|55P03)/.test(code)) return 'aborted';
  if (code === '57014') return 'timeout';
  if (isReadOnly(error) || /^(08|53|57P)/.test(code)) return 'unavailable';
  // Citus lost its connection to another node within a transaction.
  if (error.routine === 'MarkRemoteTransactionFailed') return 'unavailable';
  if (/^(22|23)/.test(code)) return 'invalid';
  return 'internal';
}

// Codes of postgres.js (CONNECTION_CLOSED, CONNECT_TIMEOUT ...), of the socket, which may be closed before it is used
// (ERR_SOCKET_CLOSED, ERR_STREAM_DESTROYED ...), and of a certificate that is not accepted.
const CONNECTION_FAILED =
  /^(CONNECT|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_|EPROTO|ERR_S(OCKET|TREAM|SL)|UNABLE_TO_)|CERT/;

/** Whether the server does not accept writes: it is a standby, or `default_transaction_read_only` is on. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '25006';
}

/** Whether the same statement may succeed when repeated. */
export function isTransient(error: unknown): boolean {
  return ['unavailable', 'aborted'].includes(kindOf(error));
}

/** The error without the statement and without values of rows, which must not be logged. */
export function loggable(error: unknown): unknown {
  if (!(error instanceof postgres.PostgresError)) return error;
  const { name, message, code, severity, routine, constraint_name, where } = error;
  return { name, message, code, severity, routine, constraint_name, where };
}

/** By SQLSTATE or by the text of the error. */
const DATABASE_REMEDIES: Remedies = [
  [/^28P01/, 'correct user and password, which may be in PGPASSWORD'],
  [/^28000.*no encryption/, 'add sslmode=verify-full, or allow the user in the pg_hba.conf of the server'],
  [/^28/, 'correct the user, or allow it in the pg_hba.conf of the server'],
  [/^3D000/, 'correct the name of the database, or create it'],
  [/^42704 unrecognized|^08P01 unsupported startup/, 'remove the option, or let the pooler ignore it'],
  [
    /^42501/,
    'run `bun run migrate` as the owner of the schema; a worker needs that owner, or MIGRATE=never and the role ledger_worker',
  ],
  [/^53300/, 'raise max_connections or the limit of the role, or lower DATABASE_POOL_MAX of the workers'],
  [/^(55P03|40P01)/, 'wait for the session that holds a table lock, perhaps a dump or a vacuum'],
  [/not accept writes/, 'list the primary, or set default_transaction_read_only off'],
  [/secure TLS/, 'the server speaks no TLS, turn it on there or remove sslmode'],
  [/UNABLE_TO|SELF_SIGNED|issuer/, 'set sslrootcert to the file of the authority of its certificate'],
];

/** Why the database of DATABASE_URL cannot be used or changed, and the way out. Undefined without an error. */
export const reasonOf = (error: unknown) => withRemedy(error, DATABASE_REMEDIES);
