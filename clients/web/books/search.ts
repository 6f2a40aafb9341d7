/** The search in the entries that were read. */
import type { CategoryLabels } from '../../typescript/figures/naming.ts';
import { type BooksEntry, categoryText } from './labels.ts';

/** The entries with every word of `text` in one of their texts; capitals and accents do not count. */
export function search(
  entries: readonly BooksEntry[],
  text: string,
  labels: CategoryLabels,
): readonly BooksEntry[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries.filter((entry) => {
    const { description, externalRef, source } = entry;
    const texts = [description, categoryText(entry, labels), externalRef, source.name];
    const searched = plain(texts.map((each) => each ?? '').join('\n'));
    return words.every((word) => searched.includes(word));
  });
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
