/** The kind of a file: its accounts, its format and its header, for which answers about columns are kept. */

import { columnsNamed } from '../columns/column-names.ts';
import { certainLayout } from '../columns/header-row.ts';
import { cleanText, headerKey, type TableRow } from '../files/cells.ts';
import { PREAMBLE_ROWS } from '../files/csv.ts';
import type { Format, ImportOptions, KindOfFile } from '../options.ts';
import type { Recognised } from '../result.ts';
import { columnAnswersOf } from '../rules/answers-text.ts';
import type { KindEvidence, ResultWithKept } from './read-with-kept.ts';

/** Columns of the names of accounts. */
const ACCOUNT_KEYS = ['account', 'accountname', 'accountnumber'];
/** A column with more values lists other accounts than bank accounts. */
const ACCOUNTS_MAX = 5;

/** A letter, or a number other than 0. */
const CONTENT = /[1-9\p{L}]/u;

/** A file without columns: its format alone is its kind. */
export const kindOfRecords = (format: Format): KindEvidence => ({
  format,
  hasHeader: () => true,
  header: () => [],
  accountsIn: () => [],
});

export function kindOfTable(rows: readonly TableRow[], format: Format, options: ImportOptions): KindEvidence {
  const found = () => certainLayout(rows, options).header;
  return {
    format,
    hasHeader: (header) =>
      isWithoutNames(header)
        ? found().length === 0 && widthOfFirstRows(rows) === header.length
        : headerIndex(rows, header) !== -1,
    header: () => headerTexts(found()),
    accountsIn: (header) => accountsBelow(rows, header),
  };
}

/** The index of the row with these texts among the first rows. */
export function headerIndex(rows: readonly TableRow[], header: readonly string[]): number {
  if (isWithoutNames(header)) return -1;
  const isHeader = ({ cells }: TableRow) => {
    const names = headerTexts(cells);
    return names.length === header.length && names.every((name, index) => name === header[index]);
  };
  return rows.slice(0, PREAMBLE_ROWS).findIndex(isHeader);
}

/** The answers of a read file, and the kind of file that they can be kept for. */
export function kindAndAnswers(
  { options, accounts, keptFrom }: Omit<ResultWithKept<unknown>, 'read'>,
  format: Format,
  table?: { rows: readonly TableRow[]; headerRow: number | null },
): Pick<Recognised, 'kind' | 'answers' | 'keptFrom'> {
  const answers = columnAnswersOf(options);
  const kind = (header: readonly string[]): KindOfFile => ({ accounts: [...accounts], format, header });
  const kept = keptFrom === undefined ? {} : { keptFrom };
  if (!table) return { kind: kind([]), answers, ...kept };
  const { rows, headerRow } = table;
  const at = rows.findIndex(({ row }) => row === headerRow);
  const header =
    at === -1 ? Array<string>(widthOfFirstRows(rows)).fill('') : headerTexts(rows[at]?.cells ?? []);
  const keys = header.map(headerKey);
  const below = rows.slice(at + 1);
  const isFilled = (name: string) =>
    columnsNamed(name, keys).some((index) => below.some(({ cells }) => CONTENT.test(cells[index] ?? '')));
  const ignore = answers.ignore?.filter(isFilled);
  return { kind: kind(header), answers: columnAnswersOf({ ...answers, ignore }), ...kept };
}

const isWithoutNames = (header: readonly string[]) => header.every((name) => name === '');

const widthOfFirstRows = (rows: readonly TableRow[]): number =>
  rows.slice(0, PREAMBLE_ROWS).reduce((most, { cells }) => Math.max(most, cells.length), 0);

/** The texts of a header, without empty ones at its end. */
function headerTexts(cells: readonly string[]): string[] {
  const names = cells.map(cleanText);
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1);
}

function accountsBelow(rows: readonly TableRow[], header: readonly string[]): string[] {
  const column = header.findIndex((name) => ACCOUNT_KEYS.includes(headerKey(name)));
  if (column === -1) return [];
  const below = rows.slice(headerIndex(rows, header) + 1);
  const names = new Set(below.map(({ cells }) => cleanText(cells[column] ?? '')));
  return names.size > ACCOUNTS_MAX || names.has('') ? [] : [...names];
}
