/**
 * Writes the types of the API from its description.
 *
 *   bun clients/typescript/generate.ts            from openapi.json, the description as of the last update
 *   bun clients/typescript/generate.ts URL        from a running service; updates openapi.json
 *   bun clients/typescript/generate.ts --check    writes nothing; fails when the types differ from openapi.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plugin } from 'bun';
import typescript from 'typescript-5';

// openapi-typescript calls the API of TypeScript 5, which the package `typescript` does not have.
plugin({
  name: 'typescript-5',
  setup: (build) =>
    void build.module('typescript', () => ({ exports: { default: typescript }, loader: 'object' })),
});
const { default: openapiTypescript, astToString } = await import('openapi-typescript');

const DESCRIPTION = join(import.meta.dir, 'openapi.json');
const TYPES = join(import.meta.dir, 'api.generated.ts');
const HEADER = '/** Generated from the OpenAPI description by generate.ts. Do not edit. */\n';

export const descriptionText = (document: object) => `${JSON.stringify(document, null, 2)}\n`;

export async function typesOf(description: string): Promise<string> {
  return HEADER + astToString(await openapiTypescript(JSON.parse(description)));
}

if (import.meta.main) {
  const [argument] = process.argv.slice(2);
  if (argument === '--check') {
    if ((await typesOf(readFileSync(DESCRIPTION, 'utf8'))) !== readFileSync(TYPES, 'utf8')) {
      console.error('clients/typescript/api.generated.ts is stale: run `bun run generate:client`.');
      process.exitCode = 1;
    }
  } else {
    if (argument !== undefined) {
      const response = await fetch(new URL('/api/v1/openapi.json', argument));
      if (!response.ok) throw new Error(`${response.url} has status ${response.status}`);
      writeFileSync(DESCRIPTION, descriptionText((await response.json()) as object));
    }
    writeFileSync(TYPES, await typesOf(readFileSync(DESCRIPTION, 'utf8')));
  }
}
