/**
 * The rows of the file as a grid: one stop of the Tab key, arrows move, Enter, F2 or typing edits, Escape leaves the editor, Space
 * selects, Delete leaves the row out. The page scrolls, and only the rows in sight are in the document.
 */

import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CorrectedField } from '../../../typescript/import/index.ts';
import type { CategorySet, Source } from '../../../typescript/index.ts';
import { usePageVirtual } from '../../page/virtual.ts';
import type { Importer } from '../importer.ts';
import { CellEditor } from './cell-editor.tsx';
import { changesOf } from './changes-of-row.ts';
import { type CellPosition, stepOf } from './grid-keys.ts';
import { type Column, columnsFor, GridRow } from './grid-row.tsx';
import { editText } from './row-texts.ts';
import { isFixed, type Row } from './rows.ts';

interface Props {
  importer: Importer;
  rows: readonly Row[];
  selected: ReadonlySet<number>;
  categories: CategorySet | undefined;
  /** Those to choose from; empty if all rows are of one. */
  sources: readonly Source[];
  /** The rows are of several files. */
  isOfFiles: boolean;
  /** Pixels that the bar above the rows covers. */
  coveredTop: number;
  /** With `isRange`, the rows from the last selected one to this one. */
  onSelect: (row: number, isRange: boolean) => void;
  onSelectAll: () => void;
}

/** For labels: the number of a row, with its file if there are several. */
const rowLabelOf = ({ row, file }: Row, isOfFiles: boolean) => (isOfFiles ? `${row} of ${file}` : `${row}`);

const ROW_HEIGHT = 33;
const PROBLEM_HEIGHT = 56;
const heightOf = (row: Row | undefined) =>
  row?.status === 'problem' || row?.status === 'probable' ? PROBLEM_HEIGHT : ROW_HEIGHT;
/** Of the header of the grid, and of the bar at the bottom of the window. */
const HEADER_HEIGHT = 31;
const BAR_HEIGHT = 120;

/** `value`, or the bound that it passes. */
const between = (least: number, value: number, most: number) => Math.max(least, Math.min(most, value));

export function RowsTable(props: Props) {
  const { importer, rows, selected, categories, sources, isOfFiles, coveredTop } = props;
  const columns = columnsFor(sources.length > 0, isOfFiles);
  const container = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState<CellPosition>({ index: 0, column: 0 });
  const [edited, setEdited] = useState<{ id: number; field: CorrectedField; typed: string | undefined }>();
  const { virtualizer: virtual, scrollMargin } = usePageVirtual({
    covered: { top: coveredTop + HEADER_HEIGHT, bottom: BAR_HEIGHT },
    count: rows.length,
    container,
    estimate: useCallback((index: number) => heightOf(rows[index]), [rows]),
    keyOf: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
  });
  const at: CellPosition = { ...position, index: Math.min(position.index, Math.max(rows.length - 1, 0)) };

  const wantsFocus = useCellFocus(container, at, edited !== undefined);
  const last: CellPosition = { index: rows.length - 1, column: columns.length - 1 };

  const moveTo = (index: number, column: number) => {
    const next = { index: between(0, index, last.index), column: between(0, column, last.column) };
    wantsFocus.current = true;
    virtual.scrollToIndex(next.index, { align: 'auto' });
    setPosition(next);
  };

  const edit = (index: number, column: number, typed?: string) => {
    const row = rows[index];
    const { field } = columns[column] ?? {};
    if (!row || !field || isFixed(row.status)) return;
    setPosition({ index, column });
    setEdited({ id: row.id, field, typed });
  };

  const enter = () => {
    const row = rows[at.index];
    const act = row && columns[at.column]?.id === 'status' ? changesOf(row, importer).enter : undefined;
    if (act) act();
    else edit(at.index, at.column);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (edited) return;
    const row = rows[at.index];
    const step = stepOf(event, at, last, {
      moveTo,
      edit,
      enter,
      select: (isRange) => row && props.onSelect(row.id, isRange),
      selectAll: props.onSelectAll,
      leaveOutOrBack: () => row && changesOf(row, importer).leaveOutOrBack(),
    });
    if (!step) return;
    event.preventDefault();
    step();
  };

  const finish = (value: string | undefined, isLeft: boolean) => {
    const row = rows.find(({ id }) => id === edited?.id);
    wantsFocus.current = !isLeft;
    setEdited(undefined);
    if (!row || !edited || value === undefined || value === editText(row, edited.field)) return;
    void importer.correct([row.id], { [edited.field]: value });
  };

  const editor = (row: Row, field: CorrectedField) => (
    <CellEditor
      row={row}
      rowLabel={rowLabelOf(row, isOfFiles)}
      field={field}
      categories={row.source?.categories ?? categories}
      sources={sources}
      typed={edited?.typed}
      onFinish={finish}
    />
  );
  const items = virtual.getVirtualItems();
  return (
    <div
      ref={container}
      class={`grid${sources.length > 0 ? ' of-several' : ''}${isOfFiles ? ' of-files' : ''}`}
      role="grid"
      aria-label={isOfFiles ? 'Rows of the files' : 'Rows of the file'}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-multiselectable={true}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <Header top={coveredTop} columns={columns} />
      <div role="rowgroup" class="grid-body" style={{ height: `${virtual.getTotalSize()}px` }}>
        {items.map((item) => {
          const row = rows[item.index];
          return (
            row && (
              <GridRow
                key={item.key}
                row={row}
                rowLabel={rowLabelOf(row, isOfFiles)}
                columns={columns}
                isSelected={selected.has(row.id)}
                index={item.index}
                start={item.start - scrollMargin}
                measure={virtual.measureElement}
                chosenColumn={at.index === item.index ? at.column : undefined}
                editor={
                  edited?.id === row.id ? { field: edited.field, node: editor(row, edited.field) } : undefined
                }
                categories={categories}
                onChoose={(column) => setPosition({ index: item.index, column })}
                onEdit={(column) => edit(item.index, column)}
                onSelect={(isRange) => props.onSelect(row.id, isRange)}
                changes={changesOf(row, importer)}
              />
            )
          );
        })}
      </div>
      {rows.length === 0 && <p class="hint empty">There are no such rows.</p>}
    </div>
  );
}

/**
 * Keeps the focus in the chosen cell.
 * @returns set it, and the cell gets the focus as soon as it is in the document
 */
function useCellFocus(
  container: RefObject<HTMLDivElement | null>,
  at: CellPosition,
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
    const cell = container.current?.querySelector<HTMLElement>(`[data-place="${at.index}:${at.column}"]`);
    if (cell) wantsFocus.current = false;
    const target = cell?.querySelector<HTMLElement>('input') ?? cell ?? (isLost ? container.current : null);
    target?.focus({ preventScroll: true });
  });
  return wantsFocus;
}

function Header({ top, columns }: { top: number; columns: readonly Column[] }) {
  return (
    <div role="rowgroup" class="grid-head" style={{ top: `${top}px` }}>
      <div role="row" class="grid-row" aria-rowindex={1}>
        {columns.map(({ name, id }: Column, index) => (
          <div key={id} role="columnheader" class={`cell ${id}`} aria-colindex={index + 1}>
            {id === 'select' ? <span class="sr-only">{name}</span> : name}
          </div>
        ))}
      </div>
    </div>
  );
}
