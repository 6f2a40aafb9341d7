/** The keys of the grid of rows: arrows move, Enter, F2 or typing edits, Space selects, Delete leaves the row out. */

export interface CellPosition {
  index: number;
  column: number;
}

/** The steps that a key may have, for the row and the column of the chosen cell. */
interface GridSteps {
  moveTo: (index: number, column: number) => void;
  edit: (index: number, column: number, typed?: string) => void;
  /** Enter: a status is decided, other cells are edited. */
  enter: () => void;
  select: (isRange: boolean) => void;
  selectAll: () => void;
  leaveOutOrBack: () => void;
}

const PAGE_ROWS = 10;

/** @param last the last row and column. @returns undefined for a key without a step */
export function stepOf(
  { key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent,
  { index, column }: CellPosition,
  last: CellPosition,
  { moveTo, edit, enter, select, selectAll, leaveOutOrBack }: GridSteps,
): (() => void) | undefined {
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'a') return selectAll;
  const isText = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
  if (isText) return () => edit(index, column, key);
  const steps: Record<string, () => void> = {
    ArrowDown: () => moveTo(index + 1, column),
    ArrowUp: () => moveTo(index - 1, column),
    ArrowRight: () => moveTo(index, column + 1),
    ArrowLeft: () => moveTo(index, column - 1),
    PageDown: () => moveTo(index + PAGE_ROWS, column),
    PageUp: () => moveTo(index - PAGE_ROWS, column),
    Home: () => moveTo(ctrlKey ? 0 : index, 0),
    End: () => moveTo(ctrlKey ? last.index : index, last.column),
    Enter: enter,
    F2: () => edit(index, column),
    ' ': () => select(shiftKey),
    Delete: leaveOutOrBack,
  };
  return steps[key];
}
