/** Which column of the file is read as what: said in words, and as a drop-down for each column beside its first values. */
import type { Field } from '../../../typescript/import/index.ts';
import { columnsOf, type FileColumn, parseOptionsFor, type Use } from '../column-names.ts';
import type { Importer } from '../importer.ts';
import type { FileState } from '../state.ts';
import { DATE_FORMAT_NAMES, FIELD_NAMES } from './recognised-layout.ts';

/** In the order of the page. */
const FIELDS = Object.keys(FIELD_NAMES) as Field[];

interface Props {
  importer: Importer;
  of: FileState;
  /** Begins the ids of the fields: each file has its own. */
  id: string;
}

/** The fields in their order, with the column of each and its first value; then the unused columns. @param isShort in one line */
export function ColumnsRead({ of, isShort }: Pick<Props, 'of'> & { isShort: boolean }) {
  const columns = columnsOf(of);
  const { dateFormat } = of.result?.recognised ?? {};
  const read = FIELDS.flatMap((field) => columns.filter(({ use }) => use === field));
  const unread = columns.filter(({ use }) => use === 'none').map(({ name }) => name);
  if (read.length === 0) return null;
  if (isShort) {
    const texts = read.map(({ use, name }) => `${FIELD_NAMES[use as keyof typeof FIELD_NAMES]}: ${name}`);
    if (unread.length > 0) texts.push(`not used: ${unread.join(', ')}`);
    return <p class="hint">{texts.join(' · ')}</p>;
  }
  return (
    <>
      <dl class="columns-read">
        {read.map(({ index, use, name, values }) => (
          <div key={index}>
            <dt>{FIELD_NAMES[use as keyof typeof FIELD_NAMES]}</dt>
            <dd>{name}</dd>
            <dd class="hint">
              {values[0] ?? 'empty'}
              {use === 'date' && dateFormat && `, read as ${DATE_FORMAT_NAMES[dateFormat]}`}
            </dd>
          </div>
        ))}
      </dl>
      {unread.length > 0 && <p class="hint">Columns that are not used: {unread.join(', ')}.</p>}
    </>
  );
}

const OTHER_USES: Partial<Record<Use, string>> = {
  open: 'Choose…',
  other: 'Other details',
};

export function Columns({ importer, of, id }: Props) {
  const columns = columnsOf(of);
  if (columns.length === 0) return null;
  const set = (index: number, use: Use) =>
    void importer.setParseOptions(of.file, parseOptionsFor(of.parseOptions, columns, index, use));
  return (
    <table class="columns">
      <caption>The columns of the file</caption>
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">First values</th>
          <th scope="col">Read as</th>
        </tr>
      </thead>
      <tbody>
        {columns.map((column) => (
          <tr key={column.index} class={column.isUnresolved ? 'unresolved' : ''}>
            <th scope="row">
              <label for={`${id}-column-${column.index}`}>{column.name}</label>
            </th>
            <td>{column.values.join(' · ')}</td>
            <td>
              <UseOf id={id} column={column} onChange={(use) => set(column.index, use)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface UseProps extends Pick<Props, 'id'> {
  column: FileColumn;
  onChange: (use: Use) => void;
}

function UseOf({ id, column, onChange }: UseProps) {
  const { index, use, isUnresolved } = column;
  const other = OTHER_USES[use];
  return (
    <select
      id={`${id}-column-${index}`}
      value={use}
      aria-invalid={isUnresolved}
      aria-describedby={isUnresolved ? `${id}-problem` : undefined}
      onChange={(event) => onChange(event.currentTarget.value as Use)}
    >
      {other && <option value={use}>{other}</option>}
      {FIELDS.map((field) => (
        <option key={field} value={field}>
          {FIELD_NAMES[field]}
        </option>
      ))}
      <option value="none">Not used</option>
    </select>
  );
}
