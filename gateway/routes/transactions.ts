/** GET and POST /sources/{id}/transactions: the ledger. */
import { Elysia } from 'elysia';
import { isUuid } from '../../proto/domain.ts';
import { checkedError } from '../access/admission.ts';
import { ApiError } from '../api/errors.ts';
import { withDailyCap } from '../api/rate-limit-headers.ts';
import { ClientDisconnected } from '../http/request-context.ts';
import { type ParsedBody, readEntries, readIdempotencyKey, requireJson } from '../input/entries.ts';
import { requireKnown, searchParams } from '../input/issues.ts';
import { encodeCursor, readPageQuery } from '../input/page-query.ts';
import { dailyCapReached, sourceNotFound } from '../ledger/outcomes.ts';
import { methodNotAllowed, type RouteDependencies, UNPARSED_BODY, withKey } from './hooks.ts';
import { jsonResponse, requireResponseBudget, writeResponse } from './json-response.ts';

const PATH = '/api/v1/sources/:id/transactions';
const NO_CHANGES = 'Entries cannot be changed or deleted through the API: correct them in the app.';

function noSingleEntries(): never {
  throw new ApiError('not_found', `No such path: the API has no single entries. ${NO_CHANGES}`);
}

export const transactions = (dependencies: RouteDependencies) => {
  const { limits, ledger, bodyReader, quotas } = dependencies;

  return new Elysia()
    .all(PATH, methodNotAllowed('GET, HEAD, POST', ` ${NO_CHANGES}`), UNPARSED_BODY)
    .all(`${PATH}/:entry`, noSingleEntries, UNPARSED_BODY)
    .use(withKey(dependencies))
    .get(PATH, async ({ caller, context, params: { id: sourceId }, request, set }) => {
      const query = readPageQuery(sourceId, searchParams(request));
      requireUuid(sourceId);
      const { entriesJson, last } = await ledger.listEntries(caller, query, context);
      const nextCursor = JSON.stringify(last && encodeCursor(query, last));
      const head = Buffer.from('{"transactions":[');
      const tail = Buffer.from(`],"nextCursor":${nextCursor}}`);
      const page = Buffer.concat([head, entriesJson, tail]);
      return jsonResponse(page, { caller, request, set, quotas });
    })
    .post(
      PATH,
      async ({ caller, context, entriesLeft, params: { id: sourceId }, request, set }) => {
        const { deadline, signal, span } = context;
        const readingSince = performance.now();
        requireKnown(searchParams(request), []);
        requireJson(request.headers);
        const idempotencyKey = readIdempotencyKey(request.headers);
        using body = await bodyReader.read(request, caller.accountId);
        requireResponseBudget(caller, quotas, body.bytes.length);
        span?.recordWait('receive body');
        // The client's time to send the body does not count.
        const writeContext = { deadline: deadline + performance.now() - readingSince, signal, span };

        const parsed = readEntries(body.bytes);
        requireUuid(sourceId);
        const write = { sourceId, body: parsed, ids: newIds(parsed), idempotencyKey };
        const sent = { entries: parsed.entries, idempotencyKey };
        const refusal = await limits.dailyCapRefusal(caller.accountId, sent, entriesLeft, span);
        // Errors that waiting does not cure come before daily_cap.
        if (refusal)
          throw await checkedError(dailyCapReached(refusal), (checkContext) =>
            ledger.checkWrite(caller, write, checkContext),
          );

        // Bun ends the connection if more follows the body than its end. Then the client has its 400, so nothing may be stored.
        if (signal.aborted) throw new ClientDisconnected();
        const begunAt = performance.now();
        const created = await ledger.createEntries(caller, write, writeContext);
        limits.recordCreated({ accountId: caller.accountId, entries: created.newEntries, begunAt });

        // The database's count: Redis may have lost writes.
        if (created.entriesLeft !== undefined) set.headers = withDailyCap(set.headers, created.entriesLeft);
        set.status = created.knownEntries < write.ids.length ? 201 : 200;
        const result = createResult(write.body.entries, write.ids, created.knownJson);
        return writeResponse(result, { caller, request, set, quotas });
      },
      UNPARSED_BODY,
    );
};

/** No account has a source whose id is not a uuid. */
function requireUuid(id: string): void {
  if (!isUuid(id)) throw sourceNotFound(id);
}

/** One UUIDv7 per entry, ascending even if the clock is set back meanwhile. */
function newIds({ entries }: ParsedBody): string[] {
  return entries.map(() => Bun.randomUUIDv7()).sort();
}

/** `Created.known_json` (ledger.proto): the entries of a write that were in the ledger before it. */
interface Known {
  /** The ids of all entries, if the request has others. */
  ids?: string[];
  existing: { index: number; id: string; fields: string[] }[];
}

/**
 * The body of the response as JSON (docs/api/entries.md).
 * @param ids of the entries, in the request
 * @param knownJson undefined if all entries are new
 */
export function createResult(
  entries: readonly { externalRef?: string | undefined }[],
  ids: readonly string[],
  knownJson: Buffer | undefined,
): Buffer {
  const known: Known = knownJson ? JSON.parse(knownJson.toString()) : { existing: [] };
  const existing = new Set(known.existing.map(({ index }) => index));
  const refOf = (index: number) => entries[index]?.externalRef ?? null;
  const created = [...entries.keys()].filter((index) => !existing.has(index));
  const conflicts = known.existing.filter(({ fields }) => fields.length > 0);
  const result = {
    created: created.length,
    deduplicated: existing.size,
    transactions: created.map((index) => ({ id: (known.ids ?? ids)[index], externalRef: refOf(index) })),
    existing: known.existing.map(({ id, index }) => ({ id, externalRef: refOf(index) })),
    ...(conflicts.length > 0 && {
      conflicts: conflicts.map(({ index, id, fields }) => ({ index, externalRef: refOf(index), id, fields })),
    }),
  };
  return Buffer.from(JSON.stringify(result));
}
