/** The types of the client library are those of the description that the service publishes. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { descriptionText, typesOf } from '../../../clients/typescript/generate.ts';
import { system } from '../../fixtures/system.ts';

const PACKAGE = join(import.meta.dir, '../../../clients/typescript');
const read = (file: string) => readFileSync(join(PACKAGE, file), 'utf8');

// Where it fails: `bun run generate:client http://localhost:3000`, against a running service.
test('openapi.json is the served description, and the types are generated from it', async () => {
  const response = await fetch(`${system.url}/api/v1/openapi.json`);
  const served = descriptionText((await response.json()) as object);
  expect(served === read('openapi.json')).toBe(true);
  expect((await typesOf(served)) === read('api.generated.ts')).toBe(true);
  expect((await typesOf(served.replaceAll('amountPence', 'amount'))) === read('api.generated.ts')).toBe(
    false,
  );
});
