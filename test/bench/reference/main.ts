/**
 * The reference: a conventional implementation. One process with Fastify and node-postgres on the same tables, the logic in
 * the application, one transaction per write.
 *
 * It implements the same API except for the following, each of which makes it faster:
 * - no rate limit, so no Redis and no `X-RateLimit-Remaining`;
 * - no Idempotency-Key, and no `conflicts` in the response to a known reference;
 * - `daily_cap` does not contain the time when the request will fit;
 * - no checksum of a key, and the key is checked after the body;
 * - amounts such as `450.00` and repeated members are read as by JSON.parse; issues have Ajv's messages;
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
