/** `ledger push`, step by step: read, compare, decide, ask, push, report. */

import { readBytes } from '../../files/read-bytes.ts';
import { keepClosings } from '../../settings/profile-closings.ts';
import { checksOfWholeFiles } from '../../typescript/balances/balances.ts';
import { counted } from '../../typescript/counted.ts';
import type { Ledger } from '../../typescript/index.ts';
import { type ComparedFiles, compare, newEntries } from '../../typescript/match/compare.ts';
import { periodAround } from '../../typescript/match/row.ts';
import { type Blocker, blockersOf } from '../../typescript/push/blockers.ts';
import { outcomesInBooks } from '../../typescript/push/outcomes.ts';
import { pushCompared } from '../../typescript/push/push-compared.ts';
import { pushReport } from '../../typescript/push/push-report.ts';
import { pushSummary } from '../../typescript/push/push-summary.ts';
import { readBooksWithProgress } from '../connection.ts';
import { withoutSourceLines, writeDecisions } from '../decisions/decide.ts';
import { decisionLines, probableLines } from '../decisions/probable.ts';
import { CliError, EXIT, type ExitCode, usageError } from '../exit.ts';
import { printError } from '../output.ts';
import { createProgressLine } from '../progress.ts';
import { confirm } from '../prompt.ts';
import { keepColumns } from '../questions/keep.ts';
import { inputsOf, requireNamed, STANDARD_INPUT } from '../read-files.ts';
import { withReport } from '../report.ts';
import {
  differencesBySourceLines,
  leftOutLines,
  toSendLines,
  unlikelyLines,
  wrongSourceLines,
} from './books-preview.ts';
import { previewLines, repeatedLines } from './file-preview.ts';
import {
  endOfDryRun,
  endOfFiles,
  endOfPushed,
  endWithoutBooks,
  endWithoutEntries,
  endWithoutNew,
  type PushEnd,
} from './push-ends.ts';
import type { PushCommandOptions } from './push-options.ts';
import { documentOf, issueLines, type PushDocumentInput } from './push-result.ts';
import { setUpPush } from './push-setup.ts';
import { type PushWithFiles, readPushFiles } from './read-push-files.ts';
import { suggestionLines } from './suggestions.ts';
import { ruleLines, summaryLines } from './summary-lines.ts';

/**
 * Pushes the files: sets up the push, reads them, compares, asks, pushes the new entries and reports.
 * @param names the paths, or `-` for standard input
 * @returns the exit code
 * @throws CliError if the options or the files cannot be used, or if the service fails
 */
export async function pushFiles(names: readonly string[], options: PushCommandOptions): Promise<ExitCode> {
  const push = await readPushFiles(await setUpPush(names, options));
  return finish(push, await compareAskAndPush(push));
}

/** Compares the files with the books, asks and pushes. Each step may end the push. */
async function compareAskAndPush(push: PushWithFiles): Promise<PushEnd> {
  const { ledger, input, options } = push;
  const ended = endOfFiles(push);
  if (ended || !ledger || !input.sources) {
    showFiles(push);
    return ended ?? endWithoutBooks(push);
  }
  const { files, source } = input;
  const books = await readBooksWithProgress(ledger, input.sources, options, periodAround(files));
  const compared = compare(files, books, { source, ...push.compareOptions });
  requireNamed(compared);
  showFiles(push, compared);
  const blockers = blockersIn(push, compared);
  // The person sees the books before a question about rows that are in them.
  const early = blockers.find(({ code }) => code !== 'probable' && code !== 'unlikely dates');
  if (early) return endOfBlocked(push, compared, early);
  showBooks(push, compared);
  await writeDecisions(options, compared, inputsOf(push.names, options));
  if (compared.entries.length === 0) return { ...endWithoutEntries(files.length), compared };
  if (options.dryRun) return endOfDryRun(compared);
  const [blocker] = blockers;
  if (blocker) return endOfBlocked(push, compared, blocker);
  const declined = await askToPush(push, compared);
  if (declined) return declined;
  // Before the first request: a push that stops or fails must not lose the answers.
  push.output.note(await keepColumns(push.toKeep, options));
  const changed = await endOfChangedFile(push, compared);
  if (changed) return changed;
  return newEntries(compared).length > 0 ? pushNew(push, ledger, compared) : endWithoutNew(compared);
}

/** Pushes the new entries. Ctrl-C stops after the running request. */
async function pushNew(push: PushWithFiles, ledger: Ledger, compared: ComparedFiles): Promise<PushEnd> {
  const { options } = push;
  const interrupt = interruption(push);
  const progress = createProgressLine(options);
  try {
    const pushed = await pushCompared(ledger, compared, {
      wait: options.wait,
      capTimeoutMs: options.capTimeout,
      signal: interrupt.signal,
      onProgress: progress.show,
    });
    return endOfPushed(pushed);
  } finally {
    progress.end();
    interrupt.end();
  }
}

const blockersIn = ({ options, input }: PushWithFiles, compared: ComparedFiles): Blocker[] =>
  blockersOf(compared, {
    invalid: options.skipInvalid,
    anotherSource: options.anotherSource || !input.source,
    dates: options.yes ? (options.allowDate ?? []) : undefined,
  });

