/** Every fixture, pushed by the real command to the real service, is stored to the penny. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImportOptions, readStatement } from '../../../clients/typescript/import/index.ts';
import { newUser } from './command.ts';

setDefaultTimeout(60_000);

const FOLDER = join(import.meta.dir, '../files');

/** What a file does not say by itself. */
const OPTIONS: Record<string, { args: string[]; options: ImportOptions }> = {
  'amex.csv': { args: ['--bank', 'amex'], options: { bank: 'amex' } },
  'hsbc-no-header.csv': { args: ['--bank', 'hsbc'], options: { bank: 'hsbc' } },
  'spreadsheet.csv': { args: ['--decimal', ','], options: { decimal: ',' } },
  'landlord.xlsx': { args: ['--date-format', 'dd/mm/yyyy'], options: { dateFormat: 'dmy' } },
};

test.each(readdirSync(FOLDER))('%s', async (name) => {
  const { args, options } = OPTIONS[name] ?? { args: [], options: {} };
  const file = join(FOLDER, name);
  const { account, push } = await newUser();
  const pushed = await push(file, 'uk-property', '--skip-invalid', ...args);
  const expected = await readStatement(readFileSync(file), { fileName: name, ...options });
  expect(pushed).toMatchObject({ exitCode: 0, bank: expected.bank, rows: expected.rows });
  expect(pushed.created).toBeGreaterThan(0);

  const invalidRows = new Set(pushed.invalid.map(({ row }: { row: number }) => row));
  const sent = expected.entries.filter(({ row }) => !invalidRows.has(row)).map(({ entry }) => entry);
  // Equal references of two readings: pushed again, nothing is created twice.
  const contentOf = (each: object) => {
    const { date, type, amountPence, description, externalRef } = each as Record<string, unknown>;
    return JSON.stringify([date, type, amountPence, description ?? null, externalRef]);
  };
  expect((await account.entries()).map(contentOf).sort()).toEqual(sent.map(contentOf).sort());
});
