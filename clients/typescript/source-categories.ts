/** The sources of an account with their categories, as the reader of statements takes them, and the sources that its options name. */
import type { ImportOptions, SourceWithCategories } from './import/options.ts';
import type { Ledger, ReadOptions } from './ledger.ts';
import type { CategorySet, Source, SourceType } from './resources.ts';

export const withCategories = (
  sources: readonly Source[],
  categories: Partial<Record<SourceType, CategorySet>>,
): SourceWithCategories[] =>
  sources.map(({ id, name, type }) => ({ id, name, type, categories: categories[type] }));

export const sourcesWithCategories = async (
  ledger: Ledger,
  sources: readonly Source[],
  options: ReadOptions = {},
): Promise<SourceWithCategories[]> => withCategories(sources, await ledger.categories(undefined, options));

/** Whether a column, or each amount of a row, has a source. */
export const namesSources = ({ map, amounts = [] }: Pick<ImportOptions, 'map' | 'amounts'>): boolean =>
  Boolean(map?.source) || (amounts.length > 0 && amounts.every(({ source }) => source !== undefined));
