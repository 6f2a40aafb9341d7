/** Reads statements and spreadsheets into entries for the ledger: pure functions for Bun, Node and browsers. */

import { hasCorrections } from './entries/corrections.ts';
import { entriesOfRows, type FileContext } from './entries/entries.ts';
import { withoutSharedReferences } from './entries/shared-references.ts';
import { statementsOf } from './entries/statements.ts';
import { inPoundsBy, otherCurrencyOf, withKnownCurrency } from './formats/in-pounds.ts';
import type { ImportError } from './import-error.ts';
import type { ImportOptions } from './options.ts';
import { type RecognisedFile, recogniseFile } from './recognised-file.ts';
import type { AccountStatement, ImportResult, Warning } from './result.ts';
import { RuleMatches } from './rules/compiled-rules.ts';
import { keptChoicesText } from './rules/kept-choices.ts';

export type { Category, CategorySet, NewTransaction } from '../resources.ts';
export * from './choices.ts';
export { BANK_NAMES } from './columns/banks.ts';
export { FILE_BYTES_MAX } from './files/bounds.ts';
export * from './import-error.ts';
export * from './options.ts';
export { withAnswer } from './questions/answers.ts';
export * from './result.ts';
export { type KeptChoices, withKeptChoices } from './rules/kept-choices.ts';

/**
 * Reads a bank file or a spreadsheet. Each row is an entry, skipped, left out or invalid, with the reason.
 * @throws ImportError for an unreadable file, and for options that do not fit it
 */
export function readStatement(bytes: Uint8Array, options: ImportOptions = {}): Promise<ImportResult> {
  return statementReader(bytes)(options);
}

/**
 * Returns a function that reads one file repeatedly, as `readStatement` does, while a person corrects its rows. It keeps intermediate
 * results that depend on neither corrections nor categories, so that a correction in 20,000 rows takes a fraction of the time.
 */
export function statementReader(bytes: Uint8Array): (options?: ImportOptions) => Promise<ImportResult> {
  const references = new Map<string, string>();
  const matches = new RuleMatches();
  let last: { key: string; file: PreparedFile } | undefined;
  return async (options = {}) => {
    const key = keyOfOptions(options);
    const file = last?.key === key ? last.file : prepareFile(await recogniseFile(bytes, options), options);
    last = { key, file };
    if (file.otherCurrency && !hasCorrections(options)) throw file.otherCurrency;
    const { recognised, parsedFile, context, statements, brokenLines } = file;
    const outcomes = entriesOfRows(parsedFile, context, options, references, matches);
    return {
      recognised,
      statements,
      ...outcomes,
      rules: matches.usesFor(parsedFile.parsedRows),
      warnings: [...brokenLines.map(brokenCharacter), ...outcomes.warnings],
    };
  };
}

const brokenCharacter = (line: number): Warning => ({
  row: line,
  field: 'description',
  value: '',
  message: `Line ${line} of the file has a character whose bytes are broken; it is read as \ufffd.`,
});

/** The intermediate results: they depend on all rows, and on neither corrections nor categories. */
interface PreparedFile extends RecognisedFile {
  context: FileContext;
  statements: AccountStatement[];
  /** The refusal of a file in another currency, unless rows are corrected. */
  otherCurrency: ImportError | undefined;
}

function prepareFile(file: RecognisedFile, options: ImportOptions): PreparedFile {
  const { parsedRows, columnNames } = file.parsedFile;
  const parsedFile = {
    ...file.parsedFile,
    parsedRows: withoutSharedReferences(withKnownCurrency(parsedRows), options),
  };
  const context = { ...file.notation, inPounds: inPoundsBy(options, columnNames.amount) };
  const statements = statementsOf(parsedFile, options);
  return { ...file, parsedFile, context, statements, otherCurrency: otherCurrencyOf(parsedRows) };
}

/** Equal for options that make the same intermediate results. */
function keyOfOptions(options: ImportOptions): string {
  const { corrections, sources, source, categoryIncome, categoryExpense, rules, ...others } = options;
  return JSON.stringify([others, keptChoicesText(rules ?? '')]);
}
