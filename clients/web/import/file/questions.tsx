/** The questions that no choice of a column answers: values, lines between rows, the unit, and signs of files without columns. */
import { MEANINGS } from '../../../typescript/import/choices.ts';
import type { Choice, Meaning, Question } from '../../../typescript/import/index.ts';
import type { Importer } from '../importer.ts';
import type { FileState, ParseOptions } from '../state.ts';
import { FIELD_NAMES } from './recognised-layout.ts';

interface Props {
  importer: Importer;
  of: FileState;
  /** Begins the ids of the fields: each file has its own. */
  id: string;
}

/** A question that is open or answered. */
interface Item {
  label: string;
  answer: Choice | undefined;
  choices: readonly Choice[];
  /** @param answer undefined: the question is open again */
  change: (answer: Choice | undefined) => ParseOptions;
}

export function Questions({ importer, of, id }: Props) {
  const items = itemsOf(of);
  if (items.length === 0) return null;
  return (
    <fieldset class="settings questions">
      <legend>What the file does not say</legend>
      {items.map(({ label, answer, choices, change }, index) => (
        <div class="field" key={label}>
          <label for={`${id}-question-${index}`}>{label}</label>
          <select
            id={`${id}-question-${index}`}
            value={answer ?? ''}
            aria-invalid={answer === undefined}
            aria-describedby={answer === undefined ? `${id}-problem` : undefined}
            onChange={({ currentTarget: { value } }) =>
              void importer.setParseOptions(of.file, change((value || undefined) as Choice | undefined))
            }
          >
            <option value="">Choose…</option>
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {CHOICE_NAMES[choice]}
              </option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  );
}

const SIGNS = ['amount', 'spent', 'moneyIn', 'moneyOut', 'unsigned'] as const;

const CHOICE_NAMES: Record<Choice, string> = {
  ...FIELD_NAMES,
  amount: 'A minus is money out',
  spent: 'Money out, a minus is money back',
  in: 'Money in',
  out: 'Money out',
  skip: 'No payment',
  keep: 'Read the row as usual',
  ignore: 'Not used',
  pounds: 'Pounds',
  pence: 'Pence',
};

/** In an order that no answer changes. */
function itemsOf({ problem, parseOptions }: Pick<FileState, 'problem' | 'parseOptions'>): Item[] {
  const { values = {}, rows = {}, unit, map = {} } = parseOptions;
  const open = (kind: Question['kind']) => problem?.questions?.filter((each) => each.kind === kind) ?? [];
  const texts = [
    ...Object.entries(values).flatMap(([name, of]) => Object.keys(of).map((text) => [name, text] as const)),
    ...open('values').flatMap(({ name, values = [] }) => values.map((text) => [name, text] as const)),
  ].map(([name, text]): Item => {
    const { [text]: answer, ...others } = values[name] ?? {};
    return {
      ...{ label: `${text === '' ? 'An empty cell' : `“${text}”`} in ${name}`, answer, choices: MEANINGS },
      change: (to) => {
        const answered = { ...others, ...(to && { [text]: to as Meaning }) };
        const { [name]: _, ...rest } = values;
        return { values: Object.keys(answered).length > 0 ? { ...rest, [name]: answered } : rest };
      },
    };
  });
  const lines = [...Object.keys(rows).map(Number), ...open('heading').flatMap((each) => each.rows)].map(
    (row): Item => {
      const { [row]: answer, ...others } = rows;
      return {
        ...{ label: row === 0 ? 'The whole file' : `Row ${row}`, answer, choices: MEANINGS },
        change: (to) => ({ rows: { ...others, ...(to && { [row]: to as Meaning }) } }),
      };
    },
  );
  const fields = SIGNS.filter((field) => SIGN_FIELDS.includes(map[field] ?? ''));
  const signs = [
    ...fields.map((field) => map[field] ?? ''),
    ...open('direction').filter(isOfNoColumn).map(nameOf),
  ];
  return [
    ...unique(texts),
    ...unique(lines),
    ...unique(signs.map((name) => signItem(name, map))),
    ...(unit || open('unit').length > 0
      ? [
          {
            ...{ label: 'Unit of the amounts', answer: unit, choices: ['pounds', 'pence'] as const },
            change: (to: Choice | undefined) => ({ unit: to as typeof unit }),
          },
        ]
      : []),
  ];
}

/** The names of the amount in formats without columns. */
const SIGN_FIELDS = ['T', 'TRNAMT'];
const isOfNoColumn = ({ columns }: Question) => columns.length === 0;
const nameOf = ({ name }: Question) => name;

function signItem(name: string, map: NonNullable<ParseOptions['map']>): Item {
  const others = Object.fromEntries(Object.entries(map).filter(([, of]) => of !== name));
  return {
    ...{ label: `Amounts (${name})`, answer: SIGNS.find((field) => map[field] === name), choices: SIGNS },
    change: (to) => ({ map: { ...others, ...(to && { [to]: name }) } }),
  };
}

const unique = (items: readonly Item[]): Item[] =>
  [...new Map(items.map((item) => [item.label, item])).values()].sort((one, other) =>
    one.label.localeCompare(other.label, 'en', { numeric: true }),
  );
