/** Statements in a row: ids that a bank uses again, and closing balances. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, TestAccount } from '../../fixtures/client.ts';
import { typedRows } from '../typed-rows.ts';
import { newFolder, startAssistant } from './assistant.ts';

setDefaultTimeout(60_000);

async function user(XDG_CONFIG_HOME = newFolder()) {
  const account = await TestAccount.create();
  const assistant = await startAssistant(account.key, { env: { XDG_CONFIG_HOME } });
  return {
    account,
    preview: (rows: string, more: object = {}): Promise<Json> =>
      assistant.do('preview_rows', { rows, source: 'uk-property', ...more }),
    commit: (token: string): Promise<Json> => assistant.do('commit_preview', { token }),
    [Symbol.asyncDispose]: assistant[Symbol.asyncDispose],
  };
}

test('a reference that belongs to another entry is named with its day, and the rest is created', async () => {
  await using own = await user();
  const numbered = (...rows: string[]) =>
    [...typedRows('Date,Description,Amount,Transaction ID', rows), ''].join('\n');
  const first = await own.preview(numbered('2026-06-13,RENT,950.00,1'));
  await own.commit(first.token);
  const second = await own.preview(numbered('2026-07-13,PLUMBER,-120.00,1', '2026-07-20,ROOF,-700.00,2'));
  const result = await own.commit(second.token);
  expect([result.entries.rows.map(({ status }: Json) => status), result.isComplete]).toEqual([
    ['taken', 'created'],
    false,
  ]);
  expect(result.advice).toContain('of 2026-06-13: 950.00, RENT');
  const near = await own.preview(numbered('2026-06-14,SHOP,-7.00,1'));
  expect([near.token, near.taken.rows]).toMatchObject([null, [{ row: 2, stored: { description: 'RENT' } }]]);
});

test('the closing balance of a commit is kept: a payment that follows it is another one, which a person decides about', async () => {
  await using own = await user();
  const label = `account ${own.account.accountId}`;
  const rows = (...all: string[]) => ['Date,Description,Amount,Balance', ...all, ''].join('\n');
  const read = (text: string) => own.preview(text, { accountLabel: label });
  const { token } = await read(rows('2026-06-02,X,-1.00,1000.00', '2026-06-30,COFFEE,-3.00,997.00'));
  await own.commit(token);
  const next = await read(rows('2026-06-30,COFFEE,-3.00,994.00', '2026-07-05,AVIVA,-30.00,964.00'));
  expect([next.creates.count, next.probablyKnown.count, next.known.count]).toEqual([1, 1, 0]);
});

test('a commit whose closing balance cannot be kept says so, with the entries that it has created', async () => {
  const config = newFolder();
  await using own = await user(config);
  const { token } = await own.preview(
    'Date,Description,Amount,Balance\n2026-06-02,X,-1.00,1000.00\n2026-06-30,COFFEE,-3.00,997.00\n',
    {
      accountLabel: 'Joint',
    },
  );
  mkdirSync(join(config, 'bookkeeping-ledger', 'statements', 'default.json'), { recursive: true });
  const { created, advice } = await own.commit(token);
  expect([created, advice]).toEqual([2, expect.stringContaining('The closing balances are not kept')]);
});
