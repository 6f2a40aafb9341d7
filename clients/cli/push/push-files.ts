/** `ledger push`: reads files, compares them with the books, and creates the entries that are new. */
import { compareWithBooks, newEntries } from '../../typescript/books/comparison.ts';
import { outcomesForFile, outcomesOfRows } from '../../typescript/books/outcomes.ts';
import { periodAround, withProbable } from '../../typescript/books/probably.ts';
import { pushToSources, type SourcesPush } from '../../typescript/books/push-sources.ts';
import { withSuggestions } from '../../typescript/books/suggestions.ts';
import { unlikelyOf } from '../../typescript/books/unlikely.ts';
import { balanceProofs } from '../../typescript/proof/balances.ts';
import { keepClosings, type PreviousOption, readClosings, readPrevious } from '../closings.ts';
import { booksOf, connect } from '../context.ts';
import { CliError, EXIT, type ExitCode, usageError } from '../exit.ts';
import { counted, createOutput, printError } from '../output.ts';
import { createProgressLine } from '../progress.ts';
import { confirm } from '../prompt.ts';
import type { StatementOptions } from '../statement-options.ts';
import { inputsOf, readStatements } from '../statements.ts';
import { requireWritable, writeWhole } from '../whole-file.ts';
import { bySourceLines, promiseLines, unlikelyLines, wrongSourceLines } from './before-push.ts';
import { previewLines, repeatedLines } from './preview.ts';
import { probableLines, UNDECIDED } from './probable.ts';
import { documentOf, exitCodeOf, issueLines, type Pushed, reportOf, resultLines } from './push-result.ts';
import { suggestionLines, suggestionsOf } from './suggestions.ts';

export interface PushOptions extends StatementOptions, PreviousOption {
  yes?: boolean;
  dryRun?: boolean;
  offline?: boolean;
  anotherSource?: boolean;
  skipInvalid?: boolean;
  suggest?: boolean;
  /** What is probably known: sent all the same, or taken for known. */
  sendProbable?: boolean;
  leaveProbable?: boolean;
  /** Dates that are unlikely and right. */
  allowDate?: string[];
  /** False with --no-wait. */
  wait: boolean;
  report?: string;
}

