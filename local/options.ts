/** The command line of `bun run start`. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const HELP = `Starts the whole ledger on this machine: Postgres, Redis, ledger worker, gateway, and a demo account.

Usage: bun run start [options]

  --port N           listen on 127.0.0.1:N (default: 3000 when it is free, else any free port)
  --data DIR         keep the database, the demo account and the logs in DIR (default: .local in the checkout)
  --ready-file FILE  write url, apiKey, accountId, workerAddress and adminAddress to FILE, as JSON, once everything serves
  --help             show this

If the environment variables DATABASE_URL or REDIS_URL are set, that Postgres or Redis is used and none is started.
Ctrl-C stops everything. The next start uses the same data and the same API key.
`;

export interface Options {
  /** undefined: the default port if it is free, else any free port. */
  port: number | undefined;
  /** An absolute path; the directory exists. */
  dataDir: string;
  /** An absolute path; its directory exists. */
  readyFile: string | undefined;
}

/** A fault of the command line, which `message` describes in one sentence. */
export class UsageError extends Error {
  override name = 'UsageError';
}

const OPTIONS = {
  port: { type: 'string' },
  data: { type: 'string' },
  'ready-file': { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** @throws UsageError */
export function readOptions(args: string[], checkout: string): Options | 'help' {
  const { port, data, 'ready-file': readyFile, help } = parse(args);
  if (help) return 'help';
  return {
    port: port === undefined ? undefined : portNumber(port),
    dataDir: dataDirectory(data ?? join(checkout, '.local')),
    readyFile: readyFile === undefined ? undefined : readyFilePath(readyFile),
  };
}

function parse(args: string[]) {
  try {
    const { values } = parseArgs({ args, options: OPTIONS });
    const empty = Object.entries(values).find(([, value]) => value === '');
    if (empty) throw new Error(`Option '--${empty[0]}' needs a value`);
    return values;
  } catch (error) {
    // The library explains some errors in further lines.
    const [reason] = (error as Error).message.split(/\.?(?:\n|$)/);
    throw new UsageError(`${reason}; --help lists the options.`);
  }
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`--port must be a whole number from 0 (any free port) to 65535, not "${text}".`);
  return port;
}

function dataDirectory(text: string): string {
  const path = resolve(text);
  makeDirectory(path, `The data directory ${path}`);
  return path;
}

function readyFilePath(text: string): string {
  const path = resolve(text);
  makeDirectory(dirname(path), `The directory of --ready-file, ${dirname(path)},`);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--ready-file must name a file, and ${path} is a directory.`);
  return path;
}

function makeDirectory(path: string, what: string) {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK);
  } catch (error) {
    const reason = (error as { code?: string }).code;
    throw new UsageError(`${what} ${reason === 'EEXIST' ? 'is a file' : `cannot be used (${reason})`}.`);
  }
}
