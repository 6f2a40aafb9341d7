/** Sheets for the tests of the Google Sheets recipe, and a run of its script. */
import { expect } from 'bun:test';
import { join } from 'node:path';
import type { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import type { Cell, Run, RunResult } from './apps-script.ts';

/** A row of the sheet above. */
export const row = (
  date: Cell,
  description: Cell,
  amount: Cell,
  { type = '', category = '', reference = '' } = {},
) => [date, description, type, amount, category, reference];
export const day = (date: string) => ({ date });

export async function runSheet(
  account: TestAccount,
  options: Omit<Run, 'call'> & { call?: string },
): Promise<RunResult> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'apps-script.ts')], {
    stdin: Buffer.from(
      JSON.stringify({
        call: 'pushSelectedRows',
        selection: [[1, options.cells.length]],
        address: system.url,
        userProperties: { LEDGER_URL: 'https://ledger.example', LEDGER_API_KEY: account.key },
        documentProperties: { 'source of sheet 0': account.sources['uk-property'] },
        ...options,
      }),
    ),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect([await child.exited, err]).toEqual([0, '']);
  return JSON.parse(out);
}

export const column = ({ cells }: RunResult, name: string) => {
  const [header = [], ...rows] = cells;
  return rows.map((each) => each[header.indexOf(name)] ?? '');
};
/** Dates as the next run reads them. */
export const again = ({ cells }: RunResult): Cell[][] =>
  cells.map((cellsOfRow, index) =>
    cellsOfRow.map((cell, at) => (index > 0 && at === 0 && cell !== '' ? day(String(cell)) : cell)),
  );
