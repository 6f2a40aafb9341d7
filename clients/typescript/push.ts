/**
 * Creates any number of entries, one request after the other.
 *
 * Every request is safe to repeat: each entry has a reference, or the request has an Idempotency-Key. So a request whose
 * response was lost is sent again until its outcome is known.
 */
import { chunkAt, ENTRIES_MAX, sizedEntries } from './chunks.ts';
import { type ErrorCode, type Issue, LedgerError, unknownOutcome } from './errors.ts';
import { type Api, execute } from './http.ts';
import type { CreateResult, NewTransaction } from './resources.ts';
import { type Pause, type RetryOptions, sleep, withRetries } from './retries.ts';

/** The outcome of one entry. */
export type Outcome =
  | { status: 'created'; id: string }
  /** An entry with its reference was already stored. */
  | { status: 'known'; id: string }
  /** As `known`, but the stored entry differs in `fields`. The stored entry stays unchanged. */
  | { status: 'conflict'; id: string; fields: readonly string[] };

export interface PushProgress {
  /** Entries with an outcome, of `total`. */
  sent: number;
  total: number;
  created: number;
  deduplicated: number;
  /** Set while the push waits. */
  pause: Pause | undefined;
}

export interface PushOptions {
  /** Called after each request, and when a wait begins. */
  onProgress?: (progress: PushProgress) => void;
  /** Stops after the running request. Entries that were sent stay. */
  signal?: AbortSignal;
  /** At the daily cap: true (default) waits, up to 24 hours; false stops. */
  wait?: boolean;
  /** How long to retry a service that fails or cannot be reached; 5 minutes by default. */
  retryTimeoutMs?: number;
}

export interface PushResult {
  /** One for each sent entry, in order. */
  outcomes: Outcome[];
  created: number;
  /** Entries that are known or in conflict. */
  deduplicated: number;
  /** Entries that were not sent. */
  remaining: number;
  /** Undefined when all were sent. */
  stoppedBy: 'daily_cap' | 'interrupted' | undefined;
  /** With `daily_cap`: how many entries fit now, and when the next request fits. */
  fitsNow: number | undefined;
  retryAt: Date | undefined;
}

/** A push failed. `result` has the outcomes before the failure; `issues` point at the entries that were passed in. */
export class PushError extends LedgerError {
  override readonly name = 'PushError';
  readonly result: PushResult;

  constructor(error: LedgerError, issues: readonly Issue[], result: PushResult) {
    super(error.code as ErrorCode, error.message, { ...error, issues, cause: error });
    this.result = result;
  }
}

/** @internal See Ledger.push. */
export async function pushEntries(
  api: Api,
  sourceId: string,
  entries: Iterable<NewTransaction>,
  { onProgress = () => {}, signal, wait = true, retryTimeoutMs = 5 * 60_000 }: PushOptions,
): Promise<PushResult> {
  // Before anything is sent: an entry without JSON must not stop a push in its middle.
  const pending = sizedEntries(entries);
  const outcomes: Outcome[] = [];
  const result = (stop: Partial<PushResult> = {}): PushResult => {
    const created = outcomes.filter(({ status }) => status === 'created').length;
    return {
      outcomes,
      created,
      deduplicated: outcomes.length - created,
      remaining: pending.length - outcomes.length,
      stoppedBy: undefined,
      fitsNow: undefined,
      retryAt: undefined,
      ...stop,
    };
  };
  const report = (pause?: Pause) => {
    const { created, deduplicated } = result();
    try {
      onProgress({ sent: outcomes.length, total: pending.length, created, deduplicated, pause });
    } catch (cause) {
      const message = `onProgress failed: ${(cause as Error)?.message ?? cause}`;
      throw new PushError(new LedgerError('callback_failed', message, { cause }), [], result());
    }
  };

  let entriesMax = ENTRIES_MAX;
  while (outcomes.length < pending.length) {
    const chunk = chunkAt(pending, outcomes.length, entriesMax);
    try {
      outcomes.push(...(await send(api, sourceId, chunk, { signal, retryTimeoutMs, onPause: report })));
      report();
    } catch (error) {
      if (signal?.aborted) return result({ stoppedBy: 'interrupted' });
      if (!(error instanceof LedgerError) || error instanceof PushError) throw error;
      if (error.code !== 'daily_cap') throw new PushError(error, ownIssues(outcomes.length, error), result());
      const { remaining: fitsNow = 0, retryAfterSeconds = 60 } = error;
      // Known entries always fit, so a smaller request may succeed. Halving finds the first entry that does not fit.
      if (chunk.length > 1) {
        const half = Math.ceil(chunk.length / 2);
        entriesMax = fitsNow > 0 ? Math.min(fitsNow, half) : half;
        continue;
      }
      const retryAt = new Date(Date.now() + retryAfterSeconds * 1_000);
      if (!wait) return result({ stoppedBy: 'daily_cap', fitsNow, retryAt });
      report({ reason: 'daily_cap', until: retryAt });
      await sleep(retryAfterSeconds * 1_000, signal).catch(() => {});
      if (signal?.aborted) return result({ stoppedBy: 'interrupted' });
      entriesMax = ENTRIES_MAX;
    }
  }
  return result();
}

/** Sends one request until its outcome is known. */
async function send(
  api: Api,
  sourceId: string,
  body: NewTransaction[],
  options: RetryOptions,
): Promise<Outcome[]> {
  const needsKey = body.some(({ externalRef }) => externalRef === undefined);
  const params = {
    path: { id: sourceId },
    // Constant over all attempts: the service recognises a repetition by it.
    ...(needsKey && { header: { 'Idempotency-Key': randomKey() } }),
  };
  return withRetries(async () => {
    const request = (signal: AbortSignal) =>
      api.POST('/api/v1/sources/{id}/transactions', { params, body, signal });
    const { data } = await execute(api, request, unknownOutcome);
    const outcomes = outcomesOf(body, data);
    if (!outcomes) throw unknownOutcome(api.baseUrl, 'other entries than were sent');
    return outcomes;
  }, options);
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
  { transactions, existing, conflicts = [] }: Partial<CreateResult>,
): Outcome[] | undefined {
  if (!Array.isArray(transactions) || !Array.isArray(existing)) return undefined;
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

/** Issues whose paths count from the first entry of the push, not of the request. */
function ownIssues(start: number, { issues }: LedgerError): Issue[] {
  return issues.map((issue) => {
    const [, first, rest = ''] = /^\/(\d+)(\/.*)?$/.exec(issue.path) ?? [];
    if (first === undefined) return issue;
    const index = start + Number(first);
    return { ...issue, index, path: `/${index}${rest}` };
  });
}
