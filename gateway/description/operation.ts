/** The description of one operation: parameters, body, responses, errors; and the schemas that it refers to. */
import type { TObject, TSchema } from 'typebox';
import { LIMITS } from '../../proto/domain.ts';
import { ERRORS, type ErrorCode, UNAVAILABLE_STATUS } from '../api/errors.ts';
import * as inputs from '../api/schemas.ts';
import { ERROR_TEXTS } from './error-texts.ts';
import * as responses from './response-schemas.ts';
import { codeSamples, type Sample } from './samples.ts';

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

/** A key that is refused has no limits to report. A wrong method is refused before the key is read, and a service that fails may be. */
const NOT_COUNTED = [401, 403, 405, 500, UNAVAILABLE_STATUS];

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
  sample: Sample;
}

export const TAGS = {
  Account: 'The account of an API key.',
  Sources: 'Properties and businesses, set up in the app and read-only here.',
  Categories: 'The category keys that transactions accept.',
  Transactions: 'The ledger: income and expense entries.',
};

/** An operation of the description. */
export function operation({
  tag,
  path,
  query,
  headers,
  body,
  responses,
  errors,
  sample,
  ...rest
}: Operation) {
  return {
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
    'x-codeSamples': codeSamples(sample),
  };
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
          description: here.map((code) => `\`${code}\`: ${ERROR_TEXTS[code].when}`).join('\n\n'),
          headers: {
            'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
            ...(status === 401 && {
              'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' },
            }),
            ...(!NOT_COUNTED.includes(status) && RATE_LIMIT_HEADERS),
            ...(status === 405 && { Allow: { $ref: '#/components/headers/Allow' } }),
            ...([429, UNAVAILABLE_STATUS].includes(status) && {
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
  return code === 'server_error' ? [ERRORS[code], UNAVAILABLE_STATUS] : [ERRORS[code]];
}

function errorExample(code: ErrorCode) {
  const more: Partial<Record<ErrorCode, object>> = {
    invalid_query: {
      issues: [{ path: '/form', message: 'is not one of the accepted parameters; did you mean from?' }],
    },
    invalid_transaction: { issues: [{ path: '/3/amountPence', message: 'is required' }] },
    invalid_category: {
      validCategories: ['periodAmount', 'otherIncome'],
      issues: [{ path: '/0/category', message: 'did you mean periodAmount (rent received)?' }],
    },
    daily_cap: { limit: LIMITS.entriesPerDay, remaining: 12, index: 12, retryAfterSeconds: 4200 },
  };
  return { error: { code, message: ERROR_TEXTS[code].when, ...more[code] } };
}

/** Schemas that the description names and refers to; others are inlined. */
const COMPONENTS: Record<string, TSchema> = {
  Account: responses.Account,
  Source: responses.Source,
  SourceList: responses.SourceList,
  Category: responses.Category,
  CategorySet: responses.CategorySet,
  CategorySets: responses.CategorySets,
  Categories: responses.Categories,
  Transaction: responses.Transaction,
  TransactionInput: inputs.TransactionInput,
  TransactionInputs: inputs.TransactionInputs,
  CreateRequest: responses.CreateRequest,
  TransactionList: responses.TransactionList,
  EntryReference: responses.EntryReference,
  Conflict: responses.Conflict,
  CreateResult: responses.CreateResult,
  Issue: responses.Issue,
  Error: responses.ErrorBody,
};
const NAMES = new Map(Object.entries(COMPONENTS).map(([name, schema]) => [schema as unknown, name]));

/** A schema with references in place of named schemas; `root` itself is inlined. */
function described(schema: unknown, root?: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => described(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = NAMES.get(schema);
  if (name && schema !== root) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, described(value)]));
}

/** The named schemas. */
export const SCHEMAS = Object.fromEntries(
  Object.entries(COMPONENTS).map(([name, schema]) => [name, described(schema, schema)]),
);
