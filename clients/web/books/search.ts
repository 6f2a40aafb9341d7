/** The search in the entries that were read. */
import type { Transaction } from '../../typescript/index.ts';
import { type CategoryLabels, categoryText } from './labels.ts';

/** The entries with every word of `text` in the description, category or reference; capitals and accents do not count. */
export function search(
  entries: readonly Transaction[],
  text: string,
  labels: CategoryLabels,
): readonly Transaction[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries.filter((entry) => {
    const { description, externalRef } = entry;
    const searched = plain(`${description ?? ''}\n${categoryText(entry, labels)}\n${externalRef ?? ''}`);
    return words.every((word) => searched.includes(word));
  });
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
