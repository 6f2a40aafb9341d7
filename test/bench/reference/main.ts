/**
 * The reference: what people build instead of the two processes of this service. One process, Fastify and
 * node-postgres on the same tables, the logic in the application, one transaction per write.
 *
 * It does what the service does but for these, and the lack of each makes it lighter:
 * - no minute limit, so no Redis and no `X-RateLimit-Remaining`;
 * - no Idempotency-Key, and no `conflicts` in the answer to a known reference;
 * - `daily_cap` does not say when the request will fit;
 * - a key is neither checked by its checksum nor before the body, which is validated first;
 * - amounts written as `450.00` and members given twice are what JSON.parse makes of them; issues come in Ajv's words;
 * - a cursor does not name its source and filters;
 * - no GET /categories, no OpenAPI description, no metrics, no request log, no deadlines, no retries.
 */
import { createApp } from './app.ts';
import { openPool } from './pool.ts';

const { DATABASE_URL, HOST = '127.0.0.1', PORT = '0', POOL_MAX = '10' } = process.env;
if (!DATABASE_URL) throw new Error('DATABASE_URL must name the database.');

const pool = openPool(DATABASE_URL, Number(POOL_MAX));
const app = createApp(pool);
const url = await app.listen({ host: HOST, port: Number(PORT) });
console.log(JSON.stringify({ msg: 'listening', url }));

process.once('SIGTERM', async () => {
  await app.close();
  await pool.end();
  process.exit(0);
});
