/** The search in the entries that were read. */
import type { CategoryLabels } from '../../typescript/figures/naming.ts';
import { hasWords, plain } from '../page/text-search.ts';
import { type BooksEntry, categoryText } from './labels.ts';

/** The entries with every word of `text` in one of their texts; capitals and accents do not count. */
export function search(
  entries: readonly BooksEntry[],
  text: string,
  labels: CategoryLabels,
): readonly BooksEntry[] {
  const isFound = hasWords(text);
  if (!isFound) return entries;
  return entries.filter((entry) => {
    const { description, externalRef, source } = entry;
    const texts = [description, categoryText(entry, labels), externalRef, source.name];
    return isFound(plain(texts.map((each) => each ?? '').join('\n')));
  });
}
