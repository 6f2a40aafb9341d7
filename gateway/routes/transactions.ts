/** GET and POST /sources/{id}/transactions: the ledger. */
import { setImmediate } from 'node:timers/promises';
import { bulkhead } from 'cockatiel';
import { Elysia } from 'elysia';
import Type from 'typebox';
import type { Span } from '../../platform/tracing.ts';
import type { Created__Output as Created } from '../../proto/client.ts';
import { isUuid } from '../../proto/uuid.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import type { Limits } from '../access/limits.ts';
import { operation } from '../api/openapi.ts';
import { withDay } from '../api/rate-limit-headers.ts';
import {
  CreateResult,
  TransactionInput,
  TransactionInputs,
  TransactionList,
  TransactionsQuery,
} from '../api/schemas.ts';
import { jsonAnswer } from '../http/json-response.ts';
import { encodeCursor } from '../input/cursor.ts';
import { type Entries, readEntries, requireJson } from '../input/entries.ts';
import { IdempotencyKey, readIdempotencyKey } from '../input/idempotency.ts';
import { readPageQuery, requireKnown, searchParams } from '../input/page-query.ts';
import { ClientGone } from '../ledger/client.ts';
import { dailyCap, sourceNotFound } from '../ledger/errors.ts';
import { admission, methodNotAllowed, OTHER_METHODS, type Services } from './admission.ts';

// Read and parsed, a body takes ten times the memory that it arrived in. How many arrive is bounded by their bytes.
const LARGE_BYTES = 16 * 1024;
const LARGE_AT_A_TIME = 8;

const PATH = '/api/v1/sources/:id/transactions';

export const transactions = (services: Services) => {
  const { auth, limits, ledger, bodies } = services;
  const large = bulkhead(LARGE_AT_A_TIME, Number.POSITIVE_INFINITY);
  const turns = bulkhead(1, Number.POSITIVE_INFINITY);
  const isLarge = (bytes: Uint8Array) => bytes.length > LARGE_BYTES;

  /** Reads a large body in a turn of the event loop of its own: between two of them, everybody else is served. */
  const readInTurn = (bytes: Uint8Array, gone: AbortSignal) =>
    turns.execute(async () => {
      await setImmediate();
      if (gone.aborted) throw new ClientGone();
      return readEntries(bytes);
    });
  return new Elysia()
    .all(PATH, methodNotAllowed('GET, HEAD, POST'), OTHER_METHODS)
    .use(admission(services))
    .get(
      PATH,
      async ({ caller, budget, params, request, set }) => {
        const query = await auth.prepare(caller, () => {
          const query = readPageQuery(params.id, searchParams(request));
          requireUuid(params.id);
          return query;
        });
        const { entriesJson, last } = await ledger.listEntries(caller, query, budget);
        const nextCursor = JSON.stringify(last && encodeCursor(query, last));
        const head = Buffer.from('{"transactions":[');
        const tail = Buffer.from(`],"nextCursor":${nextCursor}}`);
        return jsonAnswer(Buffer.concat([head, entriesJson, tail]), set);
      },
      { detail: LIST },
    )
    .post(
      PATH,
      async ({ caller, budget, params, request, set }) => {
        const asked = Date.now();
        using arrived = await auth.prepare(caller, () => {
          requireKnown(searchParams(request), []);
          requireJson(request.headers);
          return bodies.receive(request, caller.accountId);
        });
        // The client's own time.
        budget.deadline += Date.now() - asked;
        budget.span?.waited('receive body');

        const create = async () => {
          const { body, idempotencyKey, fitted } = await auth.prepare(caller, async () => {
            const idempotencyKey = readIdempotencyKey(request.headers);
            const body = isLarge(arrived.bytes)
              ? await readInTurn(arrived.bytes, budget.gone)
              : readEntries(arrived.bytes);
            requireUuid(params.id);
            // A request that is repeated creates nothing: whether it is one, the database knows.
            const fitted =
              idempotencyKey === undefined
                ? await requireRoomInTheDay(limits, caller.accountId, body, budget.span)
                : undefined;
            return { body, idempotencyKey, fitted };
          });

          const begun = performance.now();
          // In their order, should the clock be set back meanwhile.
          const ids = body.entries.map(() => Bun.randomUUIDv7()).sort();
          const write = { sourceId: params.id, body, ids, idempotencyKey };
          const created = await ledger.createEntries(caller, write, budget);
          limits.recordCreated(caller.accountId, created.added, performance.now() - begun);
          if (fitted !== undefined) {
            set.headers = withDay(set.headers, Math.max(0, fitted - created.added));
          }

          const result = createResult(body, created.ids.length > 0 ? created.ids : ids, created);
          set.status = result.created > 0 ? 201 : 200;
          return jsonAnswer(Buffer.from(JSON.stringify(result)), set);
        };
        // Awaited here: only then is the memory of the body given back.
        return await (isLarge(arrived.bytes) ? large.execute(create) : create());
      },
      { parse: 'none', detail: CREATE },
    );
};

