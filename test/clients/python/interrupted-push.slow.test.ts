/** A push of the Python package goes on while a gateway of the real system is killed twice, and stores each entry once. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { interruptedGateway } from '../interrupted-gateway.ts';
import { requireProgram } from '../programs.ts';
import { CLIENTS } from './clients.ts';
import { ENV } from './interpreter.ts';
import { nameless, push } from './rules.ts';

setDefaultTimeout(60_000);

const ROWS = 1_200;

test('1,200 entries with references, by the example of the package, are 1,200 rows', async () => {
  await requireProgram('python3');
  const account = await TestAccount.create();
  await using gateway = await interruptedGateway();
  const own = { LEDGER_API_KEY: account.key, SOURCE: account.sources['uk-property'] };
  const example = join(import.meta.dir, '../../../clients/python/examples/many_entries.py');
  const env = { ...ENV, ...own, LEDGER_URL: gateway.url };
  const child = Bun.spawn(['python3', example], { env, stdout: 'pipe', stderr: 'pipe' });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect([await child.exited, err]).toEqual([0, '']);
  expect(out).toMatch(/^\d+ created, \d+ already in the books\n$/);
  expect(gateway.kills()).toBe(2);
  expect(await rowsOf(account.accountId)).toHaveLength(ROWS);
});

test('1,200 entries without references, by the keys of their requests, are 1,200 rows', async () => {
  const account = await TestAccount.create();
  await using gateway = await interruptedGateway();
  const settings = { url: gateway.url, apiKey: account.key, retryTimeoutMs: 30_000, wait: false };
  const source = account.sources['uk-property'];
  const report = await CLIENTS.Python?.(push(nameless(ROWS)), { ...settings, source });
  expect(report?.push?.created).toBe(ROWS);
  expect(gateway.kills()).toBe(2);
  const rows = await rowsOf(account.accountId);
  expect(new Set(rows.map(({ amountPence }) => amountPence)).size).toBe(ROWS);
  expect(rows).toHaveLength(ROWS);
});
