/** A file can be read in several ways. A reading is a file with its sheet and columns, as it was imported. */
import type { Recognised } from '../../typescript/import/result.ts';
import { type ImportedFile, type ImportFile, type ImportState, isEqualFile, type OpenFile } from './state.ts';

/** A file, a sheet and columns: a file can be read in several ways. */
interface Reading {
  file: ImportFile;
  recognised: Recognised | undefined;
}

export const readingOf = ({ file, read }: Pick<OpenFile, 'file' | 'read'>): Reading => ({
  file,
  recognised: read?.result.recognised,
});

/** The files that were imported, with these. */
export function withImported({ files, imported, ...state }: ImportState): ImportedFile[] {
  const { source, isByRules, categorising } = state;
  return [
    ...othersThan(files.map(readingOf), imported),
    ...files.map(({ parseOptions, corrections, balances, ...of }) => ({
      ...readingOf(of),
      parseOptions,
      corrections,
      balances,
      source,
      isByRules,
      categorising,
    })),
  ];
}

/** The imported readings other than these. */
export const othersThan = (readings: readonly Reading[], imported: readonly ImportedFile[]) =>
  imported.filter((one) => !readings.some((other) => isEqualReading(one, other)));

const isEqualReading = (one: Reading, other: Reading): boolean =>
  columnsOf(one) === columnsOf(other) && isEqualFile(one.file, other.file);

const columnsOf = ({ recognised }: Reading): string => {
  const { sheet, columns = {}, amounts } = recognised ?? {};
  return JSON.stringify([sheet, Object.entries(columns).sort(), amounts]);
};