/** An id that is no uuid names no source, of this account or any other. */
function requireUuid(id: string): void {
  if (!isUuid(id)) throw sourceNotFound(id);
}

/**
 * Sheds what cannot fit however much of it is deduplicated: entries without externalRef are always created.
 * @returns how many entries fit, where that is known
 */
async function requireRoomInTheDay(
  limits: Limits,
  accountId: string,
  { entries }: Entries,
  span: Span | undefined,
): Promise<number | undefined> {
  const certain = entries.filter((entry) => entry.externalRef === undefined).length;
  const left = await limits.dayLeft(accountId, certain, span);
  if (left && certain > left.fitsNow) throw dailyCap(left);
  return left?.fitsNow;
}

/** What became of each sent entry (specification: CreateResult). */
function createResult({ entries }: Entries, ids: readonly string[], { existing }: Created) {
  const refOf = (index: number) => entries[index]?.externalRef ?? null;
  const matched = new Set(existing.map(({ index }) => index));
  const created = ids.flatMap((id, index) => (matched.has(index) ? [] : [{ id, externalRef: refOf(index) }]));
  const conflicts = existing.flatMap(({ index, id, differingFields }) =>
    differingFields.length === 0 ? [] : [{ index, externalRef: refOf(index), id, fields: differingFields }],
  );
  return {
    created: created.length,
    deduplicated: existing.length,
    transactions: created,
    existing: existing.map(({ index, id }) => ({ id, externalRef: refOf(index) })),
    ...(conflicts.length > 0 && { conflicts }),
  };
}

const ID = '019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e';

const SOURCE_ID = Type.Object({
  id: Type.String({ format: 'uuid', description: 'A source id from GET /api/v1/sources.', examples: [ID] }),
});

const LIST = operation({
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
});

const HEADERS = Type.Object({ 'Idempotency-Key': Type.Optional(IdempotencyKey) });

const CREATED = {
  created: 1,
  deduplicated: 1,
  transactions: [{ id: ID, externalRef: 'bank-2026-04-06-0001' }],
  existing: [{ id: '019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8f', externalRef: 'bank-2026-04-03-0007' }],
};

const CREATE = operation({
  operationId: 'createTransactions',
  tag: 'Transactions',
  summary: 'Create entries on a source',
  description:
    `Sends one transaction or an array of 1 to ${LIMITS.entriesPerRequest}: all of them are recorded or none is. ` +
    'An entry whose `externalRef` is already in the books of the account is not created again but returned in ' +
    '`existing`, so a request with references can be repeated safely; one reference twice in a request counts as ' +
    'sent one after the other. Without `category` an entry goes to the review queue. For entries without a reference an ' +
    '`Idempotency-Key` does the same for the request as a whole.',
  path: SOURCE_ID,
  headers: HEADERS,
  body: {
    schema: Type.Union([TransactionInput, TransactionInputs]),
    examples: {
      single: {
        summary: 'One transaction',
        value: { date: '2026-04-06', type: 'income', amountPence: 45000, category: 'periodAmount' },
      },
      batch: {
        summary: 'Several, with references',
        value: [
          {
            date: '2026-04-06',
            type: 'income',
            amountPence: 45000,
            category: 'periodAmount',
            description: 'Rent, April',
            externalRef: 'bank-2026-04-06-0001',
          },
          { date: '2026-04-03', type: 'expense', amountPence: 1999, externalRef: 'bank-2026-04-03-0007' },
        ],
      },
    },
  },
  responses: {
    201: { description: 'At least one entry was created.', schema: CreateResult, example: CREATED },
    200: {
      description: 'Every entry was already in the books.',
      schema: CreateResult,
      example: { ...CREATED, created: 0, transactions: [] },
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
});
