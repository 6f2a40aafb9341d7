/** How long a token is valid. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { type Preview, Previews } from '../../../clients/mcp/previews.ts';

setDefaultTimeout(60_000);

const MINUTE = 60_000;
const preview = (externalRef: string, accountId = 'account') => {
  const entry = { matchStatus: 'new', source: { id: 'source' }, toSend: { externalRef } };
  return { accountId, compared: { entries: [entry] } } as unknown as Preview;
};

test('a token is valid for 30 minutes after its preview was shown last', () => {
  let now = 0;
  const previews = new Previews(() => now);
  const { token, until } = previews.add(preview('one'));
  expect(until).toEqual(new Date(30 * MINUTE));
  now = 29 * MINUTE;
  expect(previews.add(preview('one'))).toMatchObject({ token, until: new Date(59 * MINUTE) });
  now = 59 * MINUTE - 1;
  expect(previews.get(token).compared.entries).toHaveLength(1);
  now++;
  expect(() => previews.get(token)).toThrow('nothing was created');
  expect(previews.add(preview('one')).token).toBe(token);
});

test('only the last 20 previews are kept; one that is shown again is the last', () => {
  const previews = new Previews(() => 0);
  const add = (n: number) => previews.add(preview(String(n))).token;
  const [first = '', second = '', ...others] = Array.from({ length: 20 }, (_, n) => add(n));
  expect(add(0)).toBe(first);
  const last = add(20);
  expect(() => previews.get(second)).toThrow();
  for (const token of [first, ...others, last]) expect(previews.get(token).compared.entries).toHaveLength(1);
});

test('a token names the account and each entry', () => {
  const previews = new Previews(() => 0);
  const different = [preview('one'), preview('two'), preview('one', 'other')];
  expect(new Set(different.map((each) => previews.add(each).token)).size).toBe(3);
});
