/** The files that were pushed since the page was opened. One file can be pushed in several ways: its sheets, and its columns. */
import { type FileFacts, type ImportState, isEqualFile, type PushedFile } from './state.ts';

/** A file with the sheet and the columns that it was read with. */
type AsRead = Pick<PushedFile, 'file' | 'recognised'>;

export const asRead = ({ file, read }: Pick<FileFacts, 'file' | 'read'>): AsRead => ({
  file,
  recognised: read?.result.recognised,
});

/** The files that were pushed, with these. */
export function withPushed({ files, pushedFiles, ...state }: ImportState): PushedFile[] {
  const { source, isByRules, categorising, rates } = state;
  return [
    ...othersThan(files.map(asRead), pushedFiles),
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

/** The pushed files, without these that were read in the same way. */
export const othersThan = (files: readonly AsRead[], pushedFiles: readonly PushedFile[]) =>
  pushedFiles.filter((one) => !files.some((other) => isReadAlike(one, other)));

const isReadAlike = (one: AsRead, other: AsRead): boolean =>
  columnsKey(one) === columnsKey(other) && isEqualFile(one.file, other.file);

const columnsKey = ({ recognised }: AsRead): string => {
  const { sheet, columns = {}, amounts } = recognised ?? {};
  return JSON.stringify([sheet, Object.entries(columns).sort(), amounts]);
};
