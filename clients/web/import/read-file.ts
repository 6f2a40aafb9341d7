/** Reading the file of the import with the settings and corrections of a person. */
import { ImportError, type ImportOptions } from '../../typescript/import/options.ts';
import { isSame } from '../page/same.ts';
import { columnsOf } from './column-names.ts';
import type { Kept } from './kept.ts';
import type { Reader, ReaderOf } from './reader.ts';
import { isRunning } from './sending.ts';
import type { Facts, FileRead, ImportFile } from './state.ts';

type Inputs = Pick<
  Facts,
  | ('file' | 'reading' | 'corrections')
  | ('sources' | 'source' | 'isByRules' | 'allCategories' | 'categorising')
>;

export interface FileReaderOptions {
  get: () => Facts;
  set: (change: Partial<Facts>) => void;
  readerOf: ReaderOf;
  kept: Kept | undefined;
  /** Prepares a change before it is shown. */
  workOut: (change: Partial<Facts>) => Promise<void>;
}

/**
 * Reads the file with the settings of now. A later call, or another file, makes an earlier call void.
 * @returns whether the outcome is shown
 */
export function fileReader(options: FileReaderOptions): () => Promise<boolean> {
  const { get, set, readerOf, kept, workOut } = options;
  const readers = new WeakMap<ImportFile, Reader>();
  /** The change of the facts that a read makes. */
  const outcomeOf = async (reader: Reader): Promise<Partial<Facts>> => {
    const read = await readWith(reader, get(), get().read);
    if (!(read instanceof ImportError)) return { read, problem: undefined };
    return { problem: read, ...(get().step === 'file' && { read: undefined }) };
  };
  return async () => {
    const { file, reading, read: before, problem } = get();
    if (!file) return false;
    const reader = readers.get(file) ?? readerOf(file.bytes);
    readers.set(file, reader);
    const pending = {};
    const isCurrent = () => get().pending === pending;
    set({ pending });
    const isFirst = !before && !problem && !reading.map && !reading.ignore;
    let change: Partial<Facts>;
    try {
      change = await outcomeOf(reader);
      const choices = isFirst ? kept?.columns(headerOf({ ...get(), ...change })) : undefined;
      if (choices && isCurrent()) {
        set({ reading: choices, areColumnsKept: true });
        change = await outcomeOf(reader);
      }
      await workOut(change);
    } catch (error) {
      change = { problem: asImportError(error) };
    }
    if (!isCurrent()) return false;
    // The part that was sent is no longer a part of what would be sent.
    set({ ...change, pending: undefined, ...(!isRunning(get()) && { sending: undefined }) });
    return true;
  };
}

/** The names of the columns, whether or not the file can be read. */
export const headerOf = ({ read, ...facts }: Facts): string[] =>
  columnsOf({ ...facts, result: read?.result }).map(({ name }) => name);

/** Reads the file. @param before the last read: its result without corrections is used again. Never rejects. */
export async function readWith(
  read: Reader,
  inputs: Inputs,
  before?: FileRead,
): Promise<FileRead | ImportError> {
  const { corrections, source, ...rest } = inputs;
  const { file, reading, sources, isByRules, allCategories, categorising } = rest;
  const settings = [file, reading, sources, source, isByRules, allCategories, categorising];
  const options = optionsOf(inputs);
  try {
    const result = await read({ ...options, corrections });
    if (corrections.size === 0) return { settings, source, result, original: result };
    const isKnown = before && isSame(before.settings, settings);
    return { settings, source, result, original: isKnown ? before.original : await read(options) };
  } catch (error) {
    return asImportError(error);
  }
}

function optionsOf(inputs: Inputs): ImportOptions {
  const { file, reading, sources, source, isByRules, allCategories, categorising } = inputs;
  const { rules, income, expense } = categorising;
  return {
    fileName: file?.name,
    ...reading,
    accountLabel: reading.accountLabel || undefined,
    // Rules and defaults name categories, and mean nothing before those are known. Before a source is chosen, no row lacks one.
    ...(allCategories &&
      (source || isByRules) && {
        sources: sources.map(({ id, name, type }) => ({ id, name, categories: allCategories[type] })),
        source: source?.id,
        rules: rules || undefined,
        categoryIncome: income || undefined,
        categoryExpense: expense || undefined,
      }),
  };
}

function asImportError(error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  return new ImportError('unreadable_file', 'The file cannot be read.');
}
