/** The OpenAPI 3.1 description, built from the validation schemas and the error codes. */
import { swagger } from '@elysiajs/swagger';
import type { DocumentDecoration } from 'elysia';
import type { TObject, TSchema } from 'typebox';
import { LIMITS, VERSION } from '../../proto/vocabulary.ts';
import { ERRORS, type ErrorCode, UNAVAILABLE } from './errors.ts';
import { RATE_LIMIT_POLICY } from './rate-limit-headers.ts';
import * as schemas from './schemas.ts';

export const OPENAPI_PATH = '/api/v1/openapi.json';
export const DOCS_PATH = '/api/v1/docs';

/** Schemas that the description names; others are inlined. */
const COMPONENTS: Record<string, TSchema> = {
  Account: schemas.Account,
  Source: schemas.Source,
  SourceList: schemas.SourceList,
  Category: schemas.Category,
  CategorySet: schemas.CategorySet,
  CategorySets: schemas.CategorySets,
  Transaction: schemas.Transaction,
  TransactionInput: schemas.TransactionInput,
  TransactionInputs: schemas.TransactionInputs,
  TransactionList: schemas.TransactionList,
  EntryReference: schemas.EntryReference,
  Conflict: schemas.Conflict,
  CreateResult: schemas.CreateResult,
  Issue: schemas.Issue,
  Error: schemas.ErrorBody,
};
const NAMES = new Map(Object.entries(COMPONENTS).map(([name, schema]) => [schema as unknown, name]));

/** The errors of every endpoint. */
const COMMON_ERRORS: ErrorCode[] = [
  'invalid_request',
  'missing_key',
  'invalid_key',
  'upgrade_required',
  'not_found',
  'method_not_allowed',
  'invalid_query',
  'rate_limited',
  'server_error',
];

const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Remaining': { $ref: '#/components/headers/X-RateLimit-Remaining' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};

interface Operation {
  operationId: string;
  tag: keyof typeof TAGS;
  summary: string;
  description: string;
  path?: TObject;
  query?: TObject;
  headers?: TObject;
  body?: { schema: TSchema; examples: Record<string, { summary: string; value: unknown }> };
  responses: Record<number, { description: string; schema: TSchema; example: unknown }>;
  /** In addition to the common ones. */
  errors: ErrorCode[];
}

const TAGS = {
  Account: 'The account of an API key.',
  Sources: 'Properties and businesses, set up in the app and read-only here.',
  Categories: 'The category keys that transactions accept.',
  Transactions: 'The ledger: income and expense entries.',
};

/** An operation of the description, as the `detail` of an Elysia route. */
export function operation({
  tag,
  path,
  query,
  headers,
  body,
  responses,
  errors,
  ...rest
}: Operation): DocumentDecoration {
  const detail = {
    ...rest,
    tags: [tag],
    parameters: [
      ...parameters('path', path),
      ...parameters('query', query),
      ...parameters('header', headers),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: described(body.schema), examples: body.examples } },
      },
    }),
    responses: { ...successes(responses), ...failures([...COMMON_ERRORS, ...errors]) },
  };
  // Elysia's types are those of OpenAPI 3.0.
  return detail as unknown as DocumentDecoration;
}

function parameters(where: 'path' | 'query' | 'header', object: TObject | undefined) {
  return Object.entries(object?.properties ?? {}).map(([name, schema]) => {
    const { description, examples, ...rest } = described(schema) as Record<string, unknown>;
    const example = (examples as unknown[] | undefined)?.[0];
    const required = object?.required?.includes(name) ?? false;
    return {
      name,
      in: where,
      required,
      description,
      ...(example !== undefined && { example }),
      schema: rest,
    };
  });
}

function successes(responses: Operation['responses']) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, schema, example }]) => [
      status,
      {
        description,
        headers: {
          ...RATE_LIMIT_HEADERS,
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
        },
        content: { 'application/json': { schema: described(schema), example } },
      },
    ]),
  );
}

/** One response for each status, with an example for each code that shares it. */
function failures(codes: ErrorCode[]) {
  const statuses = [...new Set(codes.flatMap(statusesOf))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => statusesOf(code).includes(status));
      return [
        status,
        {
          description: here.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join('\n\n'),
          headers: {
            'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
            ...(status === 401 && {
              'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' },
            }),
            ...(status === 429 && RATE_LIMIT_HEADERS),
            ...(status === 405 && { Allow: { $ref: '#/components/headers/Allow' } }),
            ...([429, UNAVAILABLE].includes(status) && {
              'Retry-After': { $ref: '#/components/headers/Retry-After' },
            }),
          },
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: Object.fromEntries(here.map((code) => [code, { value: errorExample(code) }])),
            },
          },
        },
      ];
    }),
  );
}

