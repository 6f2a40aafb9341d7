/** The types of the client library are those of the description that the service publishes. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { descriptionText, filesOf } from '../../../clients/typescript/generate.ts';
import { system } from '../../fixtures/system.ts';

const DESCRIPTION = join(import.meta.dir, '../../../clients/typescript/openapi.json');

// Where it fails: `bun run generate:client http://localhost:3000`, against a running service.
test('openapi.json is the served description, and types and schemas of both libraries are generated from it', async () => {
  const response = await fetch(`${system.url}/api/v1/openapi.json`);
  const served = descriptionText((await response.json()) as object);
  expect(served === readFileSync(DESCRIPTION, 'utf8')).toBe(true);
  const stale = async (description: string) =>
    Object.entries(await filesOf(description)).flatMap(([file, text]) =>
      text === readFileSync(file, 'utf8') ? [] : basename(file),
    );
  expect(await stale(served)).toEqual([]);
  const others = ['api.generated.ts', 'responses.generated.ts', 'responses_generated.py'];
  expect(await stale(served.replaceAll('amountPence', 'amount'))).toEqual(others);
});
