/** The OpenAPI 3.1 description, built from the validation schemas and the error codes. */
import { type ElysiaSwaggerConfig, swagger } from '@elysiajs/swagger';
import { type AnyElysia, Elysia } from 'elysia';
import { LIMITS, VERSION } from '../../proto/domain.ts';
import { SCHEMAS, TAGS } from './operation.ts';
import { RATE_LIMIT_POLICY } from './rate-limit-headers.ts';

export const OPENAPI_PATH = '/api/v1/openapi.json';

export const TITLE = 'Bookkeeping Ledger API';
export const SUMMARY = 'Write and read income and expense entries of property and self-employment.';

// Generators copy this into the header of each file. The page shows the guides in its place.
export const DESCRIPTION =
  'Clients write entries into the books of an account, and read them back. Nothing is submitted to a tax authority. ' +
  'Guides are at `/api/v1/docs`, and in Markdown at `/llms.txt`. This description, the guides and the samples are ' +
  'under the Apache License 2.0.';

const DOCUMENTATION: NonNullable<ElysiaSwaggerConfig['documentation']> = {
  // The plugin's types are for OpenAPI 3.0 only; its output does not depend on them.
  ...({ openapi: '3.1.0' } as object),
  info: {
    title: TITLE,
    version: VERSION,
    summary: SUMMARY,
    description: DESCRIPTION,
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
        schema: { type: 'integer', format: 'int32', minimum: 0, maximum: LIMITS.requestsPerMinute },
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
        schema: { type: 'integer', format: 'int32', minimum: 1 },
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
