/** Creates the entries of several sources, one source after the other. */
import type { ReadEntry } from '../import/options.ts';
import type { Ledger } from '../ledger.ts';
import { type Outcome, PushError, type PushOptions, type PushResult } from '../push.ts';

/** The entries of each source together, in the order in which the sources come first. */
export function bySource<Entry extends Pick<ReadEntry, 'source'>>(entries: readonly Entry[]): Entry[] {
  return [...Map.groupBy(entries, ({ source }) => source?.id).values()].flat();
}

/**
 * As `Ledger.push`. It may stop between two parts of a row: pushed again, the rest is new.
 * @param entries in the order of `bySource`, as the outcomes are
 * @param sourceId the source of entries that have none of their own
 * @throws PushError, whose issues and result are of all entries
 */
export async function pushToSources(
  ledger: Pick<Ledger, 'push'>,
  entries: readonly Pick<ReadEntry, 'entry' | 'source'>[],
  sourceId: string | undefined,
  { onProgress, ...options }: PushOptions = {},
): Promise<PushResult> {
  const outcomes: Outcome[] = [];
  const totalOf = (result: PushResult): PushResult => {
    const all = [...outcomes, ...result.outcomes];
    const created = all.filter(({ status }) => status === 'created').length;
    const deduplicated = all.length - created;
    return { ...result, outcomes: all, created, deduplicated, remaining: entries.length - all.length };
  };
  let last: PushResult | undefined;
  while (outcomes.length < entries.length || !last) {
    const start = outcomes.length;
    const id = entries[start]?.source?.id ?? sourceId ?? '';
    const rest = entries.slice(start);
    const end = rest.findIndex(({ source }) => (source?.id ?? sourceId ?? '') !== id);
    const group = end === -1 ? rest : rest.slice(0, end);
    const before = { sent: start, created: outcomes.filter(({ status }) => status === 'created').length };
    try {
      last = await ledger.push(
        id,
        group.map(({ entry }) => entry),
        {
          ...options,
          onProgress: (progress) => {
            const sent = before.sent + progress.sent;
            const created = before.created + progress.created;
            onProgress?.({ ...progress, sent, total: entries.length, created, deduplicated: sent - created });
          },
        },
      );
    } catch (error) {
      if (!(error instanceof PushError)) throw error;
      throw new PushError(
        error,
        error.issues.map((issue) => shifted(issue, start)),
        totalOf(error.result),
      );
    }
    if (last.stoppedBy !== undefined) return totalOf(last);
    outcomes.push(...last.outcomes);
  }
  return totalOf({ ...last, outcomes: [] });
}

/** The issue, with the index among all entries. */
function shifted(issue: PushError['issues'][number], start: number): PushError['issues'][number] {
  if (issue.index === undefined) return issue;
  const index = issue.index + start;
  return { ...issue, index, path: issue.path.replace(/^\/\d+/, `/${index}`) };
}
