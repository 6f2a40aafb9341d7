/** How a file was read: in one line, with the use of each column. The controls open on request, and by themselves with a problem. */
import { useState } from 'preact/hooks';
import {
  BANK_NAMES,
  ENCODINGS,
  type ImportOptionName,
  type ImportOptions,
} from '../../../typescript/import/index.ts';
import { counted } from '../../page/format.ts';
import { useTyped } from '../../page/use-typed.ts';
import { Rates } from '../check/rates.tsx';
import type { Importer } from '../importer.ts';
import { type FileState, type ImportState, invalidRows, type ParseOptions } from '../state.ts';
import { Columns, ColumnsRead } from './columns.tsx';
import { Questions } from './questions.tsx';
import {
  bankName,
  DATE_FORMAT_NAMES,
  ENCODING_NAMES,
  FORMAT_NAMES,
  recognisedText,
} from './recognised-layout.ts';

interface Props {
  importer: Importer;
  state: ImportState;
  of: FileState;
  isBusy: boolean;
  isOnly: boolean;
  /** Begins the ids of the fields: each file has its own. */
  id: string;
}

export function FileSettings({ importer, state, of, isBusy, isOnly, id }: Props) {
  const { file, result, problem, parseOptions } = of;
  const recognised = result?.recognised;
  const table = problem?.table;
  const sheets = recognised?.sheets ?? table?.sheets;
  const format = recognised?.format ?? table?.format;
  const encoding = recognised?.encoding ?? table?.encoding;
  const isTable = format === undefined || format === 'csv' || format === 'xlsx';
  const set = (change: ParseOptions) => void importer.setParseOptions(file, change);
  const label = useTyped(parseOptions.accountLabel ?? '', (text) =>
    set({ accountLabel: text.trim() || undefined }),
  );
  const own = { id, problem: problem?.option };
  const invalid = invalidRows([result]);
  // The options that a problem has opened stay open when it is solved: the focus is in it.
  const [isOpen, setOpen] = useState(false);
  if (problem && !isOpen) setOpen(true);
  // No control makes a statement of a PDF. An earlier choice can always be taken back.
  const isSet = Object.values(parseOptions).some((value) => value !== undefined);
  const hasControls = !problem || problem.option !== undefined || table !== undefined || isSet;
  const isOfColumns = problem?.option === 'map' || problem?.option === 'ignore';
  const settings = (
    <div class="settings">
      <Choice
        {...own}
        option="format"
        label="Kind of file"
        value={parseOptions.format}
        found={format && FORMAT_NAMES[format]}
        choices={FORMAT_NAMES}
        onChange={(format) => set({ format: format as ParseOptions['format'] })}
      />
      {format !== 'xlsx' && (
        <Choice
          {...own}
          option="encoding"
          label="Encoding"
          value={parseOptions.encoding}
          found={encoding ? ENCODING_NAMES[encoding] : undefined}
          choices={Object.fromEntries(ENCODINGS.map((name) => [name, ENCODING_NAMES[name]]))}
          onChange={(encoding) => set({ encoding: encoding as ParseOptions['encoding'] })}
        />
      )}
      {sheets && sheets.length > 0 && (
        <Choice
          {...own}
          option="sheet"
          label="Sheet"
          value={parseOptions.sheet}
          found={recognised?.sheet ?? table?.sheet}
          choices={Object.fromEntries(sheets.map((name) => [name, name]))}
          onChange={(sheet) => set({ sheet })}
        />
      )}
      {isTable && (
        <Choice
          {...own}
          option="bank"
          label="Bank"
          value={parseOptions.bank}
          found={recognised ? (recognised.bank ? bankName(recognised.bank) : 'no known bank') : undefined}
          choices={Object.fromEntries(BANK_NAMES.map((name) => [name, bankName(name)]))}
          onChange={(bank) => set({ bank })}
        />
      )}
      {(isTable || format === 'qif') && (
        <>
          <Choice
            {...own}
            option="dateFormat"
            label="Order of dates"
            value={parseOptions.dateFormat}
            found={recognised?.dateFormat ? DATE_FORMAT_NAMES[recognised.dateFormat] : undefined}
            choices={DATE_FORMAT_NAMES}
            onChange={(dateFormat) => set({ dateFormat: dateFormat as ParseOptions['dateFormat'] })}
          />
          <Choice
            {...own}
            option="decimal"
            label="Decimal mark"
            value={parseOptions.decimal}
            found="point: 1,234.56"
            choices={{ '.': 'point: 1,234.56', ',': 'comma: 1.234,56' }}
            onChange={(decimal) => set({ decimal: decimal as ParseOptions['decimal'] })}
          />
        </>
      )}
      <div class="field">
        <label for={`${id}-account`}>Name of the bank account</label>
        <input
          id={`${id}-account`}
          type="text"
          maxLength={100}
          list="account-names"
          {...label}
          aria-describedby={`${id}-account-help`}
        />
        <p id={`${id}-account-help`} class="hint">
          Only if you import several accounts whose files do not name them. Use the same name each time.
        </p>
      </div>
    </div>
  );
  return (
    <section class="file" aria-labelledby={`${id}-name`} aria-busy={isBusy}>
      <div class="row-between">
        <h3 id={`${id}-name`} class="file-name">
          {file.name}
        </h3>
        <div class="actions">
          {!problem && (
            <button
              type="button"
              class="quiet small"
              aria-expanded={isOpen}
              aria-controls={`${id}-settings`}
              aria-label={`${isOpen ? 'Close' : 'Change'} how ${file.name} is read`}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Close' : 'Change'}
            </button>
          )}
          <button
            type="button"
            class="quiet small"
            aria-label={`Remove ${file.name}`}
            onClick={() => mayRemove(of) && void importer.removeFile(file)}
          >
            Remove
          </button>
        </div>
      </div>
      {problem ? (
        <p id={`${id}-problem`} class="note bad" role="alert">
          {problem.message}
        </p>
      ) : (
        <p class={`note${invalid.toCorrect > 0 ? ' warning' : result ? ' good' : ''}`}>
          {result ? recognisedText(result, invalid) : 'Reading…'}
        </p>
      )}
      <Rates importer={importer} state={state} of={of} />
      {!isOpen && <ColumnsRead of={of} isShort={!isOnly} />}
      {recognised?.keptFrom !== undefined && !problem && (
        <div class="row-between">
          <p class="hint">
            Your rules keep the use of these columns for files with this header{' '}
            {recognised.kind.accounts.length > 0
              ? `of ${recognised.kind.accounts.join(', ')}`
              : 'that name no bank account'}
            .
          </p>
          <button type="button" class="quiet small" onClick={() => void importer.forgetColumns(file)}>
            Forget it
          </button>
        </div>
      )}
      {isOpen && hasControls && (
        <div id={`${id}-settings`} class="file-settings">
          <Questions importer={importer} of={of} id={id} />
          {isTable && (!problem || isOfColumns) && <Columns importer={importer} of={of} id={id} />}
          {settings}
        </div>
      )}
    </section>
  );
}

/** Needs a confirmation before edits are lost. */
const mayRemove = ({ file, corrections: { size } }: FileState): boolean =>
  size === 0 || confirm(`Your changes to ${counted(size, 'row')} of ${file.name} will be lost.`);

interface ChoiceProps extends Pick<Props, 'id'> {
  /** The option that the last problem names. */
  problem: ImportOptionName | undefined;
  option: keyof ImportOptions;
  label: string;
  value: string | undefined;
  /** The findings of the reader. */
  found: string | undefined;
  choices: Record<string, string>;
  onChange: (value: string | undefined) => void;
}

function Choice({ id, problem, option, label, value, found, choices, onChange }: ChoiceProps) {
  const isWrong = problem === option;
  return (
    <div class="field">
      <label for={`${id}-${option}`}>{label}</label>
      <select
        id={`${id}-${option}`}
        value={value ?? ''}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-problem` : undefined}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
      >
        <option value="">{found === undefined ? 'Automatic' : `Automatic (${found})`}</option>
        {Object.entries(choices).map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
