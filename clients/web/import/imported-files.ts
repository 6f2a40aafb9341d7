/** The files that were imported since the page was opened. One file can be imported in several ways: its sheets, and its columns. */
import type { Recognised } from '../../typescript/import/result.ts';
import { type ImportedFile, type ImportFile, type ImportState, isEqualFile, type OpenFile } from './state.ts';

/** A file with the sheet and the columns that were read of it. */
interface FileAsRead {
  file: ImportFile;
  recognised: Recognised | undefined;
}

/** The file with the layout that it was read in. */
export const asRead = ({ file, read }: Pick<OpenFile, 'file' | 'read'>): FileAsRead => ({
  file,
  recognised: read?.result.recognised,
});

/** The files that were imported, with these. */
export function withImported({ files, imported, ...state }: ImportState): ImportedFile[] {
  const { source, isByRules, categorising } = state;
  return [
    ...othersThan(files.map(asRead), imported),
    ...files.map(({ parseOptions, corrections, balances, ...file }) => ({
      ...asRead(file),
      parseOptions,
      corrections,
      balances,
      source,
      isByRules,
      categorising,
    })),
  ];
}

/** The imported files, without these that were read in the same way. */
export const othersThan = (files: readonly FileAsRead[], imported: readonly ImportedFile[]) =>
  imported.filter((one) => !files.some((other) => isReadAlike(one, other)));

const isReadAlike = (one: FileAsRead, other: FileAsRead): boolean =>
  columnsOf(one) === columnsOf(other) && isEqualFile(one.file, other.file);

const columnsOf = ({ recognised }: FileAsRead): string => {
  const { sheet, columns = {}, amounts } = recognised ?? {};
  return JSON.stringify([sheet, Object.entries(columns).sort(), amounts]);
};
