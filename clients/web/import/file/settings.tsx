/** The options of a file that are not about its columns. */
import { BANK_NAMES } from '../../../typescript/import/columns/banks.ts';
import { Select } from '../../page/select.tsx';
import { useTyped } from '../../page/use-typed.ts';
import type { FileState, ParseOptions } from '../state.ts';
import { bankName, DATE_FORMAT_NAMES, ENCODING_NAMES, FORMAT_NAMES } from './recognised-text.ts';

interface Props {
  opened: FileState;
  /** Begins the ids of the fields: each file has its own. */
  id: string;
  set: (change: ParseOptions) => void;
}

interface Setting {
  option: keyof ParseOptions;
  label: string;
  /** The value that the reader has found, as a text. */
  found: string | undefined;
  choices: readonly (readonly [value: string, name: string])[];
}

const POINT = 'point: 1,234.56';
const namedValues = (names: readonly string[], nameOf = (name: string) => name) =>
  names.map((name) => [name, nameOf(name)] as const);

export function Settings({ opened, id, set }: Props) {
  const { problem, parseOptions } = opened;
  const label = useTyped(parseOptions.accountLabel ?? '', (text) =>
    set({ accountLabel: text.trim() || undefined }),
  );
  return (
    <div class="settings">
      {settingsOf(opened).map(({ option, label, found, choices }) => (
        <Select
          key={option}
          id={`${id}-${option}`}
          label={label}
          value={String(parseOptions[option] ?? '')}
          choices={[['', found === undefined ? 'Automatic' : `Automatic (${found})`], ...choices]}
          problem={problem?.option === option && `${id}-problem`}
          onChange={(value) => set({ [option]: value || undefined })}
        />
      ))}
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
}

function settingsOf({ result, problem }: FileState): Setting[] {
  const { recognised } = result ?? {};
  const { sheets = [], sheet, format, encoding } = recognised ?? problem?.table ?? {};
  const { bank, dateFormat } = recognised ?? {};
  const isTable = format === undefined || format === 'csv' || format === 'xlsx';
  const bankFound = recognised && (bank ? bankName(bank) : 'no known bank');
  const date = dateFormat ? DATE_FORMAT_NAMES[dateFormat] : undefined;
  const setting = (
    isOffered: boolean,
    option: Setting['option'],
    label: string,
    found: string | undefined,
    choices: Setting['choices'],
  ): Setting[] => (isOffered ? [{ option, label, found, choices }] : []);
  const coding = encoding ? ENCODING_NAMES[encoding] : undefined;
  const ofText = isTable || format === 'qif';
  return [
    ...setting(true, 'format', 'Kind of file', format && FORMAT_NAMES[format], Object.entries(FORMAT_NAMES)),
    ...setting(format !== 'xlsx', 'encoding', 'Encoding', coding, Object.entries(ENCODING_NAMES)),
    ...setting(sheets.length > 0, 'sheet', 'Sheet', sheet, namedValues(sheets)),
    ...setting(isTable, 'bank', 'Bank', bankFound, namedValues(BANK_NAMES, bankName)),
    ...setting(ofText, 'dateFormat', 'Order of dates', date, Object.entries(DATE_FORMAT_NAMES)),
    ...setting(ofText, 'decimal', 'Decimal mark', POINT, [
      ['.', POINT],
      [',', 'comma: 1.234,56'],
    ]),
  ];
}
