/**
 * `bun gateway/docs-page/build.ts`: writes the script of the page /api/v1/docs, compressed, to gateway/docs-page/dist.
 *
 * The script is from @scalar/api-reference, by way of Scalar's plugin for Fastify, which contains it: the plugin brings 28
 * packages (30 MB), @scalar/api-reference 268 (278 MB). The container image has the result only.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

const DIST = join(import.meta.dir, 'dist');

async function scalarScript(): Promise<Buffer> {
  const app = fastify();
  await app.register(scalar, { routePrefix: '/', configuration: { content: {} } });
  const { statusCode, rawPayload } = await app.inject('/js/scalar.js');
  if (statusCode !== 200)
    throw new Error(`@scalar/fastify-api-reference: /js/scalar.js has status ${statusCode}`);
  return rawPayload;
}

/** Never leaves a file half written: another build may run, and a gateway may read. */
function write(name: string, content: Buffer) {
  const unfinished = join(DIST, `${name}.${process.pid}`);
  writeFileSync(unfinished, content);
  renameSync(unfinished, join(DIST, name));
}

const script = await scalarScript();
mkdirSync(DIST, { recursive: true });
write('scalar.js.gz', gzipSync(script, { level: 9 }));
