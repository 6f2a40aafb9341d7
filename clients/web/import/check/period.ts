/** The period of the entries of a file, as a text. */
import type { NewTransaction } from '../../../typescript/import/index.ts';
import { dateText } from '../../page/format.ts';

export function daysText(entries: readonly { entry: NewTransaction }[]): string {
  let first = entries[0]?.entry.date;
  if (first === undefined) return 'none';
  let last = first;
  for (const { entry } of entries) {
    if (entry.date < first) first = entry.date;
    if (entry.date > last) last = entry.date;
  }
  return first === last ? dateText(first) : `${dateText(first)} – ${dateText(last)}`;
}
