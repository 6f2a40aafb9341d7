/** The limits, the errors and the menu of the Google Sheets recipe. */
import { beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { batch, rowsOf } from '../../fixtures/books.ts';
import { send, TestAccount } from '../../fixtures/client.ts';
import { RATE_LIMITED, startProxy } from '../proxy.ts';
import type { Cell } from './apps-script.ts';
import { HEADER } from './columns.ts';
import { column, row, runSheet } from './google-sheets.ts';

setDefaultTimeout(60_000);

const NEWER = /\d_\d|\|\|=|&&=|\?\?=|\.replaceAll\(|\.at\(|^\s*#|static \{/m;

let account: TestAccount;
beforeEach(async () => {
  account = await TestAccount.create();
});
const run = (options: Parameters<typeof runSheet>[1]) => runSheet(account, options);
const books = () => rowsOf(account.accountId);

describe('limits and keys', () => {
  test('waits as long as Retry-After says', async () => {
    const limited = { ...RATE_LIMITED, headers: { 'Retry-After': '37' } };
    await using proxy = await startProxy((_, n) => (n === 1 ? limited : 'pass'));
    const result = await run({ cells: [HEADER, row('2026-04-06', '', 1)], address: proxy.url });
    expect([result.sleepsMs, (await books()).length]).toEqual([[37_000], 1]);
  });

  test('at the cap of the day it stores what fits, known rows included', async () => {
    for (let n = 0; n < 10; n++) await account.post(batch(`day-${n}`, n === 9 ? 498 : 500));
    const cells = [
      HEADER,
      row('2026-04-06', 'known', 1, { reference: 'day-0-0' }),
      ...Array.from({ length: 5 }, (_, n) => row('2026-04-06', `new ${n}`, n + 1)),
    ];
    const result = await run({ cells });
    expect(result.alerts[0]).toMatch(
      /^2 created, 0 already in the books, 1 in conflict.*3 rows were not sent: /s,
    );
    expect(column(result, 'Ledger status').slice(3)).toEqual(Array(3).fill('Not confirmed: push again'));
    expect(await books()).toHaveLength(5_000);
  });

  test.each([
    [
      'a revoked key',
      { userProperties: { LEDGER_URL: 'https://ledger.example', LEDGER_API_KEY: 'ledger_live_no' } },
      /key/,
    ],
    ['no key', { userProperties: {} }, /Set address and key first/],
    ['no source', { documentProperties: {} }, /Choose the source/],
    ['another push', { isLocked: true }, /Another push is running/],
    [
      'no such column',
      {
        cells: [
          ['When', 'Amount'],
          ['2026-04-06', 1],
        ] as Cell[][],
      },
      /Row 1 must name a column Date/,
    ],
    ['another server', { address: 'http://127.0.0.1:1' }, /cannot be reached/],
  ])('%s is one sentence', async (_, options, message) => {
    const result = await run({ cells: [HEADER, row('2026-04-06', '', 1)], ...options });
    expect(result.alerts).toHaveLength(1);
    expect(result.alerts[0]).toMatch(message);
    expect(await books()).toEqual([]);
  });
});

describe('the menu', () => {
  const cells = [HEADER];

  test('names functions that exist', async () => {
    const { menu } = await run({ call: 'onOpen', cells });
    expect(menu.map((item) => item.split(': ')[1])).toEqual([
      'pushSelectedRows',
      'chooseSource',
      'setConnection',
      'forgetConnection',
    ]);
  });

  test('keeps a key that works, in the properties of the user only', async () => {
    const nothing = { cells, userProperties: {}, documentProperties: {} };
    const answers = ['https://ledger.example/api/v1/', account.key];
    const result = await run({ ...nothing, call: 'setConnection', answers });
    expect(result.userProperties).toEqual({
      LEDGER_URL: 'https://ledger.example',
      LEDGER_API_KEY: account.key,
    });
    expect([result.documentProperties, result.cells]).toEqual([{}, cells]);
    for (const wrong of [
      ['http://ledger.example'],
      ['https://ledger.example', 'ledger_live_wrong'],
      [null],
    ]) {
      const refused = await run({ ...nothing, call: 'setConnection', answers: wrong });
      expect(refused.userProperties).toEqual({});
    }
    const forgotten = await run({ call: 'forgetConnection', cells });
    expect(forgotten.userProperties.LEDGER_API_KEY).toBeUndefined();
  });

  test('sets the source of a sheet', async () => {
    const { body } = await send('/api/v1/sources', { headers: { authorization: `Bearer ${account.key}` } });
    const result = await run({ call: 'chooseSource', cells, documentProperties: {}, answers: ['2'] });
    expect(result.documentProperties).toEqual({ 'source of sheet 0': body.sources[1].id });
    const wrong = await run({ call: 'chooseSource', cells, documentProperties: {}, answers: ['9'] });
    expect([wrong.documentProperties, wrong.alerts.at(-1)]).toEqual([
      {},
      'There is no source with the number 9.',
    ]);
  });
});

test('uses no syntax that is newer than 2020: the engine of Apps Script has no fixed version', () => {
  const code = readFileSync(join(import.meta.dir, '../../../clients/recipes/google-sheets/Code.js'), 'utf8');
  expect('1_000 x ||= y').toMatch(NEWER);
  expect(code).not.toMatch(NEWER);
});
