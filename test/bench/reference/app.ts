/** The routes: Ajv validates requests, fast-json-stringify serialises responses. */
import { hash } from 'node:crypto';
import fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { LIMITS } from '../../../proto/vocabulary.ts';
import { ApiError, sourceNotFound } from './api-error.ts';
import { authenticate, listEntries, listSources, type Position } from './reads.ts';
import {
  ACCOUNT,
  CREATE_RESULT,
  type EntryInput,
  PAGE_QUERY,
  type PageQuery,
  SOURCE_LIST,
  TRANSACTION_LIST,
  TRANSACTIONS_BODY,
} from './schemas.ts';
import { createEntries } from './write.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the key in the Authorization header. */
    keyHash: Buffer;
  }
}

interface ById {
  Params: { id: string };
}

export function createApp(pool: Pool): FastifyInstance {
  const app = fastify({
    bodyLimit: LIMITS.bodyBytesMax,
    exposeHeadRoutes: false,
    // Invalid input is rejected with a complete list of issues, not coerced.
    ajv: {
      customOptions: { allowUnionTypes: true, coerceTypes: false, removeAdditional: false, allErrors: true },
    },
  });
  app.decorateRequest('keyHash');
  app.addHook('onRequest', async (request) => {
    request.keyHash = keyHashOf(request.headers.authorization);
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const apiError = error instanceof ApiError ? error : toApiError(error, request);
    return reply.code(apiError.status).send(apiError.render());
  });
  app.setNotFoundHandler(() => {
    throw new ApiError(404, 'not_found', 'There is nothing at this path.');
  });

  app.get('/api/v1/me', { schema: { response: { 200: ACCOUNT } } }, async ({ keyHash }) => {
    const { accountId, plan } = await authenticate(pool, keyHash);
    return {
      accountId,
      plan,
      capabilities: { readBookkeeping: true, writeBookkeeping: true, hmrcSubmission: false },
      note: 'Submission is not available through the API.',
    };
  });

  app.get('/api/v1/sources', { schema: { response: { 200: SOURCE_LIST } } }, async ({ keyHash }) => {
    return { sources: await listSources(pool, keyHash) };
  });

  app.get<ById & { Querystring: PageQuery }>(
    '/api/v1/sources/:id/transactions',
    { schema: { querystring: PAGE_QUERY, response: { 200: TRANSACTION_LIST } } },
    async ({ keyHash, params, query }) => {
      const { from, to } = query;
      if (from !== undefined && to !== undefined && from > to) throw invalidQuery('/from', 'is after to');
      const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
      const limit = query.limit === undefined ? LIMITS.pageSizeDefault : Number(query.limit);
      const sourceId = requireUuid(params.id);
      const entries = await listEntries(pool, keyHash, { sourceId, from, to, after, limit: limit + 1 });
      const hasMore = entries.length > limit;
      if (hasMore) entries.pop();
      const last = entries.at(-1);
      return { transactions: entries, nextCursor: hasMore && last ? encodeCursor(last) : null };
    },
  );

  app.post<ById & { Body: EntryInput | EntryInput[] }>(
    '/api/v1/sources/:id/transactions',
    { schema: { body: TRANSACTIONS_BODY, response: { '2xx': CREATE_RESULT } } },
    async ({ keyHash, params, body }, reply) => {
      const entries = Array.isArray(body) ? body : [body];
      const result = await createEntries(pool, keyHash, requireUuid(params.id), entries);
      reply.code(result.created > 0 ? 201 : 200);
      return result;
    },
  );
  return app;
}

function keyHashOf(authorization: string | undefined): Buffer {
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (key === undefined) throw new ApiError(401, 'missing_key', 'Send `Authorization: Bearer <API_KEY>`.');
  return hash('sha256', key, 'buffer');
}

/** An id that is not a UUID cannot be a source. */
function requireUuid(id: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw sourceNotFound();
  return id;
}

function encodeCursor({ date, id }: Position): string {
  return Buffer.from(`${date} ${id}`).toString('base64url');
}

function decodeCursor(cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, date, id] = /^(\d{4}-\d\d-\d\d) ([0-9a-f-]{36})$/.exec(text) ?? [];
  if (date === undefined || id === undefined) throw invalidQuery('/cursor', 'is not a nextCursor');
  return { date, id };
}

function invalidQuery(path: string, message: string): ApiError {
  return new ApiError(422, 'invalid_query', 'Some query parameters are not valid.', {
    issues: [{ path, message }],
  });
}

/** Maps an error of Fastify to an error of the API; any other error is a server error. */
function toApiError(error: FastifyError, { method, log }: FastifyRequest): ApiError {
  if (error.validation) {
    const issues = error.validation
      // The failure of an `if` only repeats the failure inside it.
      .filter(({ keyword }) => keyword !== 'if')
      .map(({ instancePath, message }) => ({ path: instancePath, message }));
    if (error.validationContext === 'querystring') {
      return new ApiError(422, 'invalid_query', 'Some query parameters are not valid.', { issues });
    }
    const broken = (keyword: string) => error.validation?.some((issue) => issue.keyword === keyword);
    if (broken('minItems')) return new ApiError(422, 'empty_body', 'The array is empty.');
    if (broken('maxItems')) return new ApiError(422, 'too_many', 'Send at most 500 transactions.');
    return new ApiError(422, 'invalid_transaction', 'Nothing was created: see issues.', { issues });
  }
  if (error.statusCode === 413) return new ApiError(413, 'payload_too_large', 'The body is too large.');
  if (method === 'POST' && error.statusCode !== undefined && error.statusCode < 500) {
    return new ApiError(400, 'invalid_json', 'The body is not valid JSON.');
  }
  log.error(error);
  return new ApiError(500, 'server_error', 'The service failed. Send the request again.');
}
