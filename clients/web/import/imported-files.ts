/** The files that were imported since the page was opened. One file can be imported in several ways: its sheets, and its columns. */
import { type FileFacts, type ImportedFile, type ImportState, isEqualFile } from './state.ts';

/** A file with the sheet and the columns that it was read with. */
type AsRead = Pick<ImportedFile, 'file' | 'recognised'>;

export const asRead = ({ file, read }: Pick<FileFacts, 'file' | 'read'>): AsRead => ({
  file,
  recognised: read?.result.recognised,
});

/** The files that were imported, with these. */
export function withImported({ files, imported, ...state }: ImportState): ImportedFile[] {
  const { source, isByRules, categorising, rates } = state;
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
      rates,
    })),
  ];
}

/** The imported files, without these that were read in the same way. */
export const othersThan = (files: readonly AsRead[], imported: readonly ImportedFile[]) =>
  imported.filter((one) => !files.some((other) => isReadAlike(one, other)));

const isReadAlike = (one: AsRead, other: AsRead): boolean =>
  columnsKey(one) === columnsKey(other) && isEqualFile(one.file, other.file);

const columnsKey = ({ recognised }: AsRead): string => {
  const { sheet, columns = {}, amounts } = recognised ?? {};
  return JSON.stringify([sheet, Object.entries(columns).sort(), amounts]);
};
