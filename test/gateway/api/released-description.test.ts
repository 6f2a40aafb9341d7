/** The description of today, beside the one that was released: nothing that a client relies on is taken away. */
import { expect, test } from 'bun:test';
import { compareOpenApi } from 'api-smart-diff';
import released from '../../../clients/typescript/openapi-1.0.0.json';
import { send } from '../../fixtures/client.ts';

/** The changes that break a client, by their places in the description. */
function breaksIn(description: object): string[] {
  const { diffs } = compareOpenApi(released, description);
  return (
    diffs
      .filter(({ type }) => type === 'breaking')
      // A client must accept values that it does not know: docs/api/versions.md.
      .filter(({ action, path }) => !(action === 'add' && path.at(-2) === 'enum'))
      .map(({ action, path }) => `${action} ${path.join(' ')}`)
  );
}

test('nothing of the released description is removed, renamed or narrowed', async () => {
  const { body } = await send('/api/v1/openapi.json');
  expect(breaksIn(body)).toEqual([]);
});

test.each([
  ['gone would be seen', (codes: string[]) => codes.pop(), true],
  ['added breaks no client', (codes: string[]) => codes.push('x'), false],
])('an error code that is %s', (_, change, breaks) => {
  const copy = structuredClone(released);
  change(copy.components.schemas.Error.properties.error.properties.code.anyOf[0]?.enum ?? []);
  expect(breaksIn(copy).length > 0).toBe(breaks);
});
