/** The options of the command that can name one of its files, such as `--account FILE=NAME` and `--map FILE:field=column,…`. */
import {
  type AmountColumns,
  FIELDS,
  type ImportOptions,
  MEANINGS,
  type Meaning,
  UNITS,
} from '../typescript/import/index.ts';
import { readAmountColumns, readValues } from '../typescript/import/rules/choices-text.ts';
import { usageError } from './exit.ts';

/** As the command line has them: each for all files, or behind the name of one and a colon. */
export interface NamedOptions {
  /** `FIELD=COLUMN,…` */
  map?: string[];
  /** `COLUMN` */
  ignore?: string[];
  /** `COLUMN[+COLUMN…]=in|out[,CATEGORY[,SOURCE]]` */
  amount?: string[];
  /** `COLUMN: VALUE=MEANING, …` */
  values?: string[];
  /** `pounds` or `pence` */
  unit?: string[];
  /** `ROW=MEANING,…` */
  rows?: string[];
  /** The name of the bank account of all files. */
  accountLabel?: string | undefined;
  /** `FILE=NAME` */
  account?: string[];
}

export type FileOptions = Pick<
  ImportOptions,
  'accountLabel' | 'map' | 'ignore' | 'values' | 'unit' | 'rowMeanings' | 'amounts'
>;

/**
 * The options of each file. An account or a map for one file replaces the one for all files. The values of the other options add up; of two for one
 * column or row, and of two units, the one for the file counts.
 * @throws CliError for a value that cannot be read, for --account and --map with another file, and for a field that --map names twice
 */
export function fileOptions(names: readonly string[], given: NamedOptions): (name: string) => FileOptions {
  const accounts = accountsOf(names, given.account);
  const maps = mapsOf(names, given.map);
  const ignored = valuesByFile(names, given.ignore, (rest) => rest);
  const valuesOf = valuesByFile(names, given.values, parseValues);
  const units = valuesByFile(names, given.unit, parseUnit);
  const rowsOf = valuesByFile(names, given.rows, parseRows);
  const amountsOf = valuesByFile(names, given.amount, parseAmount);
  return (name) => ({
    accountLabel: accounts.get(name) ?? given.accountLabel,
    map: maps.get(name) ?? maps.get(undefined),
    ignore: ignored(name),
    values: Object.fromEntries(valuesOf(name).flatMap((each) => Object.entries(each))),
    amounts: amountsOf(name),
    unit: units(name).at(-1),
    rowMeanings: Object.fromEntries(rowsOf(name).flatMap((each) => Object.entries(each))),
  });
}

/** The values of an option for a file: those for all files, then its own. */
function valuesByFile<Value>(
  names: readonly string[],
  texts: readonly string[] = [],
  parse: (text: string) => Value,
) {
  const all = texts.map((text) => {
    const { file, rest } = fileAndRest(text, names);
    return { file, value: parse(rest) };
  });
  return (name: string): Value[] =>
    [undefined, name].flatMap((each) => all.filter(({ file }) => file === each).map(({ value }) => value));
}

function parseValues(text: string): Record<string, Record<string, Meaning>> {
  const read = readValues(text);
  if ('problem' in read) throw usageError(`--values ${read.problem}.`);
  return { [read.column]: read.values };
}

function parseAmount(text: string): AmountColumns {
  const read = readAmountColumns(text);
  if (!('problem' in read)) return read;
  throw usageError(
    '--amount takes the columns of one amount and its direction, such as "Rent=in,periodAmount" or "Fee+VAT=out,professionalFees". A column whose name has a + goes by its number.',
  );
}

function parseUnit(text: string): (typeof UNITS)[number] {
  const unit = UNITS.find((each) => each === text);
  if (unit) return unit;
  throw usageError(`--unit takes ${UNITS.join(' or ')}.`);
}

function parseRows(text: string): Record<number, Meaning> {
  const pairs = text.split(',').map((pair): [number, Meaning] => {
    const [, row, name] = /^\s*(\d+)\s*=\s*(\w+)\s*$/.exec(pair) ?? [];
    const meaning = MEANINGS.find((each) => each === name);
    if (meaning) return [Number(row), meaning];
    throw usageError(`--rows takes pairs such as 7=skip,12=out; the meanings are ${MEANINGS.join(', ')}.`);
  });
  return Object.fromEntries(pairs);
}

/** File names may contain colons: matches the names given to the command, the longest first. */
function fileAndRest(text: string, names: readonly string[]): { file?: string; rest: string } {
  const [file] = names
    .filter((name) => text.startsWith(`${name}:`))
    .sort((one, two) => two.length - one.length);
  return file === undefined ? { rest: text } : { file, rest: text.slice(file.length + 1) };
}

function mapsOf(names: readonly string[], texts: readonly string[] = []) {
  const maps = new Map<string | undefined, Record<string, string>>();
  for (const text of texts) {
    const { file, rest } = fileAndRest(text, names);
    const named = file === undefined ? /^([^=]*):[^:=]*=/.exec(rest)?.[1] : undefined;
    if (named !== undefined) {
      throw usageError(
        `--map names the file ${named}, which this command is not given. Its files are: ${names.join(', ')}.`,
      );
    }
    const map = maps.get(file) ?? {};
    for (const [field, column] of Object.entries(parseMap(rest))) {
      if (Object.hasOwn(map, field)) throw usageError(`--map names two columns for ${field}.`);
      map[field] = column;
    }
    maps.set(file, map);
  }
  return maps;
}

function parseMap(text: string): Record<string, string> {
  const map: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const [name = '', ...column] = pair.split('=');
    const field = name.trim();
    // An empty name leaves the column out.
    if (!(FIELDS as readonly string[]).includes(field) || column.length === 0) {
      throw usageError(
        `--map takes pairs such as date=Datum,amount=Betrag, for one of several files behind its name and a colon; the fields are ${FIELDS.join(', ')}.`,
      );
    }
    if (Object.hasOwn(map, field)) throw usageError(`--map names two columns for ${field}.`);
    map[field] = column.join('=').trim();
  }
  return map;
}

function accountsOf(names: readonly string[], pairs: readonly string[] = []): Map<string, string> {
  const accounts = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=');
    const [file, label] = [pair.slice(0, Math.max(at, 0)), pair.slice(at + 1).trim()];
    if (!names.includes(file) || label === '') {
      throw usageError(
        `--account takes one of the files and a name, such as --account "${names[0]}=Joint account".`,
      );
    }
    accounts.set(file, label);
  }
  return accounts;
}
