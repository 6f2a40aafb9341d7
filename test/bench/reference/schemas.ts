/** JSON schemas of requests, for Ajv, and of responses, for fast-json-stringify. */
import { ENTRY_TYPES, type EntryType, LIMITS } from '../../../proto/vocabulary.ts';

export interface EntryInput {
  /** `YYYY-MM-DD` */
  date: string;
  type: EntryType;
  amountPence: number;
  category?: string;
  description?: string;
  externalRef?: string;
}

export interface PageQuery {
  /** `YYYY-MM-DD`, both inclusive. */
  from?: string;
  to?: string;
  cursor?: string;
  /** Digits: 1 to 200. */
  limit?: string;
}

// A real calendar day of the years 0001 to 9999.
const DATE = { type: 'string', format: 'date', pattern: '^(?!0000)' };
// No U+0000 and no lone surrogates, which a Postgres text cannot store.
const TEXT = { type: 'string', pattern: '^[^\\u0000\\ud800-\\udfff]*$' };

const ENTRY_INPUT = {
  type: 'object',
  required: ['date', 'type', 'amountPence'],
  additionalProperties: false,
  properties: {
    date: DATE,
    type: { type: 'string', enum: ENTRY_TYPES },
    amountPence: { type: 'integer', minimum: 1, maximum: LIMITS.amountPenceMax },
    category: TEXT,
    description: { ...TEXT, maxLength: LIMITS.descriptionMax },
    externalRef: { ...TEXT, minLength: 1, maxLength: LIMITS.externalRefMax },
  },
};

/** An object or an array: JSON Schema applies the keywords for members and for items only to the matching type. */
export const TRANSACTIONS_BODY = {
  ...ENTRY_INPUT,
  type: ['object', 'array'],
  minItems: 1,
  maxItems: LIMITS.entriesPerRequest,
  items: ENTRY_INPUT,
};

export const PAGE_QUERY = {
  type: 'object',
  properties: {
    from: DATE,
    to: DATE,
    cursor: { type: 'string' },
    limit: { type: 'string', pattern: '^([1-9][0-9]?|1[0-9][0-9]|200)$' },
  },
};

// Texts without characters that JSON must escape are written unchanged.
const PLAIN = { type: 'string', format: 'unsafe' };
const NULLABLE_TEXT = { type: 'string', nullable: true };

const REFERENCE = { type: 'object', properties: { id: PLAIN, externalRef: NULLABLE_TEXT } };

export const CREATE_RESULT = {
  type: 'object',
  properties: {
    created: { type: 'integer' },
    deduplicated: { type: 'integer' },
    transactions: { type: 'array', items: REFERENCE },
    existing: { type: 'array', items: REFERENCE },
  },
};

export const TRANSACTION_LIST = {
  type: 'object',
  properties: {
    transactions: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: PLAIN,
          date: PLAIN,
          type: PLAIN,
          category: NULLABLE_TEXT,
          amountPence: { type: 'integer' },
          description: NULLABLE_TEXT,
          externalRef: NULLABLE_TEXT,
        },
      },
    },
    nextCursor: NULLABLE_TEXT,
  },
};

export const SOURCE_LIST = {
  type: 'object',
  properties: {
    sources: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: PLAIN,
          name: { type: 'string' },
          type: PLAIN,
          countryCode: NULLABLE_TEXT,
          role: PLAIN,
          sharePercent: { type: 'number' },
          transactionCount: { type: 'integer' },
        },
      },
    },
  },
};

export const ACCOUNT = {
  type: 'object',
  properties: {
    accountId: PLAIN,
    plan: PLAIN,
    capabilities: {
      type: 'object',
      properties: {
        readBookkeeping: { type: 'boolean' },
        writeBookkeeping: { type: 'boolean' },
        hmrcSubmission: { type: 'boolean' },
      },
    },
    note: { type: 'string' },
  },
};
