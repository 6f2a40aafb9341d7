/** Reading the file of the import with what the visitor has set. */
import { ImportError, type ImportOptions } from '../../typescript/import/options.ts';
import type { Reader } from './reader.ts';
import type { ImportState } from './state.ts';

/** What the file says, or the problem with it. Never rejects. */
export async function readWith(read: Reader, state: ImportState): Promise<Partial<ImportState>> {
  try {
    const result = await read(optionsOf(state));
    const isOriginal = state.corrections.size === 0;
    const original = isOriginal
      ? result
      : (state.original ?? (await read({ ...optionsOf(state), corrections: undefined })));
    return { read: result, result, original, problem: undefined };
  } catch (error) {
    return {
      problem: asImportError(error),
      ...(state.step === 'file' && { read: undefined, result: undefined }),
    };
  }
}

function optionsOf(state: ImportState): ImportOptions {
  const { file, reading, sources, source, isByRules, allCategories, categorising, corrections } = state;
  const { rules, income, expense } = categorising;
  const options: ImportOptions = {
    fileName: file?.name,
    ...reading,
    accountLabel: reading.accountLabel || undefined,
    corrections,
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
  return options;
}

function asImportError(error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  return new ImportError('unreadable_file', 'The file cannot be read.');
}
