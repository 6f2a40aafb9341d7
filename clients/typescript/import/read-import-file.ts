/** Reads one file: from its bytes, by `parse-file.ts`, to entries, by `entries/`. */

import { hasCorrections } from './entries/corrections.ts';
import { entriesOfRows } from './entries/entries.ts';
import { withoutSharedReferences } from './entries/shared-references.ts';
import { statementsOf } from './entries/statements.ts';
import type { ImportOptions } from './options.ts';
import { parseFile } from './parse-file.ts';
import type { ImportResult, Warning } from './result.ts';
import { inPoundsBy, otherCurrencyOf, withKnownCurrency } from './rows/in-pounds.ts';
import { RuleMatches } from './rules/compiled-rules.ts';
import { keptAnswersText } from './rules/kept-answers.ts';

/**
 * Reads a bank file or a spreadsheet. Each row is an entry, skipped, left out or invalid, with the reason.
 * @throws ImportError for an unreadable file, and for options that do not fit it
 */
export function readImportFile(bytes: Uint8Array, options: ImportOptions = {}): Promise<ImportResult> {
  return importFileReader(bytes)(options);
}

/**
 * Returns a function that reads one file repeatedly, as `readImportFile` does, while a person corrects its rows. It keeps intermediate
 * results that depend on neither corrections nor categories, so that a correction in 20,000 rows takes a fraction of the time.
 */
export function importFileReader(bytes: Uint8Array): (options?: ImportOptions) => Promise<ImportResult> {
  const references = new Map<string, string>();
  const matches = new RuleMatches();
  let last: { key: string; file: Awaited<ReturnType<typeof uncorrectedFile>> } | undefined;
  return async (options = {}) => {
    const key = keyOfOptions(options);
    const file = last?.key === key ? last.file : await uncorrectedFile(bytes, options);
    last = { key, file };
    if (file.otherCurrency && !hasCorrections(options)) throw file.otherCurrency;
    const { recognised, parsedFile, inPounds, statements, brokenLines } = file;
    const outcomes = entriesOfRows(file, inPounds, options, references, matches);
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

/** The steps whose results depend on neither corrections nor categories. `otherCurrency` refuses the file, unless rows are corrected. */
async function uncorrectedFile(bytes: Uint8Array, options: ImportOptions) {
  const file = await parseFile(bytes, options);
  const { parsedRows, columnNames } = file.parsedFile;
  const parsedFile = {
    ...file.parsedFile,
    parsedRows: withoutSharedReferences(withKnownCurrency(parsedRows), options),
  };
  return {
    ...file,
    parsedFile,
    inPounds: inPoundsBy(options, columnNames.amount),
    statements: statementsOf(parsedFile, options),
    otherCurrency: otherCurrencyOf(parsedRows),
  };
}

/** Equal for options that make the same intermediate results. */
function keyOfOptions(options: ImportOptions): string {
  const { corrections, sources, source, categoryIncome, categoryExpense, rules, ...others } = options;
  return JSON.stringify([others, keptAnswersText(rules ?? '')]);
}
