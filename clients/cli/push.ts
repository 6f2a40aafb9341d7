/** `ledger push`: reads a file, shows what it understood, and creates the entries. */
import { outcomesForFile } from '../typescript/books/outcomes.ts';
import { reportCsv, reportRows } from '../typescript/books/push-report.ts';
import { needsStored, withoutStored } from '../typescript/books/stored-entries.ts';
import { type Total, totalsOf } from '../typescript/books/totals.ts';
import type { ImportResult } from '../typescript/import/index.ts';
import { type LedgerError, PushError, type PushResult, type Transaction } from '../typescript/index.ts';
import { connect, findSource } from './context.ts';
import { CliError, EXIT, type ExitCode, usageError } from './exit.ts';
import { printError, timeText } from './output.ts';
import { previewLines } from './preview.ts';
import { profilesFile } from './profiles.ts';
import { createProgressLine } from './progress.ts';
import { confirm } from './prompt.ts';
import { readFile, type StatementOptions } from './statement-options.ts';
import { type Inputs, requireWritable, writeWhole } from './whole-file.ts';

export interface PushCommandOptions extends StatementOptions {
  yes?: boolean;
  dryRun?: boolean;
  skipInvalid?: boolean;
  /** False with --no-wait. */
  wait: boolean;
  report?: string;
}

const NOTHING_SENT: Pick<PushResult, 'outcomes' | 'created' | 'deduplicated' | 'stoppedBy'> = {
  outcomes: [],
  created: 0,
  deduplicated: 0,
  stoppedBy: undefined,
};

