/** A client of the Bookkeeping Ledger API, for Bun, Node and browsers. */
export {
  type ComparedField,
  type ComparedRow,
  type Comparison,
  compareWithBooks,
  newEntries,
  type Standing,
} from './books/comparison.ts';
export {
  type Books,
  type BooksOptions,
  type Period,
  periodOf,
  readBooks,
  type StoredEntry,
} from './books/stored-books.ts';
export { type ErrorCode, type Issue, LedgerError } from './errors.ts';
export type { AccountStatement, Balance, StatementRow } from './import/options.ts';
export { referenceWithin } from './import/values/reference.ts';
export { Ledger, type LedgerOptions, type ReadOptions, type TransactionsOptions } from './ledger.ts';
export { type Chain, type ChainBreak, chainOf, type ProofState } from './proof/chain.ts';
export { type Continuity, proveStatements, type StatementProof } from './proof/continuity.ts';
export {
  type Outcome,
  PushError,
  type PushOptions,
  type PushProgress,
  type PushResult,
} from './push.ts';
export type {
  Account,
  Category,
  CategorySet,
  NewTransaction,
  Source,
  SourceType,
  Transaction,
} from './resources.ts';
export type { Pause } from './retries.ts';
