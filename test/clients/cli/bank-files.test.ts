/** Every fixture, pushed by the real command to the real service, is stored to the penny, and once. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImportOptions, readStatement } from '../../../clients/typescript/import/index.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { runLedger } from './command.ts';

setDefaultTimeout(60_000);

const FOLDER = join(import.meta.dir, '../files');

/** What a file does not say by itself. */
const OPTIONS: Record<string, { args: string[]; options: ImportOptions }> = {
  'amex.csv': { args: ['--bank', 'amex'], options: { bank: 'amex' } },
  'hsbc-no-header.csv': { args: ['--bank', 'hsbc'], options: { bank: 'hsbc' } },
  'spreadsheet.csv': { args: ['--decimal', ','], options: { decimal: ',' } },
  'landlord.xlsx': { args: ['--date-format', 'dmy'], options: { dateFormat: 'dmy' } },
};

test.each(readdirSync(FOLDER))('%s', async (name) => {
  const { args, options } = OPTIONS[name] ?? { args: [], options: {} };
  const file = join(FOLDER, name);
  const expected = await readStatement(readFileSync(file), { fileName: name, ...options });
  const account = await TestAccount.create();
  const push = async () =>
    runLedger(['push', file, '-s', 'uk-property', '--yes', '--skip-invalid', '--json', ...args], {
      env: { LEDGER_API_KEY: account.key },
    });
  const first = await push();
  expect([first.exitCode, first.json().error]).toEqual([0, undefined]);
  expect(first.json()).toMatchObject({ bank: expected.bank, rows: expected.rows });
  expect(first.json().created).toBeGreaterThan(0);
  expect((await push()).json()).toMatchObject({ created: 0, deduplicated: first.json().created });

  const invalidRows = new Set(first.json().invalid.map(({ row }: { row: number }) => row));
  const sent = expected.entries.filter(({ row }) => !invalidRows.has(row)).map(({ entry }) => entry);
  const contentOf = (each: object) => {
    const { date, type, amountPence, description, externalRef } = each as Record<string, unknown>;
    return JSON.stringify([date, type, amountPence, description ?? null, externalRef]);
  };
  expect((await account.entries()).map(contentOf).sort()).toEqual(sent.map(contentOf).sort());
});