/** The end of a push that a person has to correct or decide first. The rows that no rule decides go to the file of `--decide`. */
async function endOfBlocked(
  push: PushWithFiles,
  compared: ComparedFiles,
  blocker: Blocker,
): Promise<PushEnd> {
  const { names, options, input } = push;
  const { files } = compared;
  switch (blocker.code) {
    // Unreadable rows have ended the push before the comparison: these lack only a decision.
    case 'invalid': {
      await writeDecisions(options, compared, inputsOf(names, options));
      const count = files.reduce((sum, { result }) => sum + result.withoutSource.length, 0);
      const lines = withoutSourceLines(count, options.decide, options.args);
      return { exitCode: EXIT.INVALID_ROWS, lines, compared };
    }
    case 'wrong source': {
      const lines = wrongSourceLines(blocker.wrongSource, input.source);
      return { exitCode: EXIT.USAGE, lines, compared };
    }
    case 'probable':
      return { exitCode: EXIT.UNDECIDED, lines: decisionLines(compared, options.decide), compared };
    case 'unlikely dates':
      return { exitCode: EXIT.INVALID_ROWS, lines: unlikelyLines(blocker.warnings, files), compared };
  }
}

/** Shows each file, its sums and the rules that decide. @param compared undefined if the books were not read */
function showFiles(
  { output, input, balances, suggestions, options }: PushWithFiles,
  compared?: ComparedFiles,
): void {
  const { source, rules } = input;
  const isVerbose = options.verbose ?? false;
  const { files, entries, repeated } = compared ?? input;
  const format = { isVerbose, isOneOfSeveral: files.length > 1 };
  for (const [index, file] of files.entries())
    output.note(previewLines(file, source?.name ?? options.source, balances[index] ?? [], format));
  output.note(repeatedLines(repeated, isVerbose));
  const summary = pushSummary({ files, entries, source });
  const leftOut = files.flatMap(({ result }) => result.leftOut);
  output.note(ruleLines(summary.rules, leftOut, rules, isVerbose));
  output.note(suggestionLines(suggestions, options.suggest ?? false, isVerbose));
  output.note(summaryLines(summary, compared, isVerbose));
}

/** Shows the known entries of the files, and the entries to send. */
function showBooks({ output, input: { source, rules } }: PushWithFiles, compared: ComparedFiles): void {
  const { files, leftOutAndStored } = compared;
  output.note(differencesBySourceLines(compared, source));
  output.note(leftOutLines(leftOutAndStored, rules?.text));
  output.note(probableLines(compared));
  output.note(toSendLines(newEntries(compared), files, source));
}

/** Asks whether to push. @returns the end of the push if the person declines */
async function askToPush(push: PushWithFiles, compared: ComparedFiles): Promise<PushEnd | undefined> {
  const { names, options, output, input } = push;
  const sending = newEntries(compared);
  if (sending.length === 0 || options.yes) return undefined;
  if (output.isJson || names.includes('-'))
    throw usageError('Add --yes to send the entries, or --dry-run to only read the file.');
  const targets = new Set(sending.map((each) => each.source?.name ?? input.source?.name));
  const where = targets.size === 1 ? [...targets][0] : counted(targets.size, 'source', 'sources');
  const question = `Send ${counted(sending.length, 'entry', 'entries')} to ${where}?`;
  if (await confirm(question, options.io)) return undefined;
  return { exitCode: EXIT.STOPPED, lines: ['Nothing was sent.'], compared };
}

/** Detects a file that changed after it was read: it was still being written, or was corrected during the question. */
async function endOfChangedFile(
  { input: { files } }: PushWithFiles,
  compared: ComparedFiles,
): Promise<PushEnd | undefined> {
  for (const { name, bytes } of files) {
    if (name === STANDARD_INPUT || Buffer.compare(bytes, await readBytes(name)) === 0) continue;
    const line = `Nothing was sent: ${name} has changed since it was read. Run the command again.`;
    return { exitCode: EXIT.USAGE, lines: [line], compared };
  }
  return undefined;
}

/** Prints the result first, so that a report that cannot be written does not hide it. @throws CliError that is reported */
async function finish(push: PushWithFiles, end: PushEnd): Promise<ExitCode> {
  const { output, options, input, suggestions, balances } = push;
  const { exitCode, lines, compared, pushed } = end;
  const error = pushed?.error;
  const { files, entries, repeated } = compared ?? input;
  const reported: PushDocumentInput = {
    files,
    entries,
    repeated,
    source: input.source,
    isDryRun: options.dryRun ?? false,
    compared,
    outcomes: pushed?.outcomes ?? (compared ? outcomesInBooks(compared) : entries.map(() => undefined)),
    balances,
    unknownIndexes: pushed?.unknownIndexes ?? [],
    suggestions: options.suggest ? suggestions : [],
  };
  output.result(documentOf(reported, pushed?.stoppedBy, error), lines);
  const isDone = !options.dryRun && (exitCode === EXIT.OK || exitCode === EXIT.CONFLICTS);
  // A push with entries has kept the columns.
  if ((isDone || options.dryRun) && !pushed) output.note(await keepColumns(push.toKeep, options));
  const kept = isDone ? checksOfWholeFiles(files, balances) : [];
  if (isDone) {
    await keepClosings(options, kept.flat()).catch(({ message }: Error) =>
      // The entries are stored in any case.
      printError(options.io, `The closing balances are not kept: ${message}`),
    );
  }
  // Without a comparison, the report of an earlier push stays as it is.
  if (!compared) return exitCode;
  const csv = () => pushReport(reported, error?.message, kept);
  const code = await withReport(exitCode, options, csv, push.reportTarget);
  if (error) throw new CliError(EXIT.SERVICE, error.message, 'reported', issueLines(error, entries));
  return code;
}

/** Ctrl-C stops after the running request, and a second one at once. */
function interruption({ output }: PushWithFiles): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const onInterrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
    output.note(['', 'Stopping after the running request. Press Ctrl-C again to stop at once.']);
  };
  process.on('SIGINT', onInterrupt);
  return { signal: controller.signal, end: () => process.off('SIGINT', onInterrupt) };
}
