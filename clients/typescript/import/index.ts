/** Reads statements and spreadsheets into entries for the ledger: pure functions for Bun, Node and browsers. */

export type { Category, CategorySet, NewTransaction } from '../resources.ts';
export { BANK_NAMES } from './columns/banks.ts';
export { FILE_BYTES_MAX } from './files/bounds.ts';
export * from './import-error.ts';
export * from './options.ts';
export { withAnswer } from './questions/answers.ts';
export * from './questions-and-answers.ts';
export { importFileReader, readImportFile } from './read-import-file.ts';
export * from './result.ts';
export { type KeptAnswers, withKeptAnswers } from './rules/kept-answers.ts';
