/** How long a token is valid. */
import { expect, test } from 'bun:test';
import { type Preview, Previews } from '../../../clients/mcp/previews.ts';

const preview = (identity: string, accountId = 'account') =>
  ({ accountId, creates: [{ identity }] }) as unknown as Preview;

test('a token is valid for 30 minutes, and again after the same preview', () => {
  let now = 0;
  const previews = new Previews(() => now);
  const { token, until } = previews.add(preview('one'));
  expect(until).toEqual(new Date(30 * 60_000));
  now = 30 * 60_000 - 1;
  expect(previews.get(token).creates).toHaveLength(1);
  now++;
  expect(() => previews.get(token)).toThrow('nothing was created');
  expect(previews.add(preview('one')).token).toBe(token);
  expect(previews.get(token).creates).toHaveLength(1);
});

test('only the last 20 previews are kept', () => {
  const previews = new Previews(() => 0);
  const tokens = Array.from({ length: 21 }, (_, n) => previews.add(preview(String(n))).token);
  expect(() => previews.get(tokens[0] ?? '')).toThrow();
  for (const token of tokens.slice(1)) expect(previews.get(token).creates).toHaveLength(1);
});

test('a token names the account and each entry', () => {
  const previews = new Previews(() => 0);
  const tokens = [preview('one'), preview('two'), preview('one', 'other')].map(
    (each) => previews.add(each).token,
  );
  expect(new Set(tokens).size).toBe(3);
});
