/** The ends of a push: each has an exit code and the last lines for people. */
import { counted } from '../../typescript/counted.ts';
import { type ComparedFiles, newEntries } from '../../typescript/match/compare.ts';
import { hasUnreadable } from '../../typescript/push/blockers.ts';
import { outcomesInBooks } from '../../typescript/push/outcomes.ts';
import type { ComparedPushResult } from '../../typescript/push/push-compared.ts';
import { NOTHING_SENT } from '../../typescript/push-entries.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { changedLines } from './books-preview.ts';
import { exitCodeOf, resultLines, storedLine } from './push-result.ts';
import type { PushWithFiles } from './read-push-files.ts';

/** The exit code and the last lines of a push, with the results for its report. */
export interface PushEnd {
  exitCode: ExitCode;
  lines: readonly string[];
  compared?: ComparedFiles;
  pushed?: ComparedPushResult;
}

/** The end of a push whose files cannot be compared: they have invalid rows that the books cannot settle, or no rows. */
export function endOfFiles({ input: { files, entries }, options }: PushWithFiles): PushEnd | undefined {
  const lacksSource = files.some(({ result }) => result.withoutSource.length > 0);
  const isLeftOut = files.some(({ result }) => result.leftOut.length > 0);
  if (hasUnreadable(files) && !options.skipInvalid) return lacksSource ? INVALID_AND_WITHOUT_SOURCE : INVALID;
  return entries.length === 0 && !lacksSource && !isLeftOut ? endWithoutEntries(files.length) : undefined;
}

const INVALID: PushEnd = {
  exitCode: EXIT.INVALID_ROWS,
  lines: ['Nothing was sent. Correct the rows above, or add --skip-invalid to send the others.'],
};

const INVALID_AND_WITHOUT_SOURCE: PushEnd = {
  ...INVALID,
  lines: [
    ...INVALID.lines,
    'Rows that no rule decides can be answered with --decide as soon as the other problems are gone, or with --skip-invalid.',
  ],
};

/** The end of a push whose files have no entries. */
export const endWithoutEntries = (files: number): PushEnd => ({
  exitCode: EXIT.OK,
  lines: [`${files === 1 ? 'The file has' : 'The files have'} no entries to send.`],
});

/** The end of a dry run that has read no books. */
export function endWithoutBooks({ input: { files, entries }, options }: PushWithFiles): PushEnd {
  if (files.some(({ result }) => result.invalid.length > 0) && !options.skipInvalid) return INVALID;
  const ready = counted(entries.length, 'entry is', 'entries are');
  const message = `Dry run without the service: ${ready} ready. The books were not read, and categories not checked.`;
  return { exitCode: EXIT.OK, lines: [message] };
}

/** The end of a dry run that has compared the files with the books. */
export function endOfDryRun(compared: ComparedFiles): PushEnd {
  const { entries } = compared;
  const ready = counted(newEntries(compared).length, 'entry is new', 'entries are new');
  const lines = [`Dry run: nothing was sent. ${ready}, of ${entries.length}.`];
  return { exitCode: EXIT.OK, lines, compared };
}

/** The end of a push whose entries are all in the books, or wait there for a person. */
export const endWithoutNew = (compared: ComparedFiles): PushEnd =>
  endOfPushed({
    ...NOTHING_SENT,
    compared,
    outcomes: outcomesInBooks(compared),
    unknownIndexes: [],
    changed: [],
    error: undefined,
  });

/** The end of a push that has sent entries, or tried to. */
export function endOfPushed(pushed: ComparedPushResult): PushEnd {
  const { compared, changed, error } = pushed;
  const lines = error ? [storedLine(pushed)] : [...resultLines(pushed), ...changedLines(changed, compared)];
  return { exitCode: exitCodeOf(pushed), lines, compared, pushed };
}
