/** A client of the Bookkeeping Ledger API, for Bun, Node and browsers. */

export { type CheckedStatement, type Continuity, checkStatements } from './balances/continuity.ts';
export type { Period } from './days.ts';
export { type ErrorCode, type Issue, LedgerError } from './errors.ts';
export {
  type BusinessFigures,
  type FactsOfYear,
  type FiguresLine,
  figuresOf,
  type RefundOf,
} from './figures/period-figures.ts';
export type { Quarter, Quarters } from './figures/periods.ts';
export { summaryOfBusiness } from './figures/summary.ts';
export { wholeOf } from './figures/update.ts';
export { type Violation, violationsOf } from './figures/violations.ts';
export { type BalanceState, type Chain, type ChainBreak, chainOf } from './import/chain/chain.ts';
export type { AccountStatement, Balance, RuleUse, StatementRow } from './import/result.ts';
export { Ledger, type LedgerOptions, type ReadOptions, type TransactionsOptions } from './ledger.ts';
export {
  type ComparedFiles,
  compare,
  newEntries,
  type WrongSource,
} from './match/compare.ts';
export type { ComparedEntry, ComparedField, MatchStatus } from './match/compared-entry.ts';
export { type Decisions, decisionKey, NO_DECISIONS, type PairDecision } from './match/decision.ts';
export type { CompareOptions } from './match/match.ts';
export { type FileEntry, type FileResult, periodAround } from './match/row.ts';
export {
  type Books,
  type BooksOptions,
  readBooks,
  type StoredEntry,
} from './match/stored-books.ts';
export { type ComparedPushResult, pushCompared } from './push/push-compared.ts';
export {
  type CategorySum,
  type PushSum,
  type PushSummary,
  pushSummary,
  type RefundSum,
} from './push/push-summary.ts';
export type { SourcesPushOptions } from './push/push-to-sources.ts';
export type { PushProgress } from './push-counts.ts';
export {
  PushError,
  type PushOptions,
  type PushResult,
} from './push-entries.ts';
export type { AppChange } from './reconciliation/app-changes.ts';
export { compareWithBooks } from './reconciliation/compare-with-books.ts';
export { type ReconcileInput, type ReconcileResult, reconcile } from './reconciliation/reconcile.ts';
export type { Reconciliation } from './reconciliation/reconciliation.ts';
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
export { type Suggestion, suggestionsFor } from './suggestions/suggestions.ts';
export type { Outcome } from './write.ts';
