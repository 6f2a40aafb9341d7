/** `ledger reconcile`: checks that the books account for each row of the files, and that each entry comes from a row. Sends nothing. */

import { printableJson } from '../../../platform/terminal.ts';
import { type OutputOptions, requireWritable, writeWhole } from '../../files/whole-file.ts';
import type { Period } from '../../typescript/days.ts';
import { isProbable } from '../../typescript/match/compared-entry.ts';
import type { FileResult } from '../../typescript/match/row.ts';
import {
  type AppChange,
  appChangesCsv,
  appChangesWorkbook,
} from '../../typescript/reconciliation/app-changes.ts';
import { compareWithBooks } from '../../typescript/reconciliation/compare-with-books.ts';
import { reconcile } from '../../typescript/reconciliation/reconcile.ts';
import { connect, readBooksWithProgress } from '../connection.ts';
import { readDecisions, writeDecisions } from '../decisions/decide.ts';
import { probableLines } from '../decisions/probable.ts';
import { EXIT, type ExitCode, usageError } from '../exit.ts';
import { CORRECTIONS, RECONCILIATION } from '../output-kinds.ts';
import { readPrevious } from '../previous.ts';
import { keptAnswersLines, rowQuestionLines } from '../questions/row-lines.ts';
import { inputsOf, readFiles, requireNamed } from '../read-files.ts';
import { withReport } from '../report.ts';
import { readReceipts, requireOutside } from './receipt-files.ts';
import { type ReceiptFolder, receiptsOf } from './receipts.ts';
import { receiptLines } from './receipts-text.ts';
import type { ReconcileOptions } from './reconcile-options.ts';
import { reconciliationLines } from './reconciliation-text.ts';

/** The document contains no data of this machine except file names: another machine makes the same document of the same files. */
export async function reconcileFiles(names: readonly string[], options: ReconcileOptions): Promise<ExitCode> {
  const { ledger, output } = connect(options);
  const { inputs, forReport, forCorrections } = writableOutputs(names, options);
  const folder = await receiptsIn(options);
  const previous = await readPrevious(options);
  const { assignments, decisions, byDefault } = await readDecisions(options);
  const read = await readFiles(names, ledger, options, assignments);
  const { files, sources = [], source, rules, rates } = read;

  const readIn = (period?: Period) => readBooksWithProgress(ledger, sources, options, period);
  const compareOptions = { source, decisions, byDefault, closings: previous?.closings };
  const { compared, hasAllBooks } = await compareWithBooks(files, readIn, compareOptions);
  requireNamed(compared);
  const { reconciliation, corrections, gone } = reconcile({ ...compared, rules, rates, previous });
  await writeDecisions(options, compared, inputs, gone);
  output.note(probableLines(compared));

  const { rows, entries } = compared;
  const receipts =
    folder &&
    receiptsOf(folder, reconciliation, { books: hasAllBooks ? compared.books : await readIn(), rows });
  const document = { ...reconciliation, ...(receipts && { receipts }) };
  const lines = reconciliationLines(reconciliation, {
    hasProbable: entries.some(isProbable),
    corrections: options.corrections === undefined ? corrections.length : 0,
    linesOf: (index) => choiceLines(files, index),
    receipts: receipts ? receiptLines(receipts, sources) : [],
  });
  await writeCorrections(corrections, options.corrections, forCorrections);
  output.result(document, lines);
  const exitCode = reconciliation.isReconciled ? EXIT.OK : EXIT.DIFFERENT;
  return withReport(exitCode, options, () => `${printableJson(document, 2)}\n`, forReport);
}

/** Checks the files to write before any other step. @throws CliError */
function writableOutputs(names: readonly string[], options: ReconcileOptions) {
  const inputs = inputsOf(names, options);
  const target = { inputs, force: options.force };
  const forReport = { ...target, kind: RECONCILIATION };
  const forCorrections = { ...target, kind: CORRECTIONS };
  if (options.report !== undefined) requireWritable(options.report, forReport);
  if (options.corrections !== undefined) requireWritable(options.corrections, forCorrections);
  if (options.decide !== undefined) requireWritable(options.decide, { inputs });
  return { inputs, forReport, forCorrections };
}

async function writeCorrections(
  corrections: readonly AppChange[],
  file: string | undefined,
  target: OutputOptions,
): Promise<void> {
  if (file === undefined) return;
  const isWorkbook = /\.xlsx$/i.test(file);
  const content = isWorkbook ? appChangesWorkbook(corrections) : appChangesCsv(corrections);
  await writeWhole(file, [content], target);
}

function choiceLines(files: readonly FileResult[], index: number): string[] {
  const file = files[index];
  if (!file) return [];
  return [
    ...keptAnswersLines(file.result),
    ...rowQuestionLines(file.result, files.length > 1 ? file.name : undefined),
  ];
}

/** @throws CliError, UserError */
async function receiptsIn({
  receipts,
  receiptsAbove,
  ...outputs
}: ReconcileOptions): Promise<ReceiptFolder | undefined> {
  if (receipts === undefined) {
    if (receiptsAbove !== undefined)
      throw usageError('--receipts-above needs --receipts, the folder of receipts.');
    return undefined;
  }
  const { report, corrections, decide } = outputs;
  requireOutside(receipts, [report, corrections, decide]);
  return { files: await readReceipts(receipts), above: receiptsAbovePence(receiptsAbove ?? '0') };
}

function receiptsAbovePence(amount: string): number {
  if (!/^\d{1,10}(\.\d\d)?$/.test(amount))
    throw usageError(`--receipts-above takes an amount in pounds, such as 50 or 12.50, not ${amount}.`);
  return Number(amount.includes('.') ? amount.replace('.', '') : `${amount}00`);
}
