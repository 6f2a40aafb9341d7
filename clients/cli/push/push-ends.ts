/** The ends of a push: each has an exit code and the last lines for people. */
import { counted } from '../../typescript/counted.ts';
import { type ComparedFiles, newEntries } from '../../typescript/match/compare.ts';
import { hasUnreadable } from '../../typescript/send/blockers.ts';
import type { SourcesPush } from '../../typescript/send/push-sources.ts';
import type { Sent } from '../../typescript/send/send.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { changedLines } from './books-preview.ts';
import { exitCodeOf, resultLines, storedLine } from './push-result.ts';
import type { PushWithFiles } from './read-push-files.ts';

/** The exit code and the last lines of a push, with the results for its report. */
export interface CommandEnd extends Partial<Pick<SourcesPush, 'stoppedBy' | 'error'>> {
  exitCode: ExitCode;
  lines: readonly string[];
  compared?: ComparedFiles;
  sent?: Sent;
  /** Whether the person wants to keep the choices of columns. */
  keepsColumns?: boolean;
}

/** The end of a push whose files cannot be compared: they have invalid rows that the books cannot settle, or no rows. */
export function endOfFiles({ read: { files, entries }, options }: PushWithFiles): CommandEnd | undefined {
  const isUndecided = files.some(({ result }) => result.undecided.length > 0);
  const isLeftOut = files.some(({ result }) => result.leftOut.length > 0);
  if (hasUnreadable(files) && !options.skipInvalid) return isUndecided ? INVALID_AND_UNDECIDED : INVALID;
  return entries.length === 0 && !isUndecided && !isLeftOut ? nothingToSend(files.length) : undefined;
}

const INVALID: CommandEnd = {
  exitCode: EXIT.INVALID_ROWS,
  lines: ['Nothing was sent. Correct the rows above, or add --skip-invalid to send the others.'],
};

const INVALID_AND_UNDECIDED: CommandEnd = {
  ...INVALID,
  lines: [
    ...INVALID.lines,
    'Rows that no rule decides can be answered with --decide as soon as the other problems are gone, or with --skip-invalid.',
  ],
};

/** The end of a push whose files have no entries. */
export const nothingToSend = (files: number): CommandEnd => ({
  exitCode: EXIT.OK,
  lines: [`${files === 1 ? 'The file has' : 'The files have'} no entries to send.`],
});

/** The end of a dry run that has read no books. */
export function endWithoutBooks({ read: { files, entries }, options }: PushWithFiles): CommandEnd {
  if (files.some(({ result }) => result.invalid.length > 0) && !options.skipInvalid) return INVALID;
  const ready = counted(entries.length, 'entry is', 'entries are');
  const message = `Dry run without the service: ${ready} ready. The books were not read, and categories not checked.`;
  return { exitCode: EXIT.OK, lines: [message] };
}

/** The end of a dry run that has compared the files with the books. */
export function endOfDryRun(compared: ComparedFiles): CommandEnd {
  const { entries } = compared;
  const ready = counted(newEntries(compared).length, 'entry is new', 'entries are new');
  const lines = [`Dry run: nothing was sent. ${ready}, of ${entries.length}.`];
  return { exitCode: EXIT.OK, lines, compared };
}

/** The end of a push that has sent entries, or tried to. */
export function endOfSent(sent: Sent): CommandEnd {
  const { compared, changed, stoppedBy, error, outcomes } = sent;
  const { entries } = compared;
  if (error) return { exitCode: EXIT.SERVICE, lines: [storedLine(sent)], compared, sent, error };
  const lines = [...resultLines({ entries, outcomes }, sent), ...changedLines(changed, compared)];
  const isChanged = changed.length > 0 && stoppedBy === undefined;
  return {
    exitCode: isChanged ? EXIT.UNDECIDED : exitCodeOf({ entries, outcomes }, stoppedBy),
    lines,
    compared,
    sent,
    stoppedBy,
  };
}
