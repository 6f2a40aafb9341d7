/** The Postgres protocol over a raw socket, with prepared statements. Of a response it reads only the first column. */
import { join } from 'node:path';
import { STATEMENT_SETTINGS } from '../../ledger-worker/database/connection.ts';
import {
  type Connection,
  exchange,
  openConnection,
  type Request,
  type ResponseReader,
} from './connection.ts';

const READY = 0x5a; // Z
const ERROR = 0x45; // E
const DATA_ROW = 0x44; // D

/** The text of each statement by its name. */
export type Statements = Record<string, string>;

/**
 * A session with `statements` prepared.
 * @param databaseUrl with a unix socket, as local/servers/postgres.ts has it
 */
export async function postgresConnection(databaseUrl: string, statements: Statements): Promise<Connection> {
  const { username, pathname, searchParams } = new URL(databaseUrl);
  const socketFile = join(searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const connection = await openConnection({ unix: socketFile }, new PostgresResponseReader(), message('X'));
  await exchange(connection, { bytes: startup(username, pathname.slice(1)), expected: '', entries: 0 });
  for (const [name, statement] of Object.entries(statements)) {
    const parse = message('P', text(name), text(statement), int16(0));
    await exchange(connection, { bytes: Buffer.concat([parse, message('S')]), expected: '', entries: 0 });
  }
  return connection;
}

/** One execution of a prepared statement, its parameters as text. */
export function boundCall(
  statement: string,
  parameters: readonly (string | null)[],
  expected: string,
  entries: number,
): Request {
  const sizes = parameters.map((parameter) => (parameter === null ? 0 : Buffer.byteLength(parameter)));
  const values = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + 4 + size, 0));
  let at = 0;
  for (const [index, parameter] of parameters.entries()) {
    at = values.writeInt32BE(parameter === null ? -1 : (sizes[index] ?? 0), at);
    if (parameter !== null) at += values.write(parameter, at);
  }
  const bind = [text(''), text(statement), int16(0), int16(parameters.length), values, int16(0)];
  return { bytes: Buffer.concat([message('B', ...bind), EXECUTE_AND_SYNC]), expected, entries };
}

/** One COPY of `rows`, in the text format. */
export function copyIn(table: string, rows: string, entries: number): Request {
  const begin = message('Q', text(`copy ${table} from stdin`));
  const bytes = Buffer.concat([begin, message('d', Buffer.from(rows)), message('c')]);
  return { bytes, expected: '', entries };
}

const EXECUTE_AND_SYNC = Buffer.concat([message('E', text(''), int32(0)), message('S')]);

/** Reads the messages of each response up to ReadyForQuery. */
class PostgresResponseReader implements ResponseReader {
  /** The first column of the first row, or the fields of an error. */
  result = '';
  #rest: Buffer | undefined;
  #begun = false;

  /** Whether the response is complete with these bytes. */
  read(received: Buffer): boolean {
    const bytes = this.#rest === undefined ? received : Buffer.concat([this.#rest, received]);
    if (!this.#begun) this.result = '';
    this.#begun = true;
    let at = 0;
    while (at + 5 <= bytes.length) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) break;
      const type = bytes[at];
      if (type === DATA_ROW) {
        if (this.result === '') this.result = firstColumn(bytes, at);
      } else if (type === ERROR) {
        this.result = `error: ${bytes.toString('utf8', at + 5, end - 2).replaceAll('\0', ' ')}`;
      } else if (type === READY) {
        this.#rest = undefined;
        this.#begun = false;
        return true;
      }
      at = end;
    }
    // Copied, because the socket reuses its buffer.
    this.#rest = at < bytes.length ? Buffer.from(bytes.subarray(at)) : undefined;
    return false;
  }
}

/** The first column of the row that begins at `at`. */
function firstColumn(bytes: Buffer, at: number): string {
  const begin = at + 1 + 4 + 2 + 4;
  const length = bytes.readInt32BE(begin - 4);
  return length < 0 ? 'null' : bytes.toString('latin1', begin, begin + length);
}

function startup(user: string, database: string): Buffer {
  const settings = Object.entries({ user, database, ...STATEMENT_SETTINGS }).flat();
  const parameters = [...settings.map(text), Buffer.of(0)];
  const body = Buffer.concat([int32(0x0003_0000), ...parameters]);
  return Buffer.concat([int32(body.length + 4), body]);
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

function int16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}
