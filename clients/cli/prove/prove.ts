/** `ledger prove`: checks that the books account for each row of the files, and that each entry comes from a row. Sends nothing. */
import { printableJson } from '../../../platform/terminal.ts';
import { compare } from '../../typescript/books/compared.ts';
import { periodAround } from '../../typescript/books/probably.ts';
import { isOpen } from '../../typescript/books/standing.ts';
import { correctionsCsv, correctionsOf, correctionsWorkbook } from '../../typescript/proof/corrections.ts';
import { proofOf } from '../../typescript/proof/proof.ts';
import { type PreviousOption, readPrevious } from '../closings.ts';
import { booksOf, connect } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { CORRECTIONS, PROOF } from '../file-kinds.ts';
import { printError } from '../output.ts';
import { type DecideOptions, readDecisions, writeQuestions } from '../push/decide.ts';
import { probableLines } from '../push/probable.ts';
import type { StatementOptions } from '../statement-options.ts';
import { inputsOf, readStatements, requireNamed } from '../statements.ts';
import { requireWritable, writeWhole } from '../whole-file.ts';
import { proofLines } from './text.ts';

export interface ProveOptions extends StatementOptions, PreviousOption, Omit<DecideOptions, 'sendProbable'> {
  report?: string;
  corrections?: string;
  force?: boolean;
}

/** The document contains no data of this machine except file names: another machine makes the same document of the same files. */
export async function prove(names: readonly string[], options: ProveOptions): Promise<ExitCode> {
  const { ledger, output } = connect(options);
  const inputs = inputsOf(names, options);
  const target = { inputs, force: options.force };
  const forReport = { ...target, kind: PROOF };
  const forCorrections = { ...target, kind: CORRECTIONS };
  if (options.report !== undefined) requireWritable(options.report, forReport);
  if (options.corrections !== undefined) requireWritable(options.corrections, forCorrections);
  if (options.decide !== undefined) requireWritable(options.decide, { inputs });
  const previous = await readPrevious(options);
  const { answers, ...decided } = await readDecisions(options);
  const statements = await readStatements(names, ledger, options, answers);
  const { files, sources = [], source, rules, rates } = statements;
  const books = await booksOf(ledger, sources, options, periodAround(files));
  const compared = compare(files, books, { source, ...decided });
  requireNamed(compared);
  const proof = proofOf({ ...compared, rules, rates, previous });
  const corrections = correctionsOf(proof, { ...compared, source }, rules?.text);
  await writeQuestions(options, compared, inputs, proof.earlierVersions);
  output.note(probableLines(compared.entries, compared.comparison));
  output.result(
    proof,
    proofLines(proof, {
      isUndecided: compared.comparison.rows.some(isOpen),
      corrections: options.corrections === undefined ? corrections.length : 0,
    }),
  );
  if (options.corrections !== undefined) {
    const isWorkbook = /\.xlsx$/i.test(options.corrections);
    const content = isWorkbook ? correctionsWorkbook(corrections) : correctionsCsv(corrections);
    await writeWhole(options.corrections, [content], forCorrections);
  }
  const exitCode = proof.isProved ? EXIT.OK : EXIT.DIFFERENT;
  if (options.report === undefined) return exitCode;
  try {
    await writeWhole(options.report, [`${printableJson(proof, 2)}\n`], forReport);
    return exitCode;
  } catch (failure) {
    printError(options.io, `There is no report: ${(failure as Error).message}`);
    return exitCode === EXIT.OK ? EXIT.NO_REPORT : exitCode;
  }
}
