/** Reads the fixtures of test/clients/files and shows results in one line for each row. */
import { join } from 'node:path';
import {
  type CategorySet,
  ImportError,
  type ImportOptions,
  type ImportResult,
  readImportFile,
} from '../../../../clients/typescript/import/index.ts';
import { withAnswer } from '../../../../clients/typescript/import/questions/answers.ts';

const FILES = join(import.meta.dir, '../../files');

export async function readFixture(fileName: string, options: ImportOptions = {}): Promise<ImportResult> {
  const bytes = new Uint8Array(await Bun.file(join(FILES, fileName)).arrayBuffer());
  return readBytes(bytes, { fileName, ...options });
}

/**
 * Reads a small file as one of a bank account: where nothing in it gives the direction of its amounts, a minus is money out. `readOpen` leaves
 * that question open.
 */
export async function readBytes(bytes: Uint8Array, options: ImportOptions = {}): Promise<ImportResult> {
  try {
    return await readImportFile(bytes, options);
  } catch (error) {
    const questions = error instanceof ImportError ? (error.questions ?? []) : [];
    const signs = questions.filter(({ kind, choices }) => kind === 'direction' && choices.includes('amount'));
    if (signs.length === 0) throw error;
    return readImportFile(
      bytes,
      signs.reduce((all, question) => withAnswer(all, question, 'amount'), options),
    );
  }
}

export const readText = (text: string, options?: ImportOptions) =>
  readBytes(new TextEncoder().encode(text), options);
export const readOpen = (text: string, options?: ImportOptions) =>
  readImportFile(new TextEncoder().encode(text), options);

/** The options of a file whose entries all have one source. */
export const ofOneSource = (categories: CategorySet): Pick<ImportOptions, 'sources' | 'source'> => ({
  sources: [{ id: 'shop', name: 'Shop', categories }],
  source: 'shop',
});

/** The columns that the questions of a refusal are about. */
export async function openColumns(reading: Promise<unknown>): Promise<number[]> {
  const error = await reading.catch((error: unknown) => error);
  const questions = error instanceof ImportError ? (error.questions ?? []) : [];
  return [...new Set(questions.flatMap(({ columns }) => columns))].sort((a, b) => a - b);
}

/** `row date ±pence description`. */
export function lines({ entries }: ImportResult): string[] {
  return entries.map(({ row, entry: { date, type, amountPence, description = '' } }) =>
    `${row} ${date} ${type === 'income' ? '+' : '-'}${amountPence} ${description}`.trim(),
  );
}

export const references = ({ entries }: ImportResult) => entries.map(({ entry }) => entry.externalRef);

/** The rows that are entries, skipped and invalid, each once. */
export async function rowsOf(text: string, options?: ImportOptions): Promise<number[][]> {
  const { entries, skipped, invalid } = await readText(text, options);
  return [entries, skipped, invalid].map((list) => [...new Set(list.map(({ row }) => row))]);
}
