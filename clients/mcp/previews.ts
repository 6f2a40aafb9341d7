/** Previews by token. A token identifies the account and exactly the entries that a commit creates. */

import type { BalanceCheck } from '../typescript/balances/balances.ts';
import { sha256Of } from '../typescript/hash.ts';
import type { Closings } from '../typescript/import/chain/closings.ts';
import type { Ledger } from '../typescript/index.ts';
import { type ComparedFiles, compare, newEntries } from '../typescript/match/compare.ts';
import { NO_DECISIONS } from '../typescript/match/decision.ts';
import { type FileEntry, periodAround } from '../typescript/match/row.ts';
import { type BooksOptions, readBooks } from '../typescript/match/stored-books.ts';
import { ToolError } from './errors.ts';
import type { PreviewInput } from './preview-input.ts';
import type { Call } from './tool.ts';

export interface Preview {
  accountId: string;
  /** A commit creates its new entries. */
  compared: ComparedFiles;
}

const PREVIEWS_MAX = 20;
const PREVIEW_MINUTES_MAX = 30;

/** Kept in memory. After a restart, the same file and the same books give the same token. */
export class Previews {
  readonly #now: () => number;
  readonly #byToken = new Map<string, { preview: Preview; until: number }>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns the token, and the end of its validity */
  add(preview: Preview): { token: string; until: Date } {
    const token = tokenOf(preview);
    const until = this.#now() + PREVIEW_MINUTES_MAX * 60_000;
    // The first of the map is the oldest.
    this.#byToken.delete(token);
    this.#byToken.set(token, { preview, until });
    for (const [oldest] of this.#byToken) {
      if (this.#byToken.size > PREVIEWS_MAX) this.#byToken.delete(oldest);
    }
    return { token, until: new Date(until) };
  }

  /** @throws ToolError */
  get(token: string): Preview {
    const found = this.#byToken.get(token);
    if (found && found.until > this.#now()) return found.preview;
    this.#byToken.delete(token);
    throw new ToolError(
      `No preview of this server has this token, and nothing was created. A token is valid for ${PREVIEW_MINUTES_MAX} minutes, for the last ${PREVIEWS_MAX} previews, for one account, and until the server restarts. Preview the same file or rows again, show the result, and commit its token. Stored entries are then known, and are not created again.`,
    );
  }
}

function tokenOf({ accountId, compared }: Preview): string {
  return sha256Of(JSON.stringify([accountId, newEntries(compared).map(entryIdentity)]));
}

/** The closing balances of the last statements of each bank account, which the command keeps too. */
export interface KeptClosings {
  read: () => Closings;
  keep: (balances: readonly BalanceCheck[]) => Promise<void>;
}

/** The account and the folder that tools work with. */
export interface ToolContext {
  ledger: Ledger;
  /** Reads the id of the account of the key. */
  accountId: (call: Call) => Promise<string>;
  previews: Previews;
  /** The real path of the folder whose files may be read; undefined: none. */
  folder: string | undefined;
  /** The text of the kept rules of the profile. */
  readRules: () => Promise<string | undefined>;
  closings: KeptClosings;
  /** Whether no tool may create entries. */
  isReadOnly: boolean;
}

/** Compares the entries of the input with the current books. */
export async function compareInput(
  ledger: Ledger,
  { name = '', result, source, sources }: PreviewInput,
  closings: Closings,
  { signal, onPause }: Call,
): Promise<ComparedFiles> {
  const files = [{ name, result }];
  const onProgress: BooksOptions['onProgress'] = (_, pause) => onPause(pause);
  const books = await readBooks(ledger, sources, { ...periodAround(files), onProgress }, signal);
  // An assistant must not decide that there are two equal payments.
  return compare(files, books, { source, decisions: NO_DECISIONS, closings, holdsBackEqual: true });
}

/** The identity of an entry in a token: the source and every field, including the reference. */
function entryIdentity({ source, entry }: FileEntry): string {
  const { date, type, amountPence, category = null, description = null, externalRef } = entry;
  // The service recognises a repeated commit by it.
  if (!source || externalRef === undefined) throw new Error('an entry without a source or a reference');
  return JSON.stringify([source.id, externalRef, date, type, amountPence, category, description]);
}
