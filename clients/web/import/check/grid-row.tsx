/** One row of the grid: its cells, with the problem of each beneath its text. */
import type { ComponentChildren } from 'preact';
import type { CorrectedField } from '../../../typescript/import/index.ts';
import type { CategorySet } from '../../../typescript/index.ts';
import { NO_CATEGORY } from '../../books/labels.ts';
import { count } from '../../page/format.ts';
import type { ChangesOfRow } from './changes-of-row.ts';
import { FIELD_LABELS, fieldText, ROW_FIELDS } from './field-texts.ts';
import { type CheckRow, canBeLeftOut, type RowStatus } from './rows.ts';

export interface GridColumn {
  id: string;
  name: string;
  field?: CorrectedField;
}

const GRID_COLUMNS: readonly GridColumn[] = [
  { id: 'select', name: 'Select' },
  { id: 'file', name: 'File' },
  { id: 'line', name: 'Row' },
  ...ROW_FIELDS.map((field) => ({ id: field, name: FIELD_LABELS[field], field })),
  { id: 'status', name: 'State' },
];

/** Rows that are all of one source, or of one file, need no column for it. */
export const columnsFor = (isOfSources: boolean, isOfFiles: boolean): readonly GridColumn[] =>
  GRID_COLUMNS.filter(({ id }) => (isOfSources || id !== 'source') && (isOfFiles || id !== 'file'));

const STATUS_TEXTS: Record<RowStatus, string> = {
  read: '…',
  new: 'New',
  known: 'In the books',
  joined: 'Known by decision',
  conflict: 'Differs',
  elsewhere: 'In another property',
  taken: 'Reference taken',
  problem: 'Problem',
  probable: 'Probably in the books',
  repeated: 'In another file',
  leftOut: 'Left out',
  skipped: 'Skipped',
};

const problemId = ({ id }: CheckRow, field: string) => `problem-${id}-${field}`;

export interface GridRowProps {
  row: CheckRow;
  /** The number of the row, with its file if there are several. */
  rowLabel: string;
  columns: readonly GridColumn[];
  isSelected: boolean;
  index: number;
  /** The pixels from the top of the table to the row. */
  start: number;
  measure: (element: HTMLElement | null) => void;
  /** The cell that has the stop of the Tab key, if it is in this row. */
  chosenColumn: number | undefined;
  editor: { field: CorrectedField; node: ComponentChildren } | undefined;
  categories: CategorySet | undefined;
  onChoose: (column: number) => void;
  onEdit: (column: number) => void;
  /** With `isRange`, the rows up to this one. */
  onSelect: (isRange: boolean) => void;
  changes: ChangesOfRow;
}

