/** Files of banks, pushed by the real command to the real service, are stored to the penny. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImportOptions, readImportFile } from '../../../clients/typescript/import/index.ts';
import { newUser } from './command.ts';

setDefaultTimeout(60_000);

test.each<[name: string, args: string[], options: ImportOptions]>([
  ['monzo.csv', [], {}],
  ['statement.xml', [], {}],
  ['hsbc-no-header.csv', ['--bank', 'hsbc'], { bank: 'hsbc' }],
  ['spreadsheet.csv', ['--decimal', ','], { decimal: ',' }],
  ['landlord.xlsx', ['--date-format', 'dd/mm/yyyy'], { dateFormat: 'dmy' }],
])('%s', async (name, args, options) => {
  const file = join(import.meta.dir, '../files', name);
  const { account, push } = await newUser();
  const pushed = await push(file, 'uk-property', '--skip-invalid', ...args);
  const expected = await readImportFile(readFileSync(file), { fileName: name, ...options });
  expect(pushed).toMatchObject({ exitCode: 0, bank: expected.recognised.bank, rows: expected.rowCount });
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
