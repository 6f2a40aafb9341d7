/** The options of the command that name one of its files: `--account FILE=NAME`, `--map FILE:field=column,…`, `--ignore FILE:column`, `--amount FILE:column=in`. */
import { FIELDS, type ImportOptions } from '../typescript/import/index.ts';
import { parseAmount } from './amount-options.ts';
import { usageError } from './exit.ts';

export interface NamedOptions {
  accountLabel?: string | undefined;
  account?: readonly string[];
  map?: readonly string[];
  ignore?: readonly string[];
  amount?: readonly string[];
}

export type FileOptions = Pick<ImportOptions, 'accountLabel' | 'map' | 'ignore' | 'amounts'>;

/**
 * The options of each file. An option that names the file precedes one for all files.
 * @throws CliError for the name of a file that is not among the files, and for a repeated option
 */
export function fileOptions(
  names: readonly string[],
  { accountLabel, account = [], map = [], ignore = [], amount = [] }: NamedOptions,
): (name: string) => FileOptions {
  const accounts = accountsOf(names, account);
  const maps = mapsOf(names, map);
  const ignored = ignore.map((text) => ofFile(text, names));
  const amounts = amount.map((text) => {
    const { file, rest } = ofFile(text, names);
    return { file, amount: parseAmount(rest) };
  });
  const amountsOf = (name: string) => {
    const own = amounts.filter(({ file }) => file === name);
    return own.length > 0 ? own : amounts.filter(({ file }) => file === undefined);
  };
  return (name) => ({
    accountLabel: accounts.get(name) ?? accountLabel,
    map: maps.get(name) ?? maps.get(undefined),
    ignore: ignored.filter(({ file }) => file === undefined || file === name).map(({ rest }) => rest),
    amounts: amountsOf(name).map(({ amount }) => amount),
  });
}

/** File names may contain colons: matches the names given to the command, the longest first. */
function ofFile(text: string, names: readonly string[]): { file?: string; rest: string } {
  const [file] = names
    .filter((name) => text.startsWith(`${name}:`))
    .sort((one, two) => two.length - one.length);
  return file === undefined ? { rest: text } : { file, rest: text.slice(file.length + 1) };
}

function mapsOf(names: readonly string[], texts: readonly string[]) {
  const maps = new Map<string | undefined, Record<string, string>>();
  for (const text of texts) {
    const { file, rest } = ofFile(text, names);
    const named = file === undefined ? /^([^=]*):[^:=]*=/.exec(rest)?.[1] : undefined;
    if (named !== undefined) {
      throw usageError(
        `--map names the file ${named}, which this command is not given. Its files are: ${names.join(', ')}.`,
      );
    }
    if (maps.has(file)) {
      throw usageError(
        `--map is given twice for ${file ?? 'all files'}: put the columns into one, after commas.`,
      );
    }
    maps.set(file, parseMap(rest));
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

function accountsOf(names: readonly string[], pairs: readonly string[]): Map<string, string> {
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
