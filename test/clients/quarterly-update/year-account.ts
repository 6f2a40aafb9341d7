/** The account of the made-up landlord in the service, and the statements as files. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '../../fixtures/books.ts';
import { admin } from '../../fixtures/system.ts';
import { directory, newUser } from '../cli/command.ts';
import { bankFiles, textOf } from './bank-files.ts';
import { RULES, SOURCES } from './landlord.ts';
import type { Payment } from './year-model.ts';

/** What must be in the books, sorted. */
export const expectedBooks = (payments: readonly Payment[]) =>
  payments
    .flatMap(({ date, entries }) =>
      entries.map(({ source, type, category, pence }) => [source, date, type, category, pence].join(' ')),
    )
    .sort();

/** A new account with the sources of the landlord, and a folder with the statements and the rules. */
export async function landlord(payments: readonly Payment[]) {
  const { account, run: runWithKey } = await newUser();
  const { accountId } = account;
  const names = new Map<string, string>();
  for (const { name, type, sharePercent } of SOURCES) {
    const { id } = await admin.createSource({ accountId, name, type, role: 'owner', sharePercent });
    names.set(id, name);
  }
  const folder = mkdtempSync(join(directory, 'year-'));
  const rules = join(folder, 'rules.txt');
  writeFileSync(rules, RULES);
  const files = bankFiles(payments);
  for (const file of files) writeFileSync(join(folder, file.name), textOf(file));
  const paths = files.map(({ name }) => join(folder, name));
  /** What is in the books, sorted. */
  const books = async () =>
    (await rowsOf(accountId))
      .map(({ sourceId, date, type, category, amountPence }) =>
        [names.get(sourceId), date, type, category, amountPence].join(' '),
      )
      .sort();
  /** Each command has a key of its own, and so a minute of its own. */
  const run = async (...args: string[]) => {
    const { key = '' } = await admin.createKey({ accountId });
    return runWithKey(args, { env: { LEDGER_API_KEY: key } });
  };
  return { account, folder, files, paths, rules, books, run };
}
