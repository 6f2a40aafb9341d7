/** One row of the grid: its cells, with the problem of each beneath its text. */
import { type ComponentChildren, Fragment } from 'preact';
import type { CorrectedField } from '../../typescript/import/index.ts';
import type { CategorySet } from '../../typescript/index.ts';
import { count, dateText, pounds } from '../format.ts';
import type { Row, RowStanding } from './rows.ts';

export interface Column {
  id: string;
  name: string;
  field?: CorrectedField;
}

export const COLUMNS: Column[] = [
  { id: 'send', name: 'Push' },
  { id: 'line', name: 'Row' },
  { id: 'date', name: 'Date', field: 'date' },
  { id: 'description', name: 'Description', field: 'description' },
  { id: 'type', name: 'Type', field: 'type' },
  { id: 'amount', name: 'Amount', field: 'amount' },
  { id: 'category', name: 'Category', field: 'category' },
  { id: 'standing', name: 'State' },
];

const STANDINGS: Record<RowStanding, string> = {
  new: 'New',
  known: 'In the books',
  conflict: 'Differs',
  problem: 'Problem',
  leftOut: 'Left out',
  skipped: 'Skipped',
};

const PROBLEM_NAMES = {
  date: 'Date',
  amount: 'Amount',
  type: 'Type',
  description: 'Description',
  category: 'Category',
  reference: 'Reference',
};

const problemId = ({ row }: Row, field: string) => `problem-${row}-${field}`;

function typeName(type: string | undefined): string {
  if (type === 'income') return 'Income';
  return type === 'expense' ? 'Expense' : type || '–';
}

interface Props {
  row: Row;
  index: number;
  /** Pixels from the top. */
  start: number;
  measure: (element: HTMLElement | null) => void;
  /** The cell that has the stop of the Tab key, if it is in this row. */
  chosenColumn: number | undefined;
  editor: { field: CorrectedField; node: ComponentChildren } | undefined;
  categories: CategorySet | undefined;
  onChoose: (column: number) => void;
  onEdit: (column: number) => void;
  onLeaveOut: (isLeftOut: boolean) => void;
  onUndo: () => void;
}

export function GridRow(props: Props) {
  const { row, index, start, measure, editor, chosenColumn } = props;
  const { standing, problems } = row;
  return (
    <div
      ref={measure}
      role="row"
      class={`grid-row ${standing}${row.isEdited ? ' edited' : ''}`}
      aria-rowindex={index + 2}
      data-index={index}
      style={{ transform: `translateY(${start}px)` }}
    >
      {COLUMNS.map(({ id, field, name }, column) => {
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
            tabIndex={id !== 'send' && chosenColumn === column ? 0 : -1}
            onFocus={() => chosenColumn !== column && props.onChoose(column)}
            onClick={() => !isEdited && props.onEdit(column)}
          >
            {isEdited ? editor?.node : <CellText {...props} id={id} isStop={chosenColumn === column} />}
          </div>
        );
      })}
    </div>
  );
}

interface CellProps extends Props {
  id: string;
  isStop: boolean;
}

function CellText({ row, id, isStop, categories, onLeaveOut, onUndo }: CellProps) {
  const { entry, texts, standing, problems, note } = row;
  switch (id) {
    case 'send':
      return (
        <input
          type="checkbox"
          aria-label={`Push row ${row.row}`}
          checked={entry !== undefined || standing === 'problem'}
          disabled={!entry && standing !== 'problem' && standing !== 'leftOut'}
          tabIndex={isStop ? 0 : -1}
          onClick={(event) => event.stopPropagation()}
          onChange={(event) => onLeaveOut(!event.currentTarget.checked)}
        />
      );
    case 'line':
      return <>{count(row.row)}</>;
    case 'date':
      return <>{entry ? dateText(entry.date) : texts.date || '–'}</>;
    case 'type':
      return <>{typeName(entry?.type ?? texts.type)}</>;
    case 'amount':
      return <span class={entry?.type}>{entry ? pounds(entry.amountPence) : texts.amount || '–'}</span>;
    case 'category': {
      const key = entry ? (entry.category ?? '') : (texts.category ?? '');
      return <>{key === '' ? <span class="hint">Review queue</span> : labelOf(key, categories)}</>;
    }
    case 'description':
      return <>{(entry ? entry.description : texts.description) || <span class="hint">none</span>}</>;
    default: {
      const listed = Object.entries(problems) as [keyof typeof problems, string][];
      return (
        <Fragment>
          <span class={`state ${standing}`}>{STANDINGS[standing]}</span>
          {row.isEdited && (
            <button
              type="button"
              class="quiet small"
              tabIndex={-1}
              aria-label={`Undo the changes of row ${row.row}`}
              onClick={(event) => {
                event.stopPropagation();
                onUndo();
              }}
            >
              Undo
            </button>
          )}
          {listed.map(([field, message]) => (
            <span key={field} id={problemId(row, field)} class="cell-problem" title={message}>
              {field === 'row' ? '' : `${PROBLEM_NAMES[field]}: `}
              {message}
            </span>
          ))}
          {note && <span class="cell-note">{note}</span>}
        </Fragment>
      );
    }
  }
}

function labelOf(key: string, categories: CategorySet | undefined): string {
  const all = [...(categories?.income ?? []), ...(categories?.expense ?? [])];
  return all.find((category) => category.key === key)?.label ?? key;
}
