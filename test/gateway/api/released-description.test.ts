/** The description of today, beside the one that was released: nothing that a client relies on is taken away. */
import { expect, test } from 'bun:test';
import { compareOpenApi } from 'api-smart-diff';
import released from '../../../clients/typescript/openapi-1.0.0.json';
import { send } from '../../fixtures/client.ts';

type Description = typeof released;

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

const codesOf = ({ components }: Description) =>
  components.schemas.Error.properties.error.properties.code.anyOf[0]?.enum;

test('nothing of the released description is removed, renamed or narrowed', async () => {
  const { body } = await send('/api/v1/openapi.json');
  expect(breaksIn(body)).toEqual([]);
});

test.each<[what: string, change: (copy: Description) => unknown, breaks: boolean]>([
  ['an endpoint that is gone', ({ paths }) => Reflect.deleteProperty(paths, '/api/v1/me'), true],
  [
    'a field of a request that is required',
    ({ components }) => components.schemas.TransactionInput.required.push('externalRef'),
    true,
  ],
  ['an error code that is gone', (copy) => codesOf(copy)?.pop(), true],
  ['an error code that is added', (copy) => codesOf(copy)?.push('x'), false],
])('%s would be seen if it broke a client', (_, change, breaks) => {
  const copy = structuredClone(released);
  change(copy);
  expect(breaksIn(copy).length > 0).toBe(breaks);
});
