/**
 * Writes `gateway/api/openapi.json`, the OpenAPI description, which the gateway serves: part of `bun run generate`. It is built from the
 * validation schemas, the error codes and the descriptions beside the routes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ElysiaSwaggerConfig, swagger } from '@elysiajs/swagger';
import { type DocumentDecoration, Elysia } from 'elysia';
import { DOCUMENT } from './description/document.ts';
import { LIST_CATEGORIES } from './routes/categories.description.ts';
import { GET_ME } from './routes/me.description.ts';
import { LIST_SOURCES } from './routes/sources.description.ts';
import { CREATE_TRANSACTIONS, LIST_TRANSACTIONS } from './routes/transactions.description.ts';

const SPEC_PATH = '/openapi.json';
const handler = () => '';
// The types of Elysia and its plugin are for OpenAPI 3.0 only; the output does not depend on them.
const described = (operation: object) => ({ detail: operation as DocumentDecoration });
const documentation = DOCUMENT as NonNullable<ElysiaSwaggerConfig['documentation']>;

/** The paths of the API with their descriptions. `app.ts` has the real handlers. */
const paths = new Elysia()
  .get('/api/v1/me', handler, described(GET_ME))
  .get('/api/v1/sources', handler, described(LIST_SOURCES))
  .get('/api/v1/categories', handler, described(LIST_CATEGORIES))
  .get('/api/v1/sources/:id/transactions', handler, described(LIST_TRANSACTIONS))
  .post('/api/v1/sources/:id/transactions', handler, described(CREATE_TRANSACTIONS))
  .use(swagger({ specPath: SPEC_PATH, documentation }));

/** The description as JSON. */
export async function description(): Promise<string> {
  const response = await paths.handle(new Request(`http://localhost${SPEC_PATH}`));
  return `${JSON.stringify(await response.json(), null, 2)}\n`;
}

if (import.meta.main) writeFileSync(join(import.meta.dir, 'api/openapi.json'), await description());
