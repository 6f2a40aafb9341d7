/** The OpenAPI 3.1 description, built from the validation schemas, the error codes and the guides of docs/api. */
import { type ElysiaSwaggerConfig, swagger } from '@elysiajs/swagger';
import { type AnyElysia, Elysia } from 'elysia';
import categories from '../../docs/api/categories.md' with { type: 'text' };
import entries from '../../docs/api/entries.md' with { type: 'text' };
import errorCodes from '../../docs/api/error-codes.md' with { type: 'text' };
import errors from '../../docs/api/errors.md' with { type: 'text' };
import idempotencyKeys from '../../docs/api/idempotency-keys.md' with { type: 'text' };
import libraries from '../../docs/api/libraries.md' with { type: 'text' };
import limits from '../../docs/api/limits.md' with { type: 'text' };
import paging from '../../docs/api/paging.md' with { type: 'text' };
import quickStart from '../../docs/api/quick-start.md' with { type: 'text' };
import references from '../../docs/api/references.md' with { type: 'text' };
import requests from '../../docs/api/requests.md' with { type: 'text' };
import versions from '../../docs/api/versions.md' with { type: 'text' };
import { LIMITS, VERSION } from '../../proto/domain.ts';
import { SCHEMAS, TAGS } from './operation.ts';
import { RATE_LIMIT_POLICY } from './rate-limit-headers.ts';

export const OPENAPI_PATH = '/api/v1/openapi.json';
export const DOCS_PATH = '/api/v1/docs';

/** The guides, in the order of the page. */
const GUIDES: Record<string, string> = {
  'quick-start.md': quickStart,
  'requests.md': requests,
  'entries.md': entries,
  'references.md': references,
  'idempotency-keys.md': idempotencyKeys,
  'limits.md': limits,
  'errors.md': errors,
  'error-codes.md': errorCodes,
  'categories.md': categories,
  'paging.md': paging,
  'versions.md': versions,
  'libraries.md': libraries,
};

/** The anchor of a heading, as GitHub and Scalar form it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/ /g, '-');

/** The anchor of the title of a guide. */
function titleAnchor(file: string): string {
  const [, title] = /^# (.+)$/m.exec(GUIDES[file] ?? '') ?? [];
  if (title === undefined) throw new Error(`docs/api/${file} is not one of the guides`);
  return anchorOf(title);
}

// Scalar's address of a heading of the description: GitHub's, with `-` in place of `_`.
const withPageLinks = (text: string) =>
  text.replace(
    /\]\(([\w-]+\.md)?(?:#([\w-]+))?\)/g,
    (_, file: string | undefined, anchor: string | undefined) =>
      `](#description/${(anchor ?? titleAnchor(file ?? '')).replaceAll('_', '-')})`,
  );

export const guides = Object.values(GUIDES).map(withPageLinks).join('\n');

const DOCUMENTATION: NonNullable<ElysiaSwaggerConfig['documentation']> = {
  // The plugin's types are for OpenAPI 3.0 only; its output does not depend on them.
  ...({ openapi: '3.1.0' } as object),
  info: {
    title: 'Bookkeeping Ledger API',
    version: VERSION,
    summary: 'Write and read income and expense entries of property and self-employment.',
    description: guides,
    // The licence of this description and its samples. The service itself has no public licence.
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
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
    schemas: SCHEMAS as Record<string, never>,
  },
};

/** Returns a function that returns the description of `routes` as JSON. */
export function descriptionOf(routes: AnyElysia): () => Promise<string> {
  const app = new Elysia().use(routes).use(swagger({ specPath: OPENAPI_PATH, documentation: DOCUMENTATION }));
  return async () => (await app.handle(new Request(`http://localhost${OPENAPI_PATH}`))).text();
}
