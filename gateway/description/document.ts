/** The OpenAPI 3.1 description without its paths. */
import { LIMITS, VERSION } from '../../proto/domain.ts';
import { RATE_LIMIT_POLICY } from '../api/rate-limit-headers.ts';
import { SCHEMAS, TAGS } from './operation.ts';

// Generators copy this into the header of each file. The page shows the guides in its place.
const DESCRIPTION =
  'Clients write entries into the books of an account, and read them back. Nothing is submitted to a tax authority. ' +
  'Guides are at `/api/v1/docs`, and in Markdown at `/llms.txt`. This description, the guides and the samples are ' +
  'under the Apache License 2.0.';

export const DOCUMENT = {
  openapi: '3.1.0',
  info: {
    title: 'Bookkeeping Ledger API',
    description: DESCRIPTION,
    version: VERSION,
    summary: 'Write and read income and expense entries of property and self-employment.',
    // The licence of this description and its samples. The service itself has no public licence.
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
  },
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
        description: 'Requests that the limit of 60 seconds still admits now.',
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
    schemas: SCHEMAS,
  },
};
