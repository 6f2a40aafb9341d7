/** The sources of an account in the form that the reader of statements takes. */
import type { PlanSource } from './import/options.ts';
import type { Ledger, ReadOptions } from './ledger.ts';
import type { Source } from './resources.ts';

/** The sources in the form that the reader of statements takes. */
export async function planSources(
  ledger: Ledger,
  sources: readonly Source[],
  options: ReadOptions = {},
): Promise<PlanSource[]> {
  const categories = await ledger.categories(undefined, options);
  return sources.map(({ id, name, type }) => ({ id, name, type, categories: categories[type] }));
}
