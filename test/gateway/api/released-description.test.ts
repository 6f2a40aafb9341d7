/** The description of today, beside the one that was released: nothing that a client relies on is taken away. */
import { describe, expect, test } from 'bun:test';
import { compareOpenApi } from 'api-smart-diff';
import released from '../../../clients/typescript/openapi-1.0.0.json';
import { send } from '../../fixtures/client.ts';

type Description = typeof released;

const TRANSACTIONS = '/api/v1/sources/{id}/transactions';

const PARAMETER = { name: 'x', in: 'query', schema: { type: 'string' } };

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

function changed(change: (copy: Description) => void): Description {
  const copy = structuredClone(released);
  change(copy);
  return copy;
}

test('nothing of the released description is removed, renamed or narrowed', async () => {
  const { body } = await send('/api/v1/openapi.json');
  expect(breaksIn(body)).toEqual([]);
});

describe('a client is broken by', () => {
  test.each<[string, (copy: Description) => unknown]>([
    ['an endpoint that is gone', ({ paths }) => Reflect.deleteProperty(paths, '/api/v1/me')],
    ['a method that is gone', ({ paths }) => Reflect.deleteProperty(paths[TRANSACTIONS], 'post')],
    [
      'a status that is gone',
      ({ paths }) => Reflect.deleteProperty(paths[TRANSACTIONS].post.responses, '200'),
    ],
    ['a parameter that is gone', ({ paths }) => paths[TRANSACTIONS].get.parameters.pop()],
    [
      'a parameter that is required',
      ({ paths }) =>
        Object.assign(paths[TRANSACTIONS].get.parameters, { 5: { ...PARAMETER, required: true } }),
    ],
    [
      'a member of a response that is gone',
      ({ components }) => Reflect.deleteProperty(components.schemas.TransactionList.properties, 'nextCursor'),
    ],
    [
      'a member of a response that may be absent',
      ({ components }) => components.schemas.TransactionList.required.pop(),
    ],
    [
      'a field of a request that is required',
      ({ components }) => components.schemas.TransactionInput.required.push('externalRef'),
    ],
    [
      'a lower bound for amounts',
      ({ components }) =>
        Object.assign(components.schemas.TransactionInput.properties.amountPence, { maximum: 100 }),
    ],
    [
      'an error code that is gone',
      ({ components }) => components.schemas.Error.properties.error.properties.code.anyOf[0]?.enum?.pop(),
    ],
    [
      'another type',
      ({ components }) =>
        Object.assign(components.schemas.Transaction.properties.amountPence, { type: 'string' }),
    ],
  ])('%s', (_, change) => {
    expect(breaksIn(changed(change))).not.toEqual([]);
  });
});

describe('a client is not broken by', () => {
  test.each<[string, (copy: Description) => unknown]>([
    ['an endpoint', ({ paths }) => Object.assign(paths, { '/api/v1/x': paths['/api/v1/me'] })],
    [
      'an optional parameter',
      ({ paths }) =>
        Object.assign(paths[TRANSACTIONS].get.parameters, {
          5: { name: 'x', in: 'query', schema: { type: 'string' } },
        }),
    ],
    [
      'an optional field of a request',
      ({ components }) =>
        Object.assign(components.schemas.TransactionInput.properties, { x: { type: 'string' } }),
    ],
    [
      'a member of a response',
      ({ components }) => Object.assign(components.schemas.Account.properties, { x: { type: 'string' } }),
    ],
    ['other texts', ({ info }) => Object.assign(info, { description: 'x' })],
    [
      'an error code',
      ({ components }) => components.schemas.Error.properties.error.properties.code.anyOf[0]?.enum?.push('x'),
    ],
  ])('%s', (_, change) => {
    expect(breaksIn(changed(change))).toEqual([]);
  });
});
