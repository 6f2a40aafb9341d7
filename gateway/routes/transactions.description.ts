/** The description of GET and POST /sources/{id}/transactions. */
import Type from 'typebox';
import { LIMITS } from '../../proto/domain.ts';
import { IdempotencyKey, TransactionsQuery } from '../api/schemas.ts';
import { operation } from '../description/operation.ts';
import { CreateRequest, CreateResult, TransactionList } from '../description/response-schemas.ts';

const ID = '019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e';

const SOURCE_ID = Type.Object({
  id: Type.String({ format: 'uuid', description: 'A source id from GET /api/v1/sources.', examples: [ID] }),
});

export const LIST_TRANSACTIONS = operation({
  operationId: 'listTransactions',
  tag: 'Transactions',
  summary: 'List the entries of a source',
  description:
    'Newest date first, and the newest created first within a date. While `nextCursor` is not null there are more: ' +
    'pass it as `cursor`, with the same `from` and `to`. A cursor of another source or other filters is refused. ' +
    'A page above 15,000 bytes is compressed if the client accepts gzip.',
  path: SOURCE_ID,
  query: TransactionsQuery,
  responses: {
    200: {
      description: 'A page of entries.',
      schema: TransactionList,
      example: {
        transactions: [
          {
            id: ID,
            date: '2026-04-06',
            type: 'income',
            category: 'periodAmount',
            amountPence: 45000,
            description: 'Rent, April',
            externalRef: 'bank-2026-04-06-0001',
          },
        ],
        nextCursor: null,
      },
    },
  },
  errors: ['source_not_found'],
  sample: {
    path: '/api/v1/sources/{SOURCE}/transactions?from=2026-04-06',
    typescript: `// Reads all pages.
const entries = ledger.transactions(SOURCE, { from: '2026-04-06' });
for await (const entry of entries) console.log(entry);`,
  },
});

const CREATE_HEADERS = Type.Object({ 'Idempotency-Key': Type.Optional(IdempotencyKey) });

const BATCH = [
  {
    date: '2026-04-06',
    type: 'income',
    amountPence: 45000,
    category: 'periodAmount',
    description: 'Rent, April',
    externalRef: 'bank-2026-04-06-0001',
  },
  { date: '2026-04-03', type: 'expense', amountPence: 1999, externalRef: 'bank-2026-04-03-0007' },
];

const CREATE_EXAMPLE = {
  created: 1,
  deduplicated: 1,
  transactions: [{ id: ID, externalRef: 'bank-2026-04-06-0001' }],
  existing: [{ id: '019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8f', externalRef: 'bank-2026-04-03-0007' }],
};

export const CREATE_TRANSACTIONS = operation({
  operationId: 'createTransactions',
  tag: 'Transactions',
  summary: 'Create entries on a source',
  description:
    `Sends one transaction or an array of 1 to ${LIMITS.entriesPerRequest}: all of them are recorded or none is. ` +
    'An entry whose `externalRef` is already recorded for the account is not created again but returned in ' +
    '`existing`, so a request with references can be repeated safely. A reference that occurs twice in a request counts as ' +
    'sent one after the other. An entry without `category` goes to the review queue. For entries without a reference, an ' +
    '`Idempotency-Key` makes the request as a whole safe to repeat.',
  path: SOURCE_ID,
  headers: CREATE_HEADERS,
  body: {
    schema: CreateRequest,
    examples: {
      single: {
        summary: 'One transaction',
        value: { date: '2026-04-06', type: 'income', amountPence: 45000, category: 'periodAmount' },
      },
      batch: {
        summary: 'Several, with references',
        value: BATCH,
      },
    },
  },
  responses: {
    201: { description: 'At least one entry was created.', schema: CreateResult, example: CREATE_EXAMPLE },
    200: {
      description: 'Every entry was already in the books.',
      schema: CreateResult,
      example: { ...CREATE_EXAMPLE, created: 0, transactions: [] },
    },
  },
  errors: [
    'read_only_key',
    'source_not_found',
    'invalid_json',
    'invalid_idempotency_key',
    'request_timeout',
    'payload_too_large',
    'unsupported_encoding',
    'empty_body',
    'too_many',
    'invalid_transaction',
    'invalid_category',
    'idempotency_key_reused',
    'daily_cap',
  ],
  sample: {
    method: 'POST',
    path: '/api/v1/sources/{SOURCE}/transactions',
    body: BATCH,
    typescript: `// Any number of entries: sends several requests, and repeats what failed.
const result = await ledger.push(SOURCE, ${JSON.stringify(BATCH, null, 2)});
console.log(result.created, 'created');`,
  },
});
