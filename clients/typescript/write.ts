/** A write: the entries of one POST, under one Idempotency-Key. It is repeated until its outcome is known, within limits. */
import { foreignResponse, KeyExpired, mayBeStored } from './errors.ts';
import { type Api, execute } from './http.ts';
import type { CreateResult, NewTransaction } from './resources.ts';
import { type RetryOptions, withRetries } from './retries.ts';

/** The outcome of one entry. */
export type Outcome =
  | { status: 'created'; id: string }
  /** An entry with its reference was already stored. */
  | { status: 'known'; id: string }
  /** As `known`, but the stored entry differs in `fields`. The stored entry stays unchanged. */
  | { status: 'conflict'; id: string; fields: readonly string[] };

/**
 * The entries of one POST of a push, and what its attempts have shown.
 * @internal
 */
export interface Write {
  entries: NewTransaction[];
  /** Constant over all attempts: the service recognises a repetition by it, and repeats the outcomes of the first attempt. */
  idempotencyKey: string;
  /** Whether a repetition without the key could store entries twice: some have no reference. */
  isKeyNeeded: boolean;
  /**
   * Whether an attempt got no readable response. Then the request is only repeated as it is, and only a success settles its outcome: the
   * service may refuse a repetition before it looks for the first attempt, or while that still runs.
   */
  isUnanswered: boolean;
  /** When the first attempt was sent that may be stored. */
  sentAt: number;
}

/** The service remembers a key for 24 hours. A computer may sleep for longer between two attempts. */
const KEY_MS_MAX = 23 * 60 * 60 * 1_000;

/** @internal */
export function writeOf(entries: NewTransaction[]): Write {
  return {
    entries,
    idempotencyKey: randomKey(),
    isKeyNeeded: entries.some(({ externalRef }) => externalRef === undefined),
    isUnanswered: false,
    sentAt: Date.now(),
  };
}

/**
 * Sends one write, and again at the minute limit or when the service fails, within the bounds of `options`.
 * @internal
 */
export async function sendWrite(
  api: Api,
  sourceId: string,
  write: Write,
  options: RetryOptions,
): Promise<Outcome[]> {
  const { entries, idempotencyKey, isKeyNeeded } = write;
  const path = `/api/v1/sources/${encodeURIComponent(sourceId)}/transactions`;
  const attempt = async () => {
    if (!write.isUnanswered) write.sentAt = Date.now();
    if (isKeyNeeded && Date.now() - write.sentAt > KEY_MS_MAX) throw new KeyExpired();
    try {
      const result = await execute(api, 'CreateResult', path, { body: entries, idempotencyKey });
      const outcomes = outcomesOf(entries, result);
      if (!outcomes) throw foreignResponse(api.baseUrl, 'other entries than were sent');
      return outcomes;
    } catch (error) {
      write.isUnanswered ||= mayBeStored(error);
      throw error;
    }
  };
  return withRetries(attempt, { ...options, isWrite: true });
}

/** 128 random bits. crypto.randomUUID is missing on pages without HTTPS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/**
 * The response lists created and known entries apart, each in the order of sending.
 * @returns undefined if it is not about these entries
 */
function outcomesOf(
  entries: readonly NewTransaction[],
  { transactions, existing, conflicts = [] }: CreateResult,
): Outcome[] | undefined {
  if (transactions.length + existing.length !== entries.length) return undefined;
  const differing = new Map(conflicts.map(({ index, fields }) => [index, fields]));
  let [created, known] = [0, 0];
  const outcomes = entries.map(({ externalRef = null }, index): Outcome => {
    const next = transactions[created];
    // Of two entries with one reference, the first is created.
    if (next && next.externalRef === externalRef) {
      created++;
      return { status: 'created', id: next.id };
    }
    const id = existing[known++]?.id ?? '';
    const fields = differing.get(index);
    return fields ? { status: 'conflict', id, fields } : { status: 'known', id };
  });
  return created === transactions.length ? outcomes : undefined;
}
