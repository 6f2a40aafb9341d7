/**
 * The rows of the file as a grid: one stop of the Tab key, arrows move, Enter, F2 or typing edits, Escape leaves the editor, Space
 * selects, Delete leaves the row out. The page scrolls, and only the rows in sight are in the document.
 */

import { useCallback, useRef } from 'preact/hooks';
import type { CategorySet, Source } from '../../../typescript/index.ts';
import { usePageVirtual } from '../../page/virtual.ts';
import type { Importer } from '../importer.ts';
import { CellEditor } from './cell-editor.tsx';
import { changesOf } from './changes-of-row.ts';
import { columnsFor, type GridColumn, GridRow, type GridRowProps } from './grid-row.tsx';
import type { CheckRow } from './rows.ts';
import { type Cells, useCells } from './use-cells.ts';

interface Props {
  importer: Importer;
  rows: readonly CheckRow[];
  selected: ReadonlySet<number>;
  categories: CategorySet | undefined;
  /** The properties and businesses to choose from; empty if all rows are of one. */
  sources: readonly Source[];
  /** Whether the rows are of several files. */
  isOfFiles: boolean;
  /** Pixels that the bar above the rows covers. */
  coveredTop: number;
  /** With `isRange`, the rows from the last selected one to this one. */
  onSelect: (row: number, isRange: boolean) => void;
  onSelectAll: () => void;
}

const CHECK_ROW_HEIGHT = 33;
const PROBLEM_HEIGHT = 56;
const heightOf = (row: CheckRow | undefined) =>
  row?.status === 'problem' || row?.status === 'probable' ? PROBLEM_HEIGHT : CHECK_ROW_HEIGHT;
/** Of the header of the grid, and of the bar at the bottom of the window. */
const HEADER_HEIGHT = 31;
const BAR_HEIGHT = 120;

export function RowsTable(props: Props) {
  const { rows, sources, isOfFiles, coveredTop } = props;
  const columns = columnsFor(sources.length > 0, isOfFiles);
  const container = useRef<HTMLDivElement>(null);
  const { virtualizer, scrollMargin } = usePageVirtual({
    covered: { top: coveredTop + HEADER_HEIGHT, bottom: BAR_HEIGHT },
    count: rows.length,
    container,
    estimate: useCallback((index: number) => heightOf(rows[index]), [rows]),
    keyOf: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
  });
  const scrollTo = (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' });
  const cells = useCells({ ...props, columns, container, scrollTo });
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
      onKeyDown={cells.onKeyDown}
    >
      <Header top={coveredTop} columns={columns} />
      <div role="rowgroup" class="grid-body" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return (
            row && (
              <RowInSight
                key={key}
                {...props}
                row={row}
                index={index}
                columns={columns}
                start={start - scrollMargin}
                measure={virtualizer.measureElement}
                cells={cells}
              />
            )
          );
        })}
      </div>
      {rows.length === 0 && <p class="hint empty">There are no such rows.</p>}
    </div>
  );
}

interface RowInSightProps
  extends Props,
    Pick<GridRowProps, 'row' | 'index' | 'columns' | 'start' | 'measure'> {
  cells: Cells;
}

/** A row, with the editor of its cell that is edited. */
function RowInSight({ cells, ...props }: RowInSightProps) {
  const { importer, row, index, selected, categories, sources, isOfFiles, onSelect } = props;
  const { chosen, edited, choose, edit, finish } = cells;
  const rowLabel = isOfFiles ? `${row.row} of ${row.file}` : `${row.row}`;
  const editor = edited?.id === row.id && (
    <CellEditor
      row={row}
      rowLabel={rowLabel}
      field={edited.field}
      categories={row.source?.categories ?? categories}
      sources={sources}
      typed={edited.typed}
      onFinish={finish}
    />
  );
  return (
    <GridRow
      row={row}
      rowLabel={rowLabel}
      columns={props.columns}
      isSelected={selected.has(row.id)}
      index={index}
      start={props.start}
      measure={props.measure}
      chosenColumn={chosen.index === index ? chosen.column : undefined}
      editor={editor ? { field: edited.field, node: editor } : undefined}
      categories={categories}
      onChoose={(column) => choose(index, column)}
      onEdit={(column) => edit(index, column)}
      onSelect={(isRange) => onSelect(row.id, isRange)}
      changes={changesOf(row, importer)}
    />
  );
}

function Header({ top, columns }: { top: number; columns: readonly GridColumn[] }) {
  return (
    <div role="rowgroup" class="grid-head" style={{ top: `${top}px` }}>
      <div role="row" class="grid-row" aria-rowindex={1}>
        {columns.map(({ name, id }: GridColumn, index) => (
          <div key={id} role="columnheader" class={`cell ${id}`} aria-colindex={index + 1}>
            {id === 'select' ? <span class="sr-only">{name}</span> : name}
          </div>
        ))}
      </div>
    </div>
  );
}
