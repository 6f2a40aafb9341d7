/** Shared by the commands: the connection, the output, the choice of a source and its books. */

import type { PlanSource } from '../typescript/import/index.ts';
import { Ledger, type ReadOptions, type Source } from '../typescript/index.ts';
import { type Books, type Period, readBooks } from '../typescript/match/stored-books.ts';
import { CliError, EXIT } from './exit.ts';
import type { Io } from './io.ts';
import { createOutput, type Output } from './output.ts';
import { type ConnectionOptions, currentProfile } from './profiles.ts';
import { createProgressLine } from './progress.ts';

export interface GlobalOptions extends ConnectionOptions {
  io: Io;
  json?: boolean;
}

/** Options of a command that reads the entries of a source. */
export interface EntriesOptions extends GlobalOptions, Period {
  source: string;
}

export interface Context {
  ledger: Ledger;
  output: Output;
}

// Report an unavailable service soon. Pushes retry for longer.
export const RETRY_TIMEOUT_MS = 5_000;

/** @throws CliError without an API key for this service */
export function connect(options: GlobalOptions): Context {
  const profile = currentProfile(options);
  return {
    ledger: new Ledger({ ...profile, retryTimeoutMs: RETRY_TIMEOUT_MS }),
    output: createOutput(options),
  };
}

/**
 * The source with this id or name.
 * @throws CliError when there is none, or several of this name
 */
export async function findSource(ledger: Ledger, nameOrId: string): Promise<Source> {
  return sourceIn(await ledger.sources(), nameOrId);
}

/** @throws CliError as findSource does */
export function sourceIn(sources: readonly Source[], nameOrId: string): Source {
  const isSame = (text: string) => text.trim().toLowerCase() === nameOrId.trim().toLowerCase();
  const found = sources.filter(({ id }) => isSame(id));
  if (found.length === 0) found.push(...sources.filter(({ name }) => isSame(name)));
  const [source] = found;
  if (source && found.length === 1) return source;
  const list = (found.length > 0 ? found : sources).map(({ name, id }) => `${name} (${id})`).join(', ');
  const message =
    found.length > 1
      ? `${nameOrId} is the name of several sources, use an id: ${list}.`
      : `${nameOrId} is not a source of this account. ${list ? `It has ${list}.` : 'It has none.'}`;
  throw new CliError(EXIT.USAGE, message, 'source_not_found');
}

/** The sources in the form that the reader of statements takes. */
export async function planSources(
  ledger: Ledger,
  sources: readonly Source[],
  options: ReadOptions = {},
): Promise<PlanSource[]> {
  const categories = await ledger.categories(undefined, options);
  return sources.map(({ id, name, type }) => ({ id, name, categories: categories[type] }));
}

/** Reads the books of these sources in this period. The terminal shows the number of entries. */
export async function booksOf(
  ledger: Ledger,
  sources: readonly Source[],
  { json: isJson, io }: GlobalOptions,
  period: Period = {},
): Promise<Books> {
  const progress = createProgressLine(io);
  try {
    const onProgress = isJson ? () => {} : progress.reading;
    return await readBooks(ledger, sources, { ...period, onProgress });
  } finally {
    progress.end();
  }
}
