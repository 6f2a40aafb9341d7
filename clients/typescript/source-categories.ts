/** The sources of an account with their categories, as the reader of statements takes them. */
import type { SourceWithCategories } from './import/options.ts';
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
