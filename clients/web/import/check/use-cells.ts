/** The chosen cell of the grid of rows and the one that is edited, with what keys, mouse and editor do to them. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CorrectedField } from '../../../typescript/import/index.ts';
import type { Importer } from '../importer.ts';
import { changesOf } from './changes-of-row.ts';
import { editText } from './field-texts.ts';
import { type CellPosition, stepOf } from './grid-keys.ts';
import type { GridColumn } from './grid-row.tsx';
import { type CheckRow, isFixed } from './rows.ts';

interface CellsOptions {
  importer: Importer;
  rows: readonly CheckRow[];
  columns: readonly GridColumn[];
  container: RefObject<HTMLDivElement | null>;
  scrollTo: (index: number) => void;
  onSelect: (row: number, isRange: boolean) => void;
  onSelectAll: () => void;
}

export type Cells = ReturnType<typeof useCells>;

/** `value`, or the bound that it passes. */
const inBounds = (least: number, value: number, most: number) => Math.max(least, Math.min(most, value));

/** Keeps the chosen and the edited cell, and gives the steps that keys and mouse take. */
export function useCells({
  importer,
  rows,
  columns,
  container,
  scrollTo,
  onSelect,
  onSelectAll,
}: CellsOptions) {
  const [position, setPosition] = useState<CellPosition>({ index: 0, column: 0 });
  const [edited, setEdited] = useState<{ id: number; field: CorrectedField; typed: string | undefined }>();
  const last: CellPosition = { index: rows.length - 1, column: columns.length - 1 };
  const chosen: CellPosition = { ...position, index: Math.min(position.index, Math.max(last.index, 0)) };
  const wantsFocus = useCellFocus(container, chosen, edited !== undefined);
  const row = rows[chosen.index];

  const choose = (index: number, column: number) => setPosition({ index, column });
  const moveTo = (index: number, column: number) => {
    const to = inBounds(0, index, last.index);
    wantsFocus.current = true;
    scrollTo(to);
    choose(to, inBounds(0, column, last.column));
  };
  const edit = (index: number, column: number, typed?: string) => {
    const row = rows[index];
    const { field } = columns[column] ?? {};
    if (!row || !field || isFixed(row.status)) return;
    choose(index, column);
    setEdited({ id: row.id, field, typed });
  };
  const finish = (value: string | undefined, isLeft: boolean) => {
    const row = rows.find(({ id }) => id === edited?.id);
    wantsFocus.current = !isLeft;
    setEdited(undefined);
    if (!row || !edited || value === undefined || value === editText(row, edited.field)) return;
    void importer.correct([row.id], { [edited.field]: value });
  };
  const enter = () => {
    const act = row && columns[chosen.column]?.id === 'status' ? changesOf(row, importer).enter : undefined;
    if (act) act();
    else edit(chosen.index, chosen.column);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (edited) return;
    const step = stepOf(event, chosen, last, {
      moveTo,
      edit,
      enter,
      select: (isRange) => row && onSelect(row.id, isRange),
      selectAll: onSelectAll,
      leaveOutOrBack: () => row && changesOf(row, importer).leaveOutOrBack(),
    });
    if (!step) return;
    event.preventDefault();
    step();
  };
  return { chosen, edited, choose, edit, finish, onKeyDown };
}

/**
 * Keeps the focus in the chosen cell.
 * @returns set it, and the cell gets the focus as soon as it is in the document
 */
function useCellFocus(
  container: RefObject<HTMLDivElement | null>,
  chosen: CellPosition,
  isEditing: boolean,
): RefObject<boolean> {
  const wantsFocus = useRef(false);
  const hadFocus = container.current?.contains(document.activeElement) ?? false;
  // Before the browser takes the next key, so that none is lost.
  useLayoutEffect(() => {
    if (isEditing) return;
    // A row that leaves the filter, or is scrolled out of sight, takes the focus with it.
    const isLost = hadFocus && !container.current?.contains(document.activeElement);
    if (!wantsFocus.current && !isLost) return;
    const cell = container.current?.querySelector<HTMLElement>(
      `[data-place="${chosen.index}:${chosen.column}"]`,
    );
    if (cell) wantsFocus.current = false;
    const target = cell?.querySelector<HTMLElement>('input') ?? cell ?? (isLost ? container.current : null);
    target?.focus({ preventScroll: true });
  });
  return wantsFocus;
}
