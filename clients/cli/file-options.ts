/** The options of the command that can name one of its files, such as `--account FILE=NAME` and `--map FILE:field=column,…`. */
import {
  type AmountColumns,
  FIELDS,
  type Field,
  type ImportOptions,
  MEANINGS,
  type Meaning,
  UNITS,
} from '../typescript/import/index.ts';
import { withFallback } from '../typescript/import/kept/merged-answers.ts';
import { columnAnswersOf, readAmountColumns, readValues } from '../typescript/import/rules/answers-text.ts';
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
  /** `FILE=NAME` */
  account?: string[];
}

export type FileOptions = Pick<
  ImportOptions,
  'accountLabel' | 'map' | 'ignore' | 'values' | 'unit' | 'rowMeanings' | 'amounts'
>;

/**
 * The options of each file. Those that name it precede the ones for all files, column by column and field by field.
 * @throws CliError for the name of a file that is not among the files, and for a repeated option
 */
export function fileOptions(
  names: readonly string[],
  given: NamedOptions & { accountLabel?: string },
): (name: string) => FileOptions {
  const accounts = accountsOf(names, given.account);
  const all = (Object.keys(PARSERS) as (keyof typeof PARSERS)[]).flatMap((option) =>
    (given[option] ?? []).map((text) => {
      const { file, rest } = fileAndRest(text, names);
      if (option === 'map' && file === undefined) requireNoFile(rest, names);
      return { file, options: PARSERS[option](rest) };
    }),
  );
  const optionsOf = (file: string | undefined) =>
    joined(all.flatMap((each) => (each.file === file ? [each.options] : [])));
  const ofAll = optionsOf(undefined);
  const byName = new Map(names.map((name) => [name, optionsOf(name)]));
  return (name) => {
    const own = byName.get(name) ?? {};
    return {
      ...withFallback(own, ofAll, []),
      accountLabel: accounts.get(name) ?? given.accountLabel,
      rowMeanings: { ...ofAll.rowMeanings, ...own.rowMeanings },
    };
  };
}

/** The reader's options that one value of an option means, without the name of a file. */
const PARSERS: Record<Exclude<keyof NamedOptions, 'account'>, (text: string) => FileOptions> = {
  map: (text) => ({ map: parseMap(text) }),
  ignore: (name) => ({ ignore: [name] }),
  amount: (text) => ({ amounts: [parseAmount(text)] }),
  values: (text) => ({ values: parseValues(text) }),
  unit: (text) => ({ unit: parseUnit(text) }),
  rows: (text) => ({ rowMeanings: parseRows(text) }),
};

/** The options of several values, all for one file or all for all files. */
function joined(options: readonly FileOptions[]): FileOptions {
  const map: FileOptions['map'] = {};
  for (const [field, column] of options.flatMap(
    (each) => Object.entries(each.map ?? {}) as [Field, string][],
  )) {
    if (Object.hasOwn(map, field)) throw twoColumns(field);
    map[field] = column;
  }
  const values: Record<string, Record<string, Meaning>> = {};
  for (const [column, meanings] of options.flatMap((each) => Object.entries(each.values ?? {})))
    values[column] = { ...values[column], ...meanings };
  return {
    ...columnAnswersOf({
      map,
      values,
      ignore: options.flatMap(({ ignore = [] }) => ignore),
      amounts: options.flatMap(({ amounts = [] }) => amounts),
      unit: options.findLast(({ unit }) => unit)?.unit,
    }),
    rowMeanings: Object.assign({}, ...options.map(({ rowMeanings }) => rowMeanings)),
  };
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

/** @throws CliError for a map behind the name of another file */
function requireNoFile(text: string, names: readonly string[]): void {
  const named = /^([^=]*):[^:=]*=/.exec(text)?.[1];
  if (named === undefined) return;
  throw usageError(
    `--map names the file ${named}, which this command is not given. Its files are: ${names.join(', ')}.`,
  );
}

const twoColumns = (field: string) => usageError(`--map names two columns for ${field}.`);

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
    if (Object.hasOwn(map, field)) throw twoColumns(field);
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
