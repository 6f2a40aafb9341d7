/** 20,000 rows: the daily cap stops the command, later runs go on, and memory stays bounded. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { forgetDay } from '../../fixtures/day.ts';
import { sql } from '../../fixtures/system.ts';
import { runLedger, writeFile } from './command.ts';

setDefaultTimeout(300_000);

const ROWS = 20_000;

test('20,000 rows are stored over four days of the cap, in four runs of the same command', async () => {
  const account = await TestAccount.create();
  const lines = Array.from(
    { length: ROWS },
    (_, n) => `2026-06-${String((n % 28) + 1).padStart(2, '0')},Row ${n},1.00`,
  );
  const file = writeFile('large.csv', ['Date,Description,Amount', ...lines].join('\n'));
  const args = ['push', file, '-s', 'uk-property', '--yes', '--no-wait', '--json'];
  const exitCodes: number[] = [];
  for (let day = 0; day < 4; day++) {
    const { exitCode, json } = await runLedger(args, { env: { LEDGER_API_KEY: account.key } });
    exitCodes.push(exitCode);
    expect(json()).toMatchObject({
      created: 5_000,
      deduplicated: day * 5_000,
      remaining: ROWS - (day + 1) * 5_000,
    });
    await sql`update ledger.write_log set written_at = written_at - interval '25 hours'
               where account_id = ${account.accountId}`;
    await forgetDay(account.accountId);
  }
  expect(exitCodes).toEqual([4, 4, 4, 0]);
  expect(await rowsOf(account.accountId)).toHaveLength(ROWS);
});