/** Reads and validates the whole file before it sends anything. */
export async function push(file: string, options: PushCommandOptions): Promise<ExitCode> {
  const { ledger, output } = connect(options);
  const inputs = inputsOf(file, options);
  if (options.report !== undefined) requireWritable(options.report, inputs);
  const source = await findSource(ledger, options.source);
  const read = await readFile(file, await ledger.categories(source.type), options);
  const stored: Transaction[] = [];
  if (needsStored(read)) for await (const each of ledger.transactions(source.id)) stored.push(each);
  const statement = withoutStored(read, stored);
  const { entries, invalid } = statement;
  const name = file === '-' ? 'standard input' : file;
  output.note(previewLines(name, source.name, statement));

  /** What was done is told first: a report that cannot be written does not hide it. */
  const finish = async (
    exitCode: ExitCode,
    result: typeof NOTHING_SENT,
    lines: readonly string[],
    error?: LedgerError,
  ): Promise<ExitCode> => {
    output.result(documentOf(name, options, statement, result, error), lines);
    if (options.report === undefined) return exitCode;
    try {
      const rows = reportRows(statement, result.outcomes, error?.message);
      await writeWhole(options.report, [reportCsv(rows)], { inputs });
      return exitCode;
    } catch (failure) {
      printError(`There is no report: ${(failure as Error).message}`);
      return exitCode === EXIT.OK ? EXIT.NO_REPORT : exitCode;
    }
  };

  if (invalid.length > 0 && !options.skipInvalid) {
    return finish(EXIT.INVALID_ROWS, NOTHING_SENT, [
      'Nothing was sent. Correct the rows above, or add --skip-invalid to send the others.',
    ]);
  }
  if (options.dryRun) {
    return finish(EXIT.OK, NOTHING_SENT, [`Dry run: nothing was sent. ${entries.length} entries are ready.`]);
  }
  if (entries.length === 0) {
    return finish(EXIT.OK, NOTHING_SENT, ['The file has no entries to send.']);
  }
  if (!options.yes) {
    if (output.isJson || file === '-')
      throw usageError('Add --yes to send the entries, or --dry-run to only read the file.');
    if (!(await confirm(`Send ${entries.length} entries to ${source.name}?`))) {
      return finish(EXIT.STOPPED, NOTHING_SENT, ['Nothing was sent.']);
    }
  }

  const interrupt = new AbortController();
  const onInterrupt = () => {
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
    output.note(['', 'Stopping after the running request. Press Ctrl-C again to stop at once.']);
  };
  process.on('SIGINT', onInterrupt);
  const progress = createProgressLine(process.stderr);
  try {
    const sent = await ledger.push(
      source.id,
      entries.map(({ entry }) => entry),
      {
        wait: options.wait,
        signal: interrupt.signal,
        onProgress: (each) => !output.isJson && progress.show(each),
      },
    );
    progress.end();
    const result = { ...sent, outcomes: outcomesForFile(entries, sent.outcomes) };
    return await finish(exitCodeOf(result), result, resultLines(result, entries.length));
  } catch (error) {
    progress.end();
    if (!(error instanceof PushError)) throw error;
    const result = { ...error.result, outcomes: outcomesForFile(entries, error.result.outcomes) };
    const done = `${result.outcomes.length} of ${entries.length} entries are stored; running the command again continues.`;
    await finish(EXIT.SERVICE, result, [done], error);
    throw new CliError(EXIT.SERVICE, error.message, 'reported', issueLines(error, statement));
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/** The files that the push reads. */
function inputsOf(file: string, { rules }: StatementOptions): Inputs {
  const STANDARD_INPUT = 0;
  return [file === '-' ? STANDARD_INPUT : file, ...(rules === undefined ? [] : [rules]), profilesFile()];
}

function exitCodeOf({ stoppedBy, outcomes }: PushResult): ExitCode {
  if (stoppedBy !== undefined) return EXIT.STOPPED;
  return outcomes.some(({ status }) => status === 'conflict') ? EXIT.CONFLICTS : EXIT.OK;
}

/** The issues of an error, by rows of the file. */
function issueLines({ issues }: PushError, { entries }: ImportResult): string[] {
  return issues.slice(0, 5).map(({ index, path, message }) => {
    const row = index === undefined ? undefined : entries[index]?.row;
    return `  ${row === undefined ? path : `row ${row}, ${path.split('/').at(-1)}`}: ${message}`;
  });
}

function resultLines(
  { created, deduplicated, outcomes, remaining, stoppedBy, fitsNow, retryAt }: PushResult,
  total: number,
): string[] {
  const conflicts = outcomes.filter(({ status }) => status === 'conflict').length;
  const lines = [`${created} created, ${deduplicated} already known.`];
  if (conflicts > 0) {
    lines.push(
      `${conflicts} of the known entries differ from the file. The stored entries stand: see \`ledger reconcile\`.`,
    );
  }
  if (stoppedBy === 'daily_cap') {
    lines.push(`${remaining} of ${total} were not sent: the daily cap is reached (${fitsNow} fit now).`);
    lines.push(`Run the command again after ${retryAt && timeText(retryAt)}; it continues where it stopped.`);
  }
  if (stoppedBy === 'interrupted') {
    lines.push(
      `Stopped: ${remaining} of ${total} were not sent. Run the command again; it continues where it stopped.`,
    );
  }
  return lines;
}

function documentOf(
  file: string,
  { dryRun = false }: PushCommandOptions,
  statement: ImportResult,
  {
    outcomes,
    created,
    deduplicated,
    stoppedBy = null,
  }: Omit<typeof NOTHING_SENT, 'stoppedBy'> & { stoppedBy?: string | null | undefined },
  error: LedgerError | undefined,
) {
  const { bank, rows, entries, skipped, invalid } = statement;
  const { income, expense } = totalsOf(entries.map(({ entry }) => entry));
  const conflicts = outcomes.flatMap((outcome, n) => {
    const { row, entry } = entries[n] ?? {};
    return outcome.status === 'conflict'
      ? [{ row, externalRef: entry?.externalRef, fields: outcome.fields }]
      : [];
  });
  return {
    file,
    bank,
    dryRun,
    rows,
    entries: entries.length,
    skipped,
    invalid,
    income: inPence(income),
    expense: inPence(expense),
    created,
    deduplicated,
    conflicts,
    remaining: entries.length - outcomes.length,
    stoppedBy,
    ...(error && { error: { code: error.code, message: error.message } }),
  };
}

const inPence = ({ count, pence }: Total) => ({ count, pence: Number(pence) });
