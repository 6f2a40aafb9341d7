/** The rows that are selected in the table, by their numbers across files. */
export interface Selection {
  rows: ReadonlySet<number>;
  /** Where a range begins: the row that was selected last. */
  anchor: number | undefined;
}

type Shown = readonly { id: number }[];

export const NOTHING_SELECTED: Selection = { rows: new Set(), anchor: undefined };

/** With the row selected, or no longer. */
export function toggled({ rows }: Selection, row: number): Selection {
  const next = new Set(rows);
  if (!next.delete(row)) next.add(row);
  return { rows: next, anchor: row };
}

/** With the rows between the anchor and this one, in the order that is shown. */
export function extended(selection: Selection, shown: Shown, row: number): Selection {
  const { rows, anchor } = selection;
  const [from, to] = [anchor, row].map((each) => shown.findIndex((other) => other.id === each));
  if (from === undefined || to === undefined || from < 0 || to < 0) return toggled(selection, row);
  const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { rows: new Set([...rows, ...range.map((each) => each.id)]), anchor };
}

/** All that are shown, or nothing if they are selected already. */
export function allToggled({ rows }: Selection, shown: Shown): Selection {
  if (shown.every(({ id }) => rows.has(id))) return NOTHING_SELECTED;
  return { rows: new Set(shown.map(({ id }) => id)), anchor: undefined };
}