export function GridRow(props: GridRowProps) {
  const { row, columns, index, start, measure, editor, chosenColumn } = props;
  const { status, problems } = row;
  return (
    <div
      ref={measure}
      role="row"
      class={`grid-row ${status}${row.original ? ' edited' : ''}${row.isWithoutSource ? ' withoutSource' : ''}`}
      aria-selected={props.isSelected}
      aria-rowindex={index + 2}
      data-index={index}
      style={{ transform: `translateY(${start}px)` }}
    >
      {columns.map(({ id, field, name }, column) => {
        const problem = field && problems[field];
        const isEdited = field !== undefined && editor?.field === field;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of all its cells
          <div
            key={id}
            role="gridcell"
            class={`cell ${id}`}
            aria-colindex={column + 1}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? problemId(row, field) : undefined}
            aria-readonly={field ? undefined : true}
            data-place={`${index}:${column}`}
            data-name={name}
            tabIndex={id !== 'select' && chosenColumn === column ? 0 : -1}
            onFocusCapture={() => chosenColumn !== column && props.onChoose(column)}
            onClick={() => !isEdited && props.onEdit(column)}
          >
            {id === 'status' ? (
              <Status {...props} />
            ) : isEdited ? (
              editor?.node
            ) : (
              <CellText {...props} id={id} field={field} isStop={chosenColumn === column} />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface CellProps extends GridRowProps {
  id: string;
  field: CorrectedField | undefined;
  isStop: boolean;
}

function CellText({ row, rowLabel, id, field, isStop, isSelected, categories, onSelect }: CellProps) {
  if (id === 'select') {
    return (
      <input
        type="checkbox"
        aria-label={`Select row ${rowLabel}`}
        checked={isSelected}
        tabIndex={isStop ? 0 : -1}
        onClick={(event) => {
          event.stopPropagation();
          onSelect(event.shiftKey);
        }}
      />
    );
  }
  if (id === 'line') return <>{count(row.row)}</>;
  if (id === 'file') return <span title={row.file}>{row.file}</span>;
  if (!field) return null;
  const text = fieldText(row, field, categories);
  const before = row.original && fieldText(row.original, field, categories);
  return (
    <>
      {text === '' ? (
        <span class="hint">{emptyText(row, field)}</span>
      ) : (
        <span class={cellClass(row, field)} title={text}>
          {field === 'category' ? withWholeAmounts(text) : text}
        </span>
      )}
      {before !== undefined && before !== text && (
        <span class="cell-note">was {before === '' ? emptyText(row, field).toLowerCase() : before}</span>
      )}
    </>
  );
}

/** Amounts of parts, which do not break: `-£12.50 Admin costs, -£336.42 Cost of goods` */
const withWholeAmounts = (text: string) =>
  text.split(/(-?£[\d,.]+\d)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} class="pence">
        {part}
      </span>
    ),
  );

const cellClass = ({ entry }: CheckRow, field: CorrectedField) =>
  field === 'amount' ? entry?.type : undefined;

/** Only an entry is sorted in the app: a row with a problem, or one that is left out, is not sent. */
const emptyText = ({ entry, status }: CheckRow, field: CorrectedField) =>
  field === 'category' && entry && status !== 'leftOut' ? NO_CATEGORY : 'None';

function Status({ row, rowLabel, changes }: GridRowProps) {
  const { status, problems, note } = row;
  return (
    <>
      <span class={`state ${row.isWithoutSource ? 'withoutSource' : status}`}>{statusText(row)}</span>
      {row.original && (
        <RowButton
          name="Restore"
          label={`Restore row ${rowLabel} as the file has it`}
          onClick={changes.restore}
        />
      )}
      {canBeLeftOut(row) && (
        <RowButton
          name="Leave out"
          isQuiet={status !== 'probable'}
          label={`Leave out row ${rowLabel}`}
          onClick={changes.leaveOutOrBack}
        />
      )}
      {status === 'probable' && (
        <RowButton
          name="Another payment"
          label={`Import row ${rowLabel} as another payment`}
          onClick={changes.importAsOther}
        />
      )}
      {row.isDecided && (
        <RowButton
          name="Decide again"
          label={`Decide again about row ${rowLabel}`}
          onClick={changes.reopen}
        />
      )}
      {status === 'leftOut' && (
        <RowButton name="Bring back" label={`Bring back row ${rowLabel}`} onClick={changes.leaveOutOrBack} />
      )}
      {Object.entries(problems).map(([field, message]) => (
        <span
          key={field}
          id={problemId(row, field)}
          class={row.isWithoutSource ? 'cell-note' : 'cell-problem'}
          title={message}
        >
          {field === 'row' ? '' : `${FIELD_LABELS[field as CorrectedField] ?? 'Reference'}: `}
          {message}
        </span>
      ))}
      {note && (
        <span class="cell-note" title={note}>
          {note}
        </span>
      )}
    </>
  );
}

function statusText({ status, isCorrection, isWithoutSource }: CheckRow): string {
  if (isWithoutSource) return 'No property';
  return isCorrection ? 'Probably a correction' : STATUS_TEXTS[status];
}

interface RowButtonProps {
  name: string;
  label: string;
  /** In sight only while the pointer is on the row, if there is a pointer. */
  isQuiet?: boolean;
  onClick: () => void;
}

/** By keyboard, Enter and Delete in the grid do the same. */
function RowButton({ name, label, isQuiet, onClick }: RowButtonProps) {
  return (
    <button
      type="button"
      class={`quiet small${isQuiet ? ' hovered' : ''}`}
      tabIndex={-1}
      aria-label={label}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      {name}
    </button>
  );
}
