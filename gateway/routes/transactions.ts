/** GET and POST /sources/{id}/transactions: the ledger. */
import { Elysia } from 'elysia';
import { isUuid } from '../../proto/vocabulary.ts';
import { withDay } from '../api/rate-limit-headers.ts';
import { encodeCursor } from '../input/cursor.ts';
import { type Entries, readEntries, requireJson } from '../input/entries.ts';
import { readIdempotencyKey } from '../input/idempotency.ts';
import { readPageQuery, requireKnown, searchParams } from '../input/page-query.ts';
import type { Write } from '../ledger/client.ts';
import { dailyCapReached, sourceNotFound } from '../ledger/errors.ts';
import { admission, methodNotAllowed, OTHER_METHODS, type Services } from './admission.ts';
import { jsonResponse, requireRoom, writeResponse } from './json-response.ts';
import { CREATE_TRANSACTIONS, LIST_TRANSACTIONS } from './transactions.openapi.ts';

const PATH = '/api/v1/sources/:id/transactions';

export const transactions = (services: Services) => {
  const { auth, dailyCap, ledger, bodyReader, unreadBytes } = services;

  return new Elysia()
    .all(PATH, methodNotAllowed('GET, HEAD, POST'), OTHER_METHODS)
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
        return jsonResponse(page, { caller, signal: context.signal, set, unreadBytes });
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
        requireRoom(caller, unreadBytes, body.bytes.length);
        span?.recordWait('receive body');
        // The client's time to send the body does not count.
        const writeContext = { deadline: deadline + Date.now() - readingSince, signal, span };

        const write = await auth.withKeyRecheck(caller, () => {
          const idempotencyKey = readIdempotencyKey(request.headers);
          const entries = readEntries(body.bytes);
          requireUuid(sourceId);
          return { sourceId, body: entries, ids: newIds(entries), idempotencyKey };
        });
        // A repeated request creates nothing, and only the database knows whether it is one.
        if (write.idempotencyKey === undefined) {
          await auth.withKeyRecheck(caller, async () => {
            const excess = await dailyCap.excess(caller.accountId, withoutRef(write.body), entriesLeft, span);
            if (excess) throw dailyCapReached(excess);
          });
        }

        const startedAt = performance.now();
        const created = await ledger.createEntries(caller, write, writeContext);
        dailyCap.recordCreated(caller.accountId, created.newEntries, performance.now() - startedAt);

        if (entriesLeft !== undefined) {
          set.headers = withDay(set.headers, Math.max(0, entriesLeft - created.newEntries));
        }
        set.status = created.knownEntries < write.ids.length ? 201 : 200;
        const result = created.resultJson ?? allCreated(write);
        return writeResponse(result, { caller, signal, set, unreadBytes });
      },
      { parse: 'none', detail: CREATE_TRANSACTIONS },
    );
};

/** An id that is not a uuid is not a source of any account. */
function requireUuid(id: string): void {
  if (!isUuid(id)) throw sourceNotFound(id);
}

/** One UUIDv7 per entry, ascending even if the clock is set back meanwhile. */
function newIds({ entries }: Entries): string[] {
  return entries.map(() => Bun.randomUUIDv7()).sort();
}

/** How many of the entries are new for certain: one with an externalRef may be known. */
const withoutRef = ({ entries }: Entries) =>
  entries.filter(({ externalRef }) => externalRef === undefined).length;

/** The response if all entries are new, as docs/api/entries.md says. */
function allCreated({ body: { entries }, ids }: Write): Buffer {
  const transactions = entries.map(({ externalRef = null }, index) => ({ id: ids[index], externalRef }));
  const result = { created: ids.length, deduplicated: 0, transactions, existing: [] };
  return Buffer.from(JSON.stringify(result));
}
