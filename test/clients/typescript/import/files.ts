/** Reads the fixtures of test/clients/files and shows results in one line for each row. */
import { join } from 'node:path';
import {
  type ImportOptions,
  type ImportResult,
  readStatement,
} from '../../../../clients/typescript/import/index.ts';

const FILES = join(import.meta.dir, '../../files');

export async function readFixture(fileName: string, options: ImportOptions = {}): Promise<ImportResult> {
  const bytes = new Uint8Array(await Bun.file(join(FILES, fileName)).arrayBuffer());
  return readStatement(bytes, { fileName, ...options });
}

export function readText(text: string, options: ImportOptions = {}): Promise<ImportResult> {
  return readStatement(new TextEncoder().encode(text), options);
}

/** `row date ±pence description`. */
export function lines({ entries }: ImportResult): string[] {
  return entries.map(({ row, entry: { date, type, amountPence, description = '' } }) =>
    `${row} ${date} ${type === 'income' ? '+' : '-'}${amountPence} ${description}`.trim(),
  );
}

export const references = ({ entries }: ImportResult) => entries.map(({ entry }) => entry.externalRef);
