/** `ledger prove`: whether each row of files is accounted for in the books, and each entry of the books comes from a row. Sends nothing. */
import { printableJson } from '../../../platform/terminal.ts';
import { compareWithBooks } from '../../typescript/books/comparison.ts';
import { periodAround, withProbable } from '../../typescript/books/probably.ts';
import { proofOf } from '../../typescript/proof/proof.ts';
import { type PreviousOption, readPrevious } from '../closings.ts';
import { booksOf, connect } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { printError } from '../output.ts';
import { probableLines } from '../push/probable.ts';
import type { StatementOptions } from '../statement-options.ts';
import { inputsOf, readStatements } from '../statements.ts';
import { requireWritable, writeWhole } from '../whole-file.ts';
import { proofLines } from './text.ts';

export interface ProveOptions extends StatementOptions, PreviousOption {
  leaveProbable?: boolean;
  report?: string;
}

/** Nothing of this machine is in the document but the names of the files, so that another one makes the same of the same files. */
export async function prove(names: readonly string[], options: ProveOptions): Promise<ExitCode> {
  const { ledger, output } = connect(options);
  const inputs = inputsOf(names, options);
  if (options.report !== undefined) requireWritable(options.report, inputs);
  const previous = await readPrevious(options);
  const statements = await readStatements(names, ledger, options);
  const { files, entries, sources = [], source } = statements;
  const books = await booksOf(ledger, sources, options, periodAround(files));
  const compared = compareWithBooks(entries, books, source);
  const marked = withProbable(entries, compared, books, source, files);
  const comparison = options.leaveProbable ? marked : compared;
  const proof = proofOf({ ...statements, comparison, books, previous });
  output.note(probableLines(entries, marked));
  output.result(
    proof,
    proofLines(proof, { isUndecided: comparison !== marked && marked.rows.some(({ probably }) => probably) }),
  );
  const exitCode = proof.isProved ? EXIT.OK : EXIT.DIFFERENT;
  if (options.report === undefined) return exitCode;
  try {
    await writeWhole(options.report, [`${printableJson(proof, 2)}\n`], { inputs });
    return exitCode;
  } catch (failure) {
    printError(options.io, `There is no report: ${(failure as Error).message}`);
    return exitCode === EXIT.OK ? EXIT.NO_REPORT : exitCode;
  }
}
