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

test('an error code that is gone would be seen, and one that is added is none of these', () => {
  const copy = structuredClone(released);
  const { anyOf } = copy.components.schemas.Error.properties.error.properties.code;
  anyOf[0]?.enum?.push('x');
  expect(breaksIn(copy)).toEqual([]);
  anyOf[0]?.enum?.splice(-2);
  expect(breaksIn(copy)).not.toEqual([]);
});
