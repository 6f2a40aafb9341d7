/** The import of the page against the real service, without a browser. */
import { expect } from 'bun:test';
import { importFileReader } from '../../../clients/typescript/import/index.ts';
import { createImporter, type Importer, type ImporterOptions } from '../../../clients/web/import/importer.ts';
import type { FileState, GivenFile } from '../../../clients/web/import/state.ts';
import { openSession } from '../../../clients/web/key/session.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

export const file = (text: string, name = 'file.csv') => ({ name, bytes: new TextEncoder().encode(text) });
export const CSV = `Date,Description,Amount,External ref
2026-04-01,Rent,950.00,r1
2026-04-20,Repairs,-23.49,r2
`;

/** What a browser keeps. */
export function memory() {
  const texts = new Map<string, string>();
  const storage = {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => void texts.set(name, text),
    removeItem: (name: string) => void texts.delete(name),
  };
  return { storage, texts };
}

/** An importer, of a new account by default, whose source is chosen. */
export async function newImporter(options?: Partial<ImporterOptions>, of?: TestAccount) {
  const account = of ?? (await TestAccount.create());
  const importer = createImporter({
    onKeyRefused: (reason) => expect(reason).toBe(''),
    readerOf: importFileReader,
    ...options,
  });
  const session = await openSession(system.url, account.key);
  importer.setSession(session);
  importer.chooseSource(account.sources['uk-property']);
  await until('the categories are read', () => importer.state.value.allCategories !== undefined);
  return { account, importer, session, ledger: session.ledger, source: account.sources['uk-property'] };
}

/** Opens the file in place of the files before. */
export async function openFile(importer: Importer, file: GivenFile): Promise<void> {
  importer.startAgain();
  await importer.addFiles([file]);
}

/** The first of the open files. */
export const fileOf = ({ state }: Importer) => state.value.files[0] as FileState;

export const statuses = ({ state }: Importer) =>
  state.value.compared?.entries.map(({ matchStatus }) => matchStatus);

export async function check(importer: Importer): Promise<void> {
  importer.go('check');
  await until('the books are read', () => importer.state.value.books.status === 'read');
}

export async function push(importer: Importer): Promise<void> {
  importer.go('push');
  importer.startPush();
  await until('the push is done', () => importer.state.value.push?.status === 'done');
}
