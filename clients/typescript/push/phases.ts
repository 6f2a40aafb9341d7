/** The order of the parts of split rows in a push. */
import { groupBy } from '../group-by.ts';
import { type FileEntry, rowKey } from '../match/row.ts';

/** All rows and first parts, then all second parts, and so on: a part is not sent if one before it is in conflict. */
export function phasesOf(entries: readonly FileEntry[]): number[][] {
  const positions = new Map<string, number>();
  const phases = groupBy(entries.keys(), (index) => {
    const key = rowKey(entries[index] as FileEntry);
    const position = positions.get(key) ?? 0;
    positions.set(key, position + 1);
    return (entries[index] as FileEntry).part === undefined ? 0 : position;
  });
  return [...phases].sort(([one], [other]) => one - other).map(([, indexes]) => indexes);
}
