/** A file that leaves something open: the questions name the arguments that answer them, and kept answers apply. */

import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TestAccount } from '../../fixtures/client.ts';
import { newFolder, startAssistant } from './assistant.ts';

setDefaultTimeout(60_000);

const ROWS = 'Date,Details,Amount,Ready\n2026-10-01,Wickes,60.00,Yes\n2026-10-02,Screwfix,12.00,No\n';
const ANSWERS = { map: { spent: 'Amount' }, values: { Ready: { Yes: 'keep', No: 'skip' } } };

test('each question has its arguments, and the answers read the rows', async () => {
  const { key } = await TestAccount.create();
  await using assistant = await startAssistant(key);
  const input = { rows: ROWS, source: 'uk-property' };
  const { isError, value } = await assistant.call('preview_rows', input);
  expect(isError).toBe(true);
  expect(value).toStartWith(
    'Open questions of the file: 2. Nothing was read. Ask the person, and call again with an argument for each',
  );
  expect(value).toContain('{"values":{"Ready":{"Yes":"…","No":"…"}}} with in (money in), ');
  expect(value).toContain('{"map":{"spent":"Amount"}} (money out, ');
  const preview = await assistant.do('preview_rows', { ...input, ...ANSWERS });
  expect(preview).toMatchObject({ columnsChosenOn: null, creates: { count: 1 }, skipped: { count: 1 } });
});

test('a heading is answered by the number of its row', async () => {
  const { key } = await TestAccount.create();
  await using assistant = await startAssistant(key);
  const rows = 'Date,Details,Money out\nRepairs,,\n2026-10-01,Wickes,60.00\n';
  const input = { rows, source: 'uk-property' };
  expect((await assistant.call('preview_rows', input)).value).toContain('{"rowMeanings":{"2":"keep"}}');
  const preview = await assistant.do('preview_rows', { ...input, rowMeanings: { 2: 'keep' } });
  expect(preview.creates.count).toBe(1);
});

test('answers that the rules of the profile keep apply, and the preview has their day', async () => {
  const { key } = await TestAccount.create();
  const XDG_CONFIG_HOME = newFolder();
  const kept = join(XDG_CONFIG_HOME, 'bookkeeping-ledger', 'rules', 'default.txt');
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(
    kept,
    'columns in csv "Date,Details,Amount,Ready" from 2026-11-28: spent=Amount; Ready: Yes=keep, No=skip\n',
  );
  await using assistant = await startAssistant(key, { env: { XDG_CONFIG_HOME } });
  const preview = await assistant.do('preview_rows', { rows: ROWS, source: 'uk-property' });
  expect(preview).toMatchObject({ columnsChosenOn: '2026-11-28', creates: { count: 1 } });
});

test('several columns of amounts are one question, which one call answers', async () => {
  const { key } = await TestAccount.create();
  await using assistant = await startAssistant(key);
  const rows = 'Date,Details,Rent,Repairs\n2026-10-01,May,900.00,\n2026-10-02,Shop,,12.00\n';
  const input = { rows, source: 'uk-property' };
  const { isError, value } = await assistant.call('preview_rows', input);
  expect(isError).toBe(true);
  expect(value).not.toContain('\n2. ');
  const marks = ['Rent', 'Repairs'].map((name) => ({ columns: [name], direction: '…' }));
  expect(value).toContain(`One call for all columns: ${JSON.stringify({ amounts: marks })}, `);
  expect(value).toContain('{"map":{"check":"COLUMN"}} (money in: the sum of the other amounts of the row)');
  const open = await assistant.call('preview_rows', { ...input, amounts: marks });
  expect(open.isError).toBe(true);
  const amounts = marks.map((each, index) => ({ ...each, direction: index === 0 ? 'in' : 'out' }));
  const preview = await assistant.do('preview_rows', { ...input, amounts });
  expect(preview.creates).toMatchObject({
    count: 2,
    income: { amountPence: 90_000 },
    expense: { amountPence: 1_200 },
  });
});
