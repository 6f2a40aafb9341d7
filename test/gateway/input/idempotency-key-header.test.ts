/** What an Idempotency-Key may be: a string in quotes, or a bare one. */
import { expect, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { expectError } from '../../fixtures/expect-error.ts';

const post = (account: TestAccount, key: string) =>
  account.post(entry(), { headers: { 'idempotency-key': key } });

test.each([
  'a',
  'x'.repeat(255),
  '8e03978e-40d5-43e8-bc93-6894a57f9324',
  '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
  '"with spaces, a comma and \\"quotes\\" and \\\\"',
  "!#$%&'()*+-./:;<=>?@[]^_`{|}~",
])('%s can be a key', async (key) => {
  const own = await TestAccount.create();
  const first = await post(own, key);
  expect(first.status).toBe(201);
  const again = await post(own, key);
  expect([again.status, again.body]).toEqual([201, first.body]);
});

test.each([
  ['empty', ''],
  ['of quotes alone', '""'],
  ['too long', 'x'.repeat(256)],
  ['two in one', 'a, b'],
  ['of two words', 'a b'],
  ['with an open quote', '"a'],
  ['not ASCII', 'clé'],
])('a key that is %s is 400 invalid_idempotency_key', async (_, key) => {
  const own = await TestAccount.create();
  expectError(await post(own, key), 'invalid_idempotency_key', { status: 400 });
  expect(await rowsOf(own.accountId)).toEqual([]);
});
