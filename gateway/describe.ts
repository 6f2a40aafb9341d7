/**
 * Writes `gateway/api/openapi.json`, the OpenAPI description, which the gateway serves: part of `bun run generate`. It is built from the
 * validation schemas, the error codes and the descriptions beside the routes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT } from './description/document.ts';
import { LIST_CATEGORIES } from './routes/categories.description.ts';
import { GET_ME } from './routes/me.description.ts';
import { LIST_SOURCES } from './routes/sources.description.ts';
import { CREATE_TRANSACTIONS, LIST_TRANSACTIONS } from './routes/transactions.description.ts';

const PATHS = {
  '/api/v1/me': { get: GET_ME },
  '/api/v1/sources': { get: LIST_SOURCES },
  '/api/v1/categories': { get: LIST_CATEGORIES },
  '/api/v1/sources/{id}/transactions': { get: LIST_TRANSACTIONS, post: CREATE_TRANSACTIONS },
};

/** The description as JSON. */
export const description = JSON.stringify({ ...DOCUMENT, paths: PATHS }, null, 2);

if (import.meta.main) writeFileSync(join(import.meta.dir, 'api/openapi.json'), `${description}\n`);
