/** Which column of the file is what: a drop-down for each field, above the first rows of the file. */
import { FIELDS, type Field } from '../../typescript/import/index.ts';
import { columnNames, mapFor, previewRows } from './column-names.ts';
import { Disclosure } from './disclosure.tsx';
import type { Importer } from './importer.ts';
import type { ImportState } from './state.ts';
import { FIELD_NAMES } from './words.ts';

interface Props {
  importer: Importer;
  state: ImportState;
}

export function Columns({ importer, state }: Props) {
  const { result, problem, reading } = state;
  const names = columnNames(state);
  if (names.length === 0) return null;
  const found = problem ? {} : (result?.recognised.columns ?? {});
  const isWrong = problem?.option === 'map';
  const set = (field: Field, value: string) =>
    void importer.setReading({ map: mapFor(reading.map, field, value, names) });
  return (
    <Disclosure title="Columns" hasProblem={isWrong} class="columns">
      <div class="settings">
        {FIELDS.map((field) => (
          <div class="field" key={field}>
            <label for={`map-${field}`}>{FIELD_NAMES[field]}</label>
            <select
              id={`map-${field}`}
              value={chosenColumn(reading.map?.[field], names) ?? found[field] ?? ''}
              aria-invalid={isWrong && (field === 'date' || field === 'amount')}
              aria-describedby={isWrong ? 'reading-problem' : undefined}
              onChange={(event) => set(field, event.currentTarget.value)}
            >
              <option value="">none</option>
              {names.map((name, index) => (
                <option key={`${index} ${name}`} value={index}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
      <Preview names={names} rows={previewRows(state)} />
    </Disclosure>
  );
}

/** The index of what the visitor has chosen; undefined if nothing was. */
function chosenColumn(name: string | undefined, names: readonly string[]): number | '' | undefined {
  if (name === undefined) return undefined;
  if (name === '') return '';
  const index = names.indexOf(name);
  return index === -1 ? Number(name) - 1 : index;
}

function Preview({ names, rows }: { names: readonly string[]; rows: readonly string[][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to
    <section class="preview" tabIndex={0} aria-label="The first rows of the file">
      <table>
        <thead>
          <tr>
            {names.map((name, index) => (
              <th key={`${index} ${name}`} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {names.map((name, index) => (
                <td key={`${index} ${name}`}>{row[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
