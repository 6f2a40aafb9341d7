/** `ledger push`: reads a file, compares it with the books, and creates the entries that are new. */
import { compareWithBooks, newEntries } from '../typescript/books/comparison.ts';
import { outcomesForFile, outcomesOfRows } from '../typescript/books/outcomes.ts';
import { reportCsv, reportRows } from '../typescript/books/push-report.ts';
import { periodOf } from '../typescript/books/stored-books.ts';
import { PushError, type PushResult } from '../typescript/index.ts';
import { promiseLines, standingLines, wrongSourceLines } from './before-push.ts';
import { booksOf, connect, findSource } from './context.ts';
import { CliError, EXIT, type ExitCode, usageError } from './exit.ts';
import { counted, createOutput, printError } from './output.ts';
import { previewLines } from './preview.ts';
import { profilesFile } from './profiles.ts';
import { createProgressLine } from './progress.ts';
import { confirm } from './prompt.ts';
import { documentOf, exitCodeOf, issueLines, type PushedFile, resultLines } from './push-result.ts';
import { readFile, type StatementOptions } from './statement-options.ts';
import { type Inputs, requireWritable, writeWhole } from './whole-file.ts';

export interface PushFileOptions extends StatementOptions {
  yes?: boolean;
  dryRun?: boolean;
  offline?: boolean;
  anotherSource?: boolean;
  skipInvalid?: boolean;
  /** False with --no-wait. */
  wait: boolean;
  report?: string;
}

/** Reads and validates the whole file, and reads the books, before it sends anything. */
export async function pushFile(file: string, options: PushFileOptions): Promise<ExitCode> {
  if (options.offline && !options.dryRun) {
    throw usageError('--offline goes with --dry-run: a push needs the service.');
  }
  const output = createOutput(options.json ?? false);
  const ledger = options.offline ? undefined : connect(options).ledger;
  const inputs = inputsOf(file, options);
  if (options.report !== undefined) requireWritable(options.report, inputs);
  const source = ledger && (await findSource(ledger, options.source));
  const statement = await readFile(file, source && (await ledger.categories(source.type)), options);
  const { entries, invalid } = statement;
  const name = file === '-' ? 'standard input' : file;
  output.note(previewLines(name, source?.name ?? options.source, statement));

  let pushed: PushedFile = {
    ...{ name, isDryRun: options.dryRun ?? false, statement },
    ...{ comparison: undefined, outcomes: [] },
  };
  /** What was done is told first: a report that cannot be written does not hide it. */
  const finish = async (
    exitCode: ExitCode,
    lines: readonly string[],
    { stoppedBy, error }: { stoppedBy?: PushResult['stoppedBy']; error?: PushError } = {},
  ): Promise<ExitCode> => {
    output.result(documentOf(pushed, stoppedBy, error), lines);
    if (options.report === undefined) return exitCode;
    try {
      const rows = reportRows(statement, pushed.outcomes, error?.message);
      await writeWhole(options.report, [reportCsv(rows)], { inputs });
      return exitCode;
    } catch (failure) {
      printError(`There is no report: ${(failure as Error).message}`);
      return exitCode === EXIT.OK ? EXIT.NO_REPORT : exitCode;
    }
  };

  if (invalid.length > 0 && !options.skipInvalid) {
    return finish(EXIT.INVALID_ROWS, [
      'Nothing was sent. Correct the rows above, or add --skip-invalid to send the others.',
    ]);
  }
  if (entries.length === 0) return finish(EXIT.OK, ['The file has no entries to send.']);
  if (!ledger || !source) {
    const ready = counted(entries.length, 'entry is', 'entries are');
    return finish(EXIT.OK, [
      `Dry run without the service: ${ready} ready. The books were not read, and categories not checked.`,
    ]);
  }

  // The books of the whole account have every reference that the file can meet.
  const books = await booksOf(ledger, await ledger.sources(), output, periodOf(entries));
  const comparison = compareWithBooks(entries, books, source);
  pushed = { ...pushed, comparison, outcomes: outcomesOfRows(comparison) };
  if (comparison.wrongSource && !options.anotherSource) {
    return finish(EXIT.USAGE, wrongSourceLines(comparison.wrongSource, source));
  }
  const sending = newEntries(entries, comparison);
  output.note(standingLines(entries, comparison, source));
  output.note(promiseLines(sending, statement.warnings, source));
  if (options.dryRun) {
    const ready = counted(sending.length, 'entry is new', 'entries are new');
    return finish(EXIT.OK, [`Dry run: nothing was sent. ${ready}, of ${entries.length}.`]);
  }
  if (sending.length === 0) return finish(exitCodeOf(pushed, undefined), resultLines(pushed));
  if (!options.yes) {
    if (output.isJson || file === '-')
      throw usageError('Add --yes to send the entries, or --dry-run to only read the file.');
    const question = `Send ${counted(sending.length, 'entry', 'entries')} to ${source.name}?`;
    if (!(await confirm(question))) return finish(EXIT.STOPPED, ['Nothing was sent.']);
  }

  const interrupt = new AbortController();
  const onInterrupt = () => {
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
    output.note(['', 'Stopping after the running request. Press Ctrl-C again to stop at once.']);
  };
  process.on('SIGINT', onInterrupt);
  const progress = createProgressLine(process.stderr);
  const withSent = ({ outcomes }: PushResult): PushedFile => ({
    ...pushed,
    outcomes: outcomesOfRows(comparison, outcomesForFile(sending, outcomes)),
  });
  try {
    const result = await ledger.push(
      source.id,
      sending.map(({ entry }) => entry),
      {
        wait: options.wait,
        signal: interrupt.signal,
        onProgress: (each) => !output.isJson && progress.show(each),
      },
    );
    progress.end();
    pushed = withSent(result);
    return await finish(exitCodeOf(pushed, result.stoppedBy), resultLines(pushed, result), result);
  } catch (error) {
    progress.end();
    if (!(error instanceof PushError)) throw error;
    pushed = withSent(error.result);
    const done = `${error.result.outcomes.length} of ${sending.length} new entries are stored; running the command again continues.`;
    await finish(EXIT.SERVICE, [done], { error });
    throw new CliError(EXIT.SERVICE, error.message, 'reported', issueLines(error, sending));
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/** The files that the push reads. */
function inputsOf(file: string, { rules }: StatementOptions): Inputs {
  const STANDARD_INPUT = 0;
  return [file === '-' ? STANDARD_INPUT : file, ...(rules === undefined ? [] : [rules]), profilesFile()];
}