/** Reads and validates all files, and reads the books, before it sends anything. */
export async function pushFiles(names: readonly string[], options: PushOptions): Promise<ExitCode> {
  if (options.offline && !options.dryRun) {
    throw usageError('--offline goes with --dry-run: a push needs the service.');
  }
  const output = createOutput(options);
  const ledger = options.offline ? undefined : connect(options).ledger;
  const inputs = inputsOf(names, options);
  if (options.report !== undefined) requireWritable(options.report, inputs);
  const previous = await readPrevious(options);
  let statements = await readStatements(names, ledger, options);
  const suggestions =
    ledger && (options.suggest || !output.isJson) ? await suggestionsOf(statements, ledger) : [];
  if (options.suggest && suggestions.length > 0) {
    const rules = statements.rules ?? { file: 'the books', text: '', bytes: new Uint8Array() };
    statements = await statements.readAgain({ ...rules, text: withSuggestions(rules.text, suggestions) });
  }
  const { files, entries, sources, source, rules } = statements;
  const kept = readClosings(options);
  const balances = balanceProofs(files, new Map([...kept, ...(previous?.closings ?? [])]));
  for (const [index, file] of files.entries()) {
    output.note(previewLines(file, source?.name ?? options.source, rules, balances[index] ?? []));
  }
  output.note(suggestionLines(suggestions, options.suggest ?? false));
  output.note(repeatedLines(statements.repeated));

  let pushed: Pushed = {
    ...{ ...statements, isDryRun: options.dryRun ?? false },
    ...{ comparison: undefined, outcomes: [], suggestions: options.suggest ? suggestions : [], balances },
  };
  /** The entries are stored all the same. */
  const notKept = ({ message }: Error) =>
    printError(options.io, `The closing balances are not kept: ${message}`);
  /** What was done is told first: a report that cannot be written does not hide it. */
  const finish = async (
    exitCode: ExitCode,
    lines: readonly string[],
    { stoppedBy, error }: Partial<Pick<SourcesPush, 'stoppedBy' | 'error'>> = {},
  ): Promise<ExitCode> => {
    output.result(documentOf(pushed, stoppedBy, error), lines);
    const isDone = !options.dryRun && (exitCode === EXIT.OK || exitCode === EXIT.CONFLICTS);
    if (isDone) await keepClosings(options, kept, balances.flat()).catch(notKept);
    if (options.report === undefined) return exitCode;
    try {
      await writeWhole(options.report, [reportOf(pushed, { isDone, whyNotSent: error?.message })], {
        inputs,
      });
      return exitCode;
    } catch (failure) {
      printError(options.io, `There is no report: ${(failure as Error).message}`);
      return exitCode === EXIT.OK ? EXIT.NO_REPORT : exitCode;
    }
  };

  if (files.some(({ statement }) => statement.invalid.length > 0) && !options.skipInvalid) {
    return finish(EXIT.INVALID_ROWS, [
      'Nothing was sent. Correct the rows above, or add --skip-invalid to send the others.',
    ]);
  }
  if (entries.length === 0) {
    const what = files.length === 1 ? 'The file has' : 'The files have';
    return finish(EXIT.OK, [`${what} no entries to send.`]);
  }
  if (!ledger || !sources) {
    const ready = counted(entries.length, 'entry is', 'entries are');
    return finish(EXIT.OK, [
      `Dry run without the service: ${ready} ready. The books were not read, and categories not checked.`,
    ]);
  }

  // The books of the whole account have every reference that the files can meet.
  const books = await booksOf(ledger, sources, options, periodAround(files));
  const compared = compareWithBooks(entries, books, source);
  const comparison = options.sendProbable ? compared : withProbable(entries, compared, books, source, files);
  pushed = { ...pushed, comparison, outcomes: outcomesOfRows(comparison) };
  if (comparison.wrongSource && source && !options.anotherSource) {
    return finish(EXIT.USAGE, wrongSourceLines(comparison.wrongSource, source));
  }
  const sending = newEntries(entries, comparison);
  output.note(bySourceLines(entries, comparison, source));
  output.note(probableLines(entries, comparison));
  output.note(promiseLines(sending, files, source));
  if (options.dryRun) {
    const ready = counted(sending.length, 'entry is new', 'entries are new');
    return finish(EXIT.OK, [`Dry run: nothing was sent. ${ready}, of ${entries.length}.`]);
  }
  if (comparison.rows.some(({ probably }) => probably) && !options.leaveProbable) {
    return finish(EXIT.PROBABLY_KNOWN, UNDECIDED);
  }
  if (sending.length === 0) return finish(exitCodeOf(pushed, undefined), resultLines(pushed));
  const unlikely = options.yes ? unlikelyOf(sending, files, options.allowDate ?? []) : [];
  if (unlikely.length > 0) return finish(EXIT.INVALID_ROWS, unlikelyLines(unlikely, files));
  if (!options.yes) {
    if (output.isJson || names.includes('-'))
      throw usageError('Add --yes to send the entries, or --dry-run to only read the file.');
    const targets = new Set(sending.map((each) => each.source?.name ?? source?.name));
    const where = targets.size === 1 ? [...targets][0] : counted(targets.size, 'source', 'sources');
    const question = `Send ${counted(sending.length, 'entry', 'entries')} to ${where}?`;
    if (!(await confirm(question, options.io))) return finish(EXIT.STOPPED, ['Nothing was sent.']);
  }

  const interrupt = new AbortController();
  const onInterrupt = () => {
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
    output.note(['', 'Stopping after the running request. Press Ctrl-C again to stop at once.']);
  };
  process.on('SIGINT', onInterrupt);
  const progress = createProgressLine(options.io.stderr);
  try {
    const result = await pushToSources(ledger, sending, source?.id, {
      wait: options.wait,
      signal: interrupt.signal,
      onProgress: (each) => !output.isJson && progress.show(each),
    });
    progress.end();
    const sent = outcomesForFile(sending, result.outcomes);
    pushed = { ...pushed, outcomes: outcomesOfRows(comparison, sent) };
    const { error } = result;
    if (!error)
      return await finish(exitCodeOf(pushed, result.stoppedBy), resultLines(pushed, result), result);
    const stored = sending.length - result.remaining;
    const done = `${stored} of ${sending.length} new entries are stored; running the command again continues.`;
    await finish(EXIT.SERVICE, [done], { error });
    throw new CliError(EXIT.SERVICE, error.message, 'reported', issueLines(error, sending));
  } finally {
    progress.end();
    process.off('SIGINT', onInterrupt);
  }
}
