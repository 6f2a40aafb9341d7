/** The columns of the file: their names, their use, and the effect of another choice on the reader. */
import { FIELDS, type Field } from '../../typescript/import/index.ts';
import type { FileState, ParseOptions } from './state.ts';

type Read = Pick<FileState, 'result' | 'problem' | 'parseOptions'>;

/** `other`: read without being a field, such as the currency. `none`: not used. `open`: a person has to say. */
export type Use = Field | 'other' | 'none' | 'open';

export interface FileColumn {
  /** From 0. */
  index: number;
  name: string;
  /** The first values that are not empty. */
  values: string[];
  use: Use;
  /** The field that it is read as, or would be if it were certain. */
  field: Field | undefined;
  /** It stands against reading the file. */
  isUnresolved: boolean;
}

const VALUES_SHOWN = 3;

/** Those with a name or a value. */
export function columnsOf({ result, problem, parseOptions }: Read): FileColumn[] {
  const recognised = problem ? undefined : result?.recognised;
  const { header, rows } = recognised
    ? { header: recognised.header, rows: recognised.sampleRows }
    : withHeader(problem?.table?.rows ?? []);
  const found = (recognised ?? problem?.table)?.columns ?? {};
  const width = Math.max(header.length, ...rows.map((row) => row.length));
  const names = Array.from({ length: width }, (_, index) => header[index] || `Column ${index + 1}`);
  const chosen = chosenColumns(parseOptions.map, names);
  const indexes = { ...found, ...chosen };
  const ignored = (parseOptions.ignore ?? []).map((name) => columnOf(name, names));
  const isOpen = (index: number) => problem?.unresolved?.includes(index) === true;
  const chosenField = (index: number) => FIELDS.find((each) => chosen[each] === index);
  const fieldOf = (index: number) => chosenField(index) ?? FIELDS.find((each) => indexes[each] === index);
  const useOf = (index: number): Use => {
    const field = isOpen(index) ? chosenField(index) : fieldOf(index);
    if (field) return field;
    if (ignored.includes(index)) return 'none';
    if (!recognised) return 'open';
    return recognised.ignored.includes(index) ? 'none' : 'other';
  };
  return names
    .map((name, index) => ({
      index,
      name,
      values: rows
        .map((row) => row[index] ?? '')
        .filter((text) => text !== '')
        .slice(0, VALUES_SHOWN),
      use: useOf(index),
      field: fieldOf(index),
      isUnresolved: isOpen(index) && useOf(index) === 'open',
    }))
    .filter(({ index, values }) => header[index] || values.length > 0);
}

/** The widest of the first rows, if it has texts alone, and the rows behind it. */
function withHeader(rows: readonly string[][]): { header: string[]; rows: readonly string[][] } {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const at = rows.findIndex((row) => row.length === width);
  const header = rows[at] ?? [];
  return header.some((cell) => /^[-+(£$€]*\d/.test(cell))
    ? { header: [], rows }
    : { header, rows: rows.slice(at + 1) };
}

/** The choices of the visitor, by index; undefined: none. */
function chosenColumns(
  map: ParseOptions['map'],
  names: readonly string[],
): Partial<Record<Field, number | undefined>> {
  return Object.fromEntries(
    Object.entries(map ?? {}).map(([field, name]) => [
      field,
      name === '' ? undefined : columnOf(name, names),
    ]),
  );
}

function columnOf(name: string, names: readonly string[]): number {
  const index = names.indexOf(name);
  return index === -1 ? Number(name) - 1 : index;
}

/** The settings once the column with this index is used in this way. */
export function parseOptionsFor(
  { map, ignore = [] }: ParseOptions,
  columns: readonly FileColumn[],
  index: number,
  use: Use,
): Pick<ParseOptions, 'map' | 'ignore'> {
  const names: string[] = [];
  for (const column of columns) names[column.index] = column.name;
  const before = columns.find((column) => column.index === index)?.field;
  const cleared = before ? without(map, before) : map;
  const own = columnFor(index, names);
  const replaced = columns
    .filter((column) => column.index !== index && isReplaced(column.use, use))
    .map((column) => columnFor(column.index, names));
  const others = [...ignore.filter((name) => name !== own), ...replaced];
  return {
    map: isField(use) ? mapFor(cleared, use, index, names) : cleared,
    ignore: use === 'none' ? [...others, own] : others,
  };
}

/** A name of the file may still make an amount of the column that a person has called spent. */
function without(
  { spent, ...map }: NonNullable<ParseOptions['map']> = {},
  field: Field,
): ParseOptions['map'] {
  return field === 'spent' ? { ...map, amount: '' } : { ...(spent && { spent }), ...map, [field]: '' };
}

const PAIR: readonly Use[] = ['moneyIn', 'moneyOut'];
const SINGLE: readonly Use[] = ['amount', 'spent'];

/** Whether a column of this use is not used once another column has the new use. */
const isReplaced = (use: Use, by: Use): boolean =>
  isField(use) &&
  (use === by ||
    (SINGLE.includes(use) && [...PAIR, ...SINGLE].includes(by)) ||
    (SINGLE.includes(by) && PAIR.includes(use)));

const isField = (use: Use | undefined): use is Field => FIELDS.some((field) => field === use);

/** The map with this column for this field. */
export function mapFor(
  map: ParseOptions['map'],
  field: Field,
  index: number,
  names: readonly string[],
): NonNullable<ParseOptions['map']> {
  const column = columnFor(index, names);
  const isOfMoney = SINGLE.includes(field) || PAIR.includes(field);
  if (!isOfMoney) return { ...map, [field]: column };
  // One amount, or a pair: the reader takes a file in one of the two ways.
  const { amount: _, spent: __, ...others } = map ?? {};
  const rest: NonNullable<ParseOptions['map']> = { ...others, [field]: column };
  if (SINGLE.includes(field)) return { ...rest, moneyIn: '', moneyOut: '' };
  const other = field === 'moneyIn' ? 'moneyOut' : 'moneyIn';
  if (rest[other] === '') delete rest[other];
  return rest;
}

/** A name where it is the only one of its kind: numbers alone also fit the lines before the header. */
function columnFor(index: number, names: readonly string[]): string {
  const name = names[index] ?? '';
  const key = (text = '') => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const isUnique = names.filter((other) => key(other) === key(name)).length === 1;
  const isName = key(name) !== '' && !/^Column \d+/.test(name) && !/^\d+$/.test(name.trim());
  return isUnique && isName ? name : String(index + 1);
}
