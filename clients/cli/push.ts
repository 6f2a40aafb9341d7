/** `ledger push`: reads a file, shows what it understood, and creates the entries. */
import { writeFileSync } from 'node:fs';
import Papa from 'papaparse';
import { outcomesForFile } from '../typescript/books/outcomes.ts';
import { REPORT_COLUMNS, reportRows } from '../typescript/books/push-report.ts';
import { needsStored, withoutStored } from '../typescript/books/stored-entries.ts';
import { type Total, totalsOf } from '../typescript/books/totals.ts';
import type { ImportResult } from '../typescript/import/index.ts';
import {
  type LedgerError,
  type Outcome,
  PushError,
  type PushResult,
  type Transaction,
} from '../typescript/index.ts';
import { connect, findSource } from './context.ts';
import { CliError, EXIT, type ExitCode, usageError } from './exit.ts';
import { timeText } from './output.ts';
import { previewText } from './preview.ts';
import { createProgressLine } from './progress.ts';
import { confirm } from './prompt.ts';
import { readFile, type StatementOptions } from './statement-options.ts';

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
  // Found out before anything is sent.
  if (options.report !== undefined) writeText(options.report, '');
  const source = await findSource(ledger, options.source);
  const read = await readFile(file, await ledger.categories(source.type), options);
  const stored: Transaction[] = [];
  if (needsStored(read)) for await (const each of ledger.transactions(source.id)) stored.push(each);
  const statement = withoutStored(read, stored);
  const { entries, invalid } = statement;
  const name = file === '-' ? 'standard input' : file;
  output.note(previewText(name, source.name, statement));

  const finish = (result: typeof NOTHING_SENT, text: string, error?: LedgerError) => {
    output.result(documentOf(name, options, statement, result, error), text);
    if (options.report !== undefined) writeReport(options.report, statement, result.outcomes, error);
  };

  if (invalid.length > 0 && !options.skipInvalid) {
    finish(
      NOTHING_SENT,
      'Nothing was sent. Correct the rows above, or add --skip-invalid to send the others.',
    );
    return EXIT.INVALID_ROWS;
  }
  if (options.dryRun) {
    finish(NOTHING_SENT, `Dry run: nothing was sent. ${entries.length} entries are ready.`);
    return EXIT.OK;
  }
  if (entries.length === 0) {
    finish(NOTHING_SENT, 'The file has no entries to send.');
    return EXIT.OK;
  }
  if (!options.yes) {
    if (output.isJson || file === '-')
      throw usageError('Add --yes to send the entries, or --dry-run to only read the file.');
    if (!(await confirm(`Send ${entries.length} entries to ${source.name}?`))) {
      finish(NOTHING_SENT, 'Nothing was sent.');
      return EXIT.STOPPED;
    }
  }

  const interrupt = new AbortController();
  const onInterrupt = () => {
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
    output.note('\nStopping after the running request. Press Ctrl-C again to stop at once.');
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
    finish(result, resultText(result, entries.length));
    if (result.stoppedBy !== undefined) return EXIT.STOPPED;
    return result.outcomes.some(({ status }) => status === 'conflict') ? EXIT.CONFLICTS : EXIT.OK;
  } catch (error) {
    progress.end();
    if (!(error instanceof PushError)) throw error;
    const result = { ...error.result, outcomes: outcomesForFile(entries, error.result.outcomes) };
    const done = `${result.outcomes.length} of ${entries.length} entries are stored; running the command again continues.`;
    finish(result, done, error);
    throw new CliError(EXIT.SERVICE, withRows(error, statement), 'reported');
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/** The issues of an error, by rows of the file. */
function withRows(error: PushError, { entries }: ImportResult): string {
  const issues = error.issues.slice(0, 5).map(({ index, path, message }) => {
    const row = index === undefined ? undefined : entries[index]?.row;
    return `\n  ${row === undefined ? path : `row ${row}, ${path.split('/').at(-1)}`}: ${message}`;
  });
  return `${error.message}${issues.join('')}`;
}

function resultText(
  { created, deduplicated, outcomes, remaining, stoppedBy, fitsNow, retryAt }: PushResult,
  total: number,
): string {
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
  return lines.join('\n');
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

/** A CSV file with the fate of each row. @throws CliError when it cannot be written */
function writeReport(
  file: string,
  statement: ImportResult,
  outcomes: readonly Outcome[],
  error: LedgerError | undefined,
): void {
  const rows = reportRows(statement, outcomes, error?.message);
  const columns = [...REPORT_COLUMNS];
  writeText(file, `${Papa.unparse(rows, { columns, escapeFormulae: true })}\r\n`);
}

/** @throws CliError when the file cannot be written */
function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw usageError(`${file} cannot be written: ${(error as Error).message}.`);
  }
}