function statusesOf(code: ErrorCode): number[] {
  return code === 'server_error' ? [ERRORS[code].status, UNAVAILABLE] : [ERRORS[code].status];
}

function errorExample(code: ErrorCode) {
  const more: Partial<Record<ErrorCode, object>> = {
    invalid_query: {
      issues: [{ path: '/form', message: 'is not one of the accepted parameters; did you mean from?' }],
    },
    invalid_transaction: { issues: [{ path: '/3/amountPence', message: 'is required' }] },
    invalid_category: {
      validCategories: ['periodAmount', 'otherIncome'],
      issues: [{ path: '/0/category', message: 'did you mean periodAmount?' }],
    },
    daily_cap: { limit: LIMITS.entriesPerDay, remaining: 12, retryAfterSeconds: 4200 },
  };
  return { error: { code, message: ERRORS[code].when, ...more[code] } };
}

/** A schema with references in place of named schemas; `root` itself is inlined. */
function described(schema: unknown, root?: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => described(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = NAMES.get(schema);
  if (name && schema !== root) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, described(value)]));
}

/** Serves the description of all routes of the app that uses it. */
export const description = () =>
  swagger({
    // The plugin's page loads scripts from another site; routes/docs.ts replaces it at this path.
    path: DOCS_PATH,
    specPath: OPENAPI_PATH,
    provider: 'swagger-ui',
    documentation: {
      // The plugin's types know OpenAPI 3.0 only; its output does not depend on them.
      ...({ openapi: '3.1.0' } as object),
      info: {
        title: 'Bookkeeping Ledger API',
        version: VERSION,
        summary: 'Write and read income and expense entries of property and self-employment.',
        description:
          'Push income and expense transactions into the books of an account from scripts, spreadsheets or other ' +
          'systems, and read back what is recorded. Nothing is submitted to a tax authority through this API.\n\n' +
          `Each key may make ${LIMITS.requestsPerMinute} requests in any minute, and each account may create ` +
          `${LIMITS.entriesPerDay} entries in any 24 hours.\n\n` +
          'Unknown query parameters are refused.\n\n' +
          'Wait for the response before you send the next request on a connection, or use several connections. HTTP ' +
          'pipelining is not supported: a request that is sent earlier closes the connection. It is not executed, and the ' +
          'request before it gets no response, but may have been executed. Repeat both on a new connection, with an ' +
          '`externalRef` for each entry or under the same `Idempotency-Key`: no entry is stored twice.\n\n' +
          'Error codes may be added within a version: clients must accept unknown codes and use the status instead.',
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      } as { title: string; version: string },
      servers: [{ url: '/', description: 'This service.' }],
      security: [{ bearer: [] }],
      tags: Object.entries(TAGS).map(([name, text]) => ({ name, description: text })),
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, created in the app under Account, API access.',
          },
        },
        headers: {
          'X-RateLimit-Remaining': {
            description: 'Requests left in the current minute.',
            schema: { type: 'integer', minimum: 0, maximum: LIMITS.requestsPerMinute },
            example: 119,
          },
          'RateLimit-Policy': {
            description: 'The limits, in the format of draft-ietf-httpapi-ratelimit-headers.',
            schema: { type: 'string' },
            example: RATE_LIMIT_POLICY,
          },
          RateLimit: {
            description:
              'What remains: `r` requests of the minute and, where known, transactions of the day; `t` is the time in ' +
              'seconds until there is room again.',
            schema: { type: 'string' },
            example: '"minute";r=119, "day";r=4812',
          },
          'Retry-After': {
            description: 'Seconds until the request can succeed.',
            schema: { type: 'integer', minimum: 1 },
            example: 17,
          },
          'WWW-Authenticate': {
            description: 'How to authenticate.',
            schema: { type: 'string' },
            example: 'Bearer',
          },
          Allow: {
            description: 'The methods that the path has.',
            schema: { type: 'string' },
            example: 'GET, HEAD',
          },
          'X-Request-Id': {
            description: "Identifies the request in the service's logs; the client's own id if it sent one.",
            schema: { type: 'string' },
            example: '019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e',
          },
        },
        schemas: Object.fromEntries(
          Object.entries(COMPONENTS).map(([name, schema]) => [name, described(schema, schema)]),
        ) as Record<string, never>,
      },
    },
  });
