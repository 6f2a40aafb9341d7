/** A server that only reads: it has no tool that creates, and gives no token. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { startAssistant } from './assistant.ts';

setDefaultTimeout(60_000);

const ROWS = 'Date,Description,Money in\n2026-05-11,Rent,450.00\n';
const source = 'uk-property';
const account = await TestAccount.create();
const start = (args: string[] = []) => startAssistant(account.key, { args });

test('with --read-only no tool that creates is listed or can be called', async () => {
  await using writer = await start();
  await using reader = await start(['--read-only']);
  const { tools } = await reader.client.listTools();
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
  const all = (await writer.client.listTools()).tools.map(({ name }) => name);
  expect(tools.map(({ name }) => name)).toEqual(all.filter((name) => name !== 'commit_preview'));
  const read = `${JSON.stringify(tools)} ${reader.client.getInstructions()}`;
  expect(read.includes('commit_preview')).toBe(false);

  const { token } = await writer.do('preview_rows', { rows: ROWS, source });
  const shown = await reader.do('preview_rows', { rows: ROWS, source });
  expect(shown).toMatchObject({ token: null, validUntil: null, creates: { count: 1 } });
  expect(shown.advice).toStartWith('This server only reads');
  const refused = await reader.call('commit_preview', { token });
  expect([refused.isError, refused.value]).toEqual([true, expect.stringContaining('not found')]);
  expect(await rowsOf(account.accountId)).toEqual([]);

  // Without the option the token is of commit_preview.
  expect(await writer.do('commit_preview', { token })).toMatchObject({ created: 1 });
});
