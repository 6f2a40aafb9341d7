/** A client of the Bookkeeping Ledger API, for Bun, Node and browsers. */
export { type Compared, compare, compareAgain, type Decided } from './books/compared.ts';
export {
  type ComparedField,
  type ComparedRow,
  type Comparison,
  compareWithBooks,
  type MatchStatus,
  newEntries,
} from './books/comparison.ts';
export { type Decision, type Decisions, decisionKey, NO_DECISIONS } from './books/decisions.ts';
export { type FileEntry, type JoinedFiles, joinFiles, type ReadFile } from './books/joined-files.ts';
export { periodAround, withProbable } from './books/probably.ts';
export { pushToSources, type SourcesPush } from './books/push-sources.ts';
export {
  type CategorySum,
  type PushSum,
  type PushSummary,
  pushSummary,
  type RefundSum,
} from './books/push-summary.ts';
export { type SendOptions, type Sent, send } from './books/send.ts';
export {
  type Books,
  type BooksOptions,
  type Period,
  periodOf,
  readBooks,
  type StoredEntry,
} from './books/stored-books.ts';
export { ruleOf, type Suggestion, suggestionsFor, withSuggestions } from './books/suggestions.ts';
export { type ErrorCode, type Issue, LedgerError } from './errors.ts';
export { type BusinessFigures, type FiguresLine, figuresOf, type RefundOf } from './figures/figures.ts';
export { cumulativeDays, type Quarter, type Quarters, quarterDays } from './figures/periods.ts';
export { summaryOfBusiness } from './figures/summary.ts';
export { type Violation, violationsOf } from './figures/violations.ts';
export type { AccountStatement, Balance, RuleUse, StatementRow } from './import/options.ts';
export { refundRules } from './import/plan/compiled-rules.ts';
export { referenceWithin } from './import/values/reference.ts';
export { Ledger, type LedgerOptions, type ReadOptions, type TransactionsOptions } from './ledger.ts';
export {
  type Outcome,
  PushError,
  type PushOptions,
  type PushProgress,
  type PushResult,
} from './push.ts';
export { type BalanceState, type Chain, type ChainBreak, chainOf } from './reconciliation/chain.ts';
export { type CheckedStatement, type Continuity, checkStatements } from './reconciliation/continuity.ts';
export { type Correction as EntryCorrection, correctionsOf } from './reconciliation/corrections.ts';
export {
  type Reconciliation,
  type ReconciliationInput,
  reconciliationOf,
} from './reconciliation/reconciliation.ts';
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
