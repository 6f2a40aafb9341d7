/** GET and POST /sources/{id}/transactions: the ledger. */
import { Elysia } from 'elysia';
import Type from 'typebox';
import type { Created__Output as Created } from '../../proto/contract.ts';
import { createResult } from '../../proto/create-result.ts';
import { isUuid, LIMITS } from '../../proto/domain.ts';
import { ApiError } from '../api/errors.ts';
import { oneOf, operation } from '../api/operation.ts';
import { withDay } from '../api/rate-limit-headers.ts';
import {
  CreateResult,
  IdempotencyKey,
  TransactionInput,
  TransactionInputs,
  TransactionList,
  TransactionsQuery,
} from '../api/schemas.ts';
import { ClientDisconnected } from '../http/request-context.ts';
import { type Entries, readEntries, readIdempotencyKey, requireJson } from '../input/entries.ts';
import { encodeCursor, readPageQuery, requireKnown, searchParams } from '../input/page-query.ts';
import type { Write } from '../ledger/client.ts';
import { dailyCapReached, sourceNotFound } from '../ledger/errors.ts';
import { admission, methodNotAllowed, OTHER_METHODS, type Services } from './admission.ts';
import { jsonResponse, requireResponseBudget, writeResponse } from './json-response.ts';

const PATH = '/api/v1/sources/:id/transactions';
const NO_CHANGES = 'Entries cannot be changed or deleted through the API: correct them in the app.';

function noSingleEntries(): never {
  throw new ApiError('not_found', `No such path: the API has no single entries. ${NO_CHANGES}`);
}

export const transactions = (services: Services) => {
  const { auth, dailyCap, ledger, bodyReader, limits } = services;

  return new Elysia()
    .all(PATH, methodNotAllowed('GET, HEAD, POST', ` ${NO_CHANGES}`), OTHER_METHODS)
    .all(`${PATH}/:entry`, noSingleEntries, OTHER_METHODS)
    .use(admission(services))
    .get(
      PATH,
      async ({ caller, context, params: { id: sourceId }, request, set }) => {
        const query = await auth.withKeyRecheck(caller, () => {
          const checked = readPageQuery(sourceId, searchParams(request));
          requireUuid(sourceId);
          return checked;
        });
        const { entriesJson, last } = await ledger.listEntries(caller, query, context);
        const nextCursor = JSON.stringify(last && encodeCursor(query, last));
        const head = Buffer.from('{"transactions":[');
        const tail = Buffer.from(`],"nextCursor":${nextCursor}}`);
        const page = Buffer.concat([head, entriesJson, tail]);
        return jsonResponse(page, { caller, signal: context.signal, set, limits });
      },
      { detail: LIST_TRANSACTIONS },
    )
    .post(
      PATH,
      async ({ caller, context, entriesLeft, params: { id: sourceId }, request, set }) => {
        const { deadline, signal, span } = context;
        const readingSince = Date.now();
        using body = await auth.withKeyRecheck(caller, () => {
          requireKnown(searchParams(request), []);
          requireJson(request.headers);
          return bodyReader.read(request, caller.accountId);
        });
        requireResponseBudget(caller, limits, body.bytes.length);
        span?.recordWait('receive body');
        // The client's time to send the body does not count.
        const writeContext = { deadline: deadline + Date.now() - readingSince, signal, span };

        const write = await auth.withKeyRecheck(caller, () => {
          const idempotencyKey = readIdempotencyKey(request.headers);
          const entries = readEntries(body.bytes);
          requireUuid(sourceId);
          return { sourceId, body: entries, ids: newIds(entries), idempotencyKey };
        });
        // A repeated request creates nothing, and only the database can recognise it.
        if (write.idempotencyKey === undefined) {
          const requireDailyCapacity = async () => {
            const refusal = await dailyCap.refusal(
              caller.accountId,
              withoutRef(write.body),
              entriesLeft,
              span,
            );
            if (refusal) throw dailyCapReached(refusal);
          };
          // Errors that waiting does not cure come before daily_cap.
          await auth.withKeyRecheck(caller, requireDailyCapacity, (recheck) =>
            ledger.checkWrite(caller, write, recheck),
          );
        }

        // Bun ends the connection if more follows the body than its end. Then the client has its 400, so nothing may be stored.
        if (signal.aborted) throw new ClientDisconnected();
        const startedAt = performance.now();
        const created = await ledger.createEntries(caller, write, writeContext);
        dailyCap.recordCreated(caller.accountId, created.newEntries, performance.now() - startedAt);

        if (entriesLeft !== undefined) {
          set.headers = withDay(set.headers, Math.max(0, entriesLeft - created.newEntries));
        }
        set.status = created.knownEntries < write.ids.length ? 201 : 200;
        return writeResponse(resultOf(write, created), { caller, signal, set, limits });
      },
      { parse: 'none', detail: CREATE_TRANSACTIONS },
    );
};

/** No account has a source whose id is not a uuid. */
function requireUuid(id: string): void {
  if (!isUuid(id)) throw sourceNotFound(id);
}

/** One UUIDv7 per entry, ascending even if the clock is set back meanwhile. */
function newIds({ entries }: Entries): string[] {
  return entries.map(() => Bun.randomUUIDv7()).sort();
}

/** The number of entries that are certainly new: an entry with an externalRef may be known. */
const withoutRef = ({ entries }: Entries) =>
  entries.filter(({ externalRef }) => externalRef === undefined).length;

/** The body of the response. A worker without request ids sends it whole. */
function resultOf({ body, ids }: Write, { storedJson, resultJson }: Created): Buffer {
  return resultJson ?? Buffer.from(createResult(body.entries, ids, storedJson));
}

const ID = '019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e';

const SOURCE_ID = Type.Object({
  id: Type.String({ format: 'uuid', description: 'A source id from GET /api/v1/sources.', examples: [ID] }),
});

const LIST_TRANSACTIONS = operation({
  operationId: 'listTransactions',
  tag: 'Transactions',
  summary: 'List the entries of a source',
  description:
    'Newest date first, and the newest created first within a date. While `nextCursor` is not null there are more: ' +
    'pass it as `cursor`, with the same `from` and `to`. A cursor of another source or other filters is refused.',
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

const CREATE_TRANSACTIONS = operation({
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
    schema: oneOf(TransactionInput, TransactionInputs),
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
