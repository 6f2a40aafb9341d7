/** One call of the TypeScript library, and what it reports. Runs under Bun and under Node. */
import {
  Ledger,
  LedgerError,
  type LedgerOptions,
  type NewTransaction,
  type Pause,
  PushError,
  type PushOptions,
  type PushResult,
  type SourceType,
} from '../../../clients/typescript/index.ts';

export type Call =
  | { method: 'me' | 'sources' }
  | { method: 'categories'; arguments?: [SourceType] }
  | { method: 'transactions'; source?: string; from?: string; to?: string }
  | { method: 'push'; source?: string; entries: object[]; wait?: boolean; idempotencyKey?: string };

export interface Report {
  /** The entries, or another result of a read. */
  value?: unknown;
  push?: Pick<PushResult, 'created' | 'deduplicated' | 'remaining' | 'unknown'> & {
    /** Status, id, fields in conflict. */
    outcomes: string[][];
  };
  /** Entries with an outcome, after each request. */
  progress?: number[];
  /** Only members that the error has. */
  error?: Record<string, unknown>;
  /** Reason and seconds. */
  pauses: [Pause['reason'], number][];
}

/** Limits that differ from the defaults, by their names in TypeScript. */
export type Options = Pick<
  LedgerOptions,
  'attemptTimeoutMs' | 'responseBytesMax' | 'pauseMsMax' | 'limitTimeoutMs'
> &
  Pick<PushOptions, 'capTimeoutMs'>;
export type Settings = Options & {
  url: string;
  apiKey: string;
  source: string;
  retryTimeoutMs: number;
  wait: boolean;
};

export async function callLibrary(
  call: Call,
  { wait, source, capTimeoutMs, ...settings }: Settings,
): Promise<Report> {
  const ledger = new Ledger(settings);
  const report: Report = { pauses: [] };
  const onPause = ({ reason, until }: Pause) =>
    report.pauses.push([reason, (until.getTime() - Date.now()) / 1_000]);
  const keep = ({ outcomes, created, deduplicated, remaining, unknown }: PushResult) => {
    const rows = outcomes.map((each) => [each.status, each.id, ...('fields' in each ? each.fields : [])]);
    report.push = { outcomes: rows, created, deduplicated, remaining, unknown };
  };
  try {
    if (call.method === 'push') {
      const progress: number[] = [];
      report.progress = progress;
      const result = await ledger.push(call.source ?? source, call.entries as NewTransaction[], {
        wait: call.wait ?? wait,
        idempotencyKey: call.idempotencyKey,
        retryTimeoutMs: settings.retryTimeoutMs,
        ...(capTimeoutMs !== undefined && { capTimeoutMs }),
        onProgress: ({ settled, pause }) => (pause ? onPause(pause) : progress.push(settled)),
      });
      keep(result);
      // Python raises here.
      const { stoppedBy, fitsNow, retryAt } = result;
      const retryAfterSeconds = retryAt && Math.round((retryAt.getTime() - Date.now()) / 1_000);
      if (stoppedBy) report.error = { code: stoppedBy, remaining: fitsNow, retryAfterSeconds };
    } else if (call.method === 'transactions') {
      const entries: unknown[] = [];
      report.value = entries;
      const { from, to } = call;
      for await (const entry of ledger.transactions(call.source ?? source, { from, to, onPause }))
        entries.push(entry);
    } else if (call.method === 'categories' && call.arguments) {
      report.value = await ledger.categories(...call.arguments, { onPause });
    } else if (call.method === 'categories') report.value = await ledger.categories(undefined, { onPause });
    else report.value = await ledger[call.method]({ onPause });
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    if (error instanceof PushError) keep(error.result);
    const { code, status, message, validCategories, retryAfterSeconds, remaining, requestId } = error;
    const { idempotencyKey } = error;
    const members = { code, status, message, validCategories, retryAfterSeconds, remaining, requestId };
    const issues = error.issues.map(({ path, message, index }) => ({ path, message, index }));
    const isThere = ([, value]: [string, unknown]) =>
      value !== undefined && !(Array.isArray(value) && value.length === 0);
    report.error = Object.fromEntries(Object.entries({ ...members, idempotencyKey, issues }).filter(isThere));
  }
  return report;
}
