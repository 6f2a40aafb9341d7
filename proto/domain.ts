/**
 * The constants of the domain, for both processes: plans, source types, categories and limits. SQL has plans and categories in
 * functions that ledger-worker/sql/generate.ts makes of them (`bun run generate`).
 */

/** The version of the API and of the service. */
export const VERSION = '1.0.0';

/**
 * Gateway, worker and the functions of the schema must be of contracts that serve each other. A change that a part of the former number
 * cannot serve raises `number`: also a new outcome or refusal of a function, which an older worker does not know. `oldest` is the lowest
 * number that workers and functions still serve.
 */
export const CONTRACT = { number: 1, oldest: 1 };

/** The plans of accounts, and whether they include API access. */
export const PLANS = {
  free: { apiAccess: false },
  pro: { apiAccess: true },
  expat: { apiAccess: true },
  firm: { apiAccess: true },
} as const;
export type Plan = keyof typeof PLANS;

export const ENTRY_TYPES = ['income', 'expense'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

export const SOURCE_ROLES = ['owner', 'sharer'] as const;

export interface Category {
  /** The value of a transaction's `category`: the tax authority's field name. */
  key: string;
  label: string;
}

/** The categories of one source type, for income and for expenses. */
export type CategorySet = Record<EntryType, readonly Category[]>;

/** Category keys per source type. A key valid for one type may be invalid for another. */
export const CATEGORIES = {
  'uk-property': {
    income: [
      { key: 'periodAmount', label: 'rent received' },
      { key: 'premiumsOfLeaseGrant', label: 'lease premiums' },
      { key: 'reversePremiums', label: 'reverse premiums' },
      { key: 'otherIncome', label: 'other property income' },
      { key: 'rentARoomRentsReceived', label: 'rent-a-room rents received' },
      { key: 'taxDeducted', label: 'tax withheld from rent' },
    ],
    expense: [
      { key: 'premisesRunningCosts', label: 'rent, rates, insurance, ground rents' },
      { key: 'repairsAndMaintenance', label: 'repairs and maintenance' },
      { key: 'financialCosts', label: 'other finance costs' },
      { key: 'residentialFinancialCost', label: 'residential mortgage interest' },
      { key: 'professionalFees', label: 'professional fees' },
      { key: 'costOfServices', label: 'cost of services' },
      { key: 'travelCosts', label: 'travel costs' },
      { key: 'other', label: 'other allowable expenses' },
      {
        key: 'residentialFinancialCostsCarriedForward',
        label: 'residential finance costs brought forward',
      },
      { key: 'rentARoomAmountClaimed', label: 'rent-a-room amount claimed' },
    ],
  },
  'foreign-property': {
    income: [
      { key: 'rentIncome', label: 'rent received, overseas' },
      { key: 'premiumsOfLeaseGrant', label: 'lease premiums' },
      { key: 'otherPropertyIncome', label: 'other property income' },
      { key: 'foreignTaxPaidOrDeducted', label: 'foreign tax paid on this income' },
      { key: 'specialWithholdingTaxOrUkTaxPaid', label: 'special withholding tax or UK tax paid' },
    ],
    expense: [
      { key: 'premisesRunningCosts', label: 'rent, rates, insurance, ground rents' },
      { key: 'repairsAndMaintenance', label: 'repairs and maintenance' },
      { key: 'financialCosts', label: 'other finance costs' },
      { key: 'residentialFinancialCost', label: 'residential mortgage interest' },
      { key: 'professionalFees', label: 'professional fees' },
      { key: 'costOfServices', label: 'cost of services' },
      { key: 'travelCosts', label: 'travel costs' },
      { key: 'other', label: 'other allowable expenses' },
      { key: 'broughtFwdResidentialFinancialCost', label: 'residential finance costs brought forward' },
    ],
  },
  'self-employment': {
    income: [
      { key: 'turnover', label: 'sales and business income' },
      { key: 'other', label: 'other business income' },
      { key: 'seTaxDeducted', label: 'tax withheld from pay, CIS' },
    ],
    expense: [
      { key: 'costOfGoods', label: 'cost of goods' },
      { key: 'paymentsToSubcontractors', label: 'payments to subcontractors' },
      { key: 'wagesAndStaffCosts', label: 'wages and staff costs' },
      { key: 'carVanTravelExpenses', label: 'car, van and travel expenses' },
      { key: 'premisesRunningCosts', label: 'premises running costs' },
      { key: 'maintenanceCosts', label: 'maintenance costs' },
      { key: 'adminCosts', label: 'admin costs' },
      { key: 'advertisingCosts', label: 'advertising costs' },
      { key: 'interestOnBankOtherLoans', label: 'interest on bank and other loans' },
      { key: 'professionalFees', label: 'professional fees' },
      { key: 'otherExpenses', label: 'other expenses' },
    ],
  },
} as const satisfies Record<string, CategorySet>;
export type SourceType = keyof typeof CATEGORIES;
export const SOURCE_TYPES = Object.keys(CATEGORIES) as SourceType[];

/** Whether entries of `type` may have the category on a source of `sourceType`. */
export function isCategory(sourceType: SourceType, type: EntryType, category: string): boolean {
  return CATEGORIES[sourceType][type].some(({ key }) => key === category);
}

/**
 * The texts that an entry may have, in the order of their attributes in the type `ledger.sent_entry`. Schemas of responses, the
 * fingerprint of a request, the validation of the worker and the rows of a write are made of this list.
 */
export const ENTRY_TEXTS = ['category', 'description', 'externalRef'] as const;
export type EntryTexts = { [Name in (typeof ENTRY_TEXTS)[number]]?: string };

export const LIMITS = {
  /** Requests admitted per key in any `minuteWindowMs`. */
  requestsPerMinute: 120,
  minuteWindowMs: 60_000,
  /** Entries created per account in any `dayWindowMs`. */
  entriesPerDay: 5_000,
  dayWindowMs: 24 * 60 * 60 * 1000,
  /** The write log is kept for twice the window, so that the window is complete even if the clock is set back by a day. */
  writesKeptMs: 48 * 60 * 60 * 1000,
  entriesPerRequest: 500,
  pageSizeDefault: 50,
  pageSizeMax: 200,
  /** Unicode code points. */
  descriptionMax: 500,
  externalRefMax: 180,
  amountPenceMax: Number.MAX_SAFE_INTEGER,
  /** A request can be repeated under its Idempotency-Key for this time. */
  idempotencyKeyMs: 24 * 60 * 60 * 1000,
  idempotencyKeyMax: 255,
  bodyBytesMax: 5 * 1024 * 1024,
} as const;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether `text` is a UUID in the usual form, with hyphens and without braces. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Sorts before the id of every account and entry. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Whether `text` is a UUID of version 7 (RFC 9562), which ascends with time. */
export function isUuidV7(text: string): boolean {
  return UUID_V7.test(text);
}
