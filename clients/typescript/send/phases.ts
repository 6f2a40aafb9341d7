/** The order of the parts of split rows in a push. */
import { groupBy } from '../group-by.ts';
import type { FileEntry } from '../match/row.ts';

/** The row of an entry. Two rows may have one reference. */
export function rowKey(entries: readonly FileEntry[], index: number): string {
  const { row, file } = entries[index] as FileEntry;
  return `${row} ${file}`;
}

/** All rows and first parts, then all second parts, and so on: a part is not sent if one before it is in conflict. */
export function phasesOf(entries: readonly FileEntry[]): number[][] {
  const positions = new Map<string, number>();
  const phases = groupBy(entries.keys(), (index) => {
    const key = rowKey(entries, index);
    const position = positions.get(key) ?? 0;
    positions.set(key, position + 1);
    return (entries[index] as FileEntry).part === undefined ? 0 : position;
  });
  return [...phases].sort(([one], [other]) => one - other).map(([, indexes]) => indexes);
}
