/** The counts of a push: of its outcomes, and of a push whose parts run one after the other. */
import type { Pause } from './retries.ts';

export interface PushCounts {
  /** Entries with an outcome. */
  settled: number;
  created: number;
  /** Entries that are known or in conflict. */
  deduplicated: number;
}

export interface PushProgress extends PushCounts {
  /** All entries of the push. */
  total: number;
  /** The reason and the end of a wait; undefined while the push does not wait. */
  pause: Pause | undefined;
}

/** @param outcomes undefined for an entry without an outcome */
export function pushCounts(outcomes: readonly ({ status: string } | undefined)[]): PushCounts {
  const statuses = outcomes.flatMap((outcome) => outcome?.status ?? []);
  const count = (status: string) => statuses.filter((each) => each === status).length;
  return {
    settled: statuses.length,
    created: count('created'),
    deduplicated: count('known') + count('conflict'),
  };
}

/** The progress of all parts. @param total the number of entries of all parts */
export const progressAfter = (
  before: PushCounts,
  { settled, created, deduplicated, pause }: PushProgress,
  total: number,
): PushProgress => ({
  settled: before.settled + settled,
  total,
  created: before.created + created,
  deduplicated: before.deduplicated + deduplicated,
  pause,
});
