/** The names of the columns, and what a choice among them means for the reader. */
import type { Field } from '../../typescript/import/index.ts';
import type { ImportState, Reading } from './state.ts';

type Read = Pick<ImportState, 'result' | 'problem'>;
const ROWS_SHOWN = 5;

/** By the header; where there is none, by number with an example. */
export function columnNames({ result, problem }: Read): string[] {
  const recognised = problem ? undefined : result?.recognised;
  const rows = problem ? (problem.table?.rows ?? []) : (recognised?.sampleRows ?? []);
  const header = recognised?.header ?? [];
  const width = Math.max(header.length, ...rows.map((row) => row.length));
  const widest = rows.find((row) => row.length === width);
  return Array.from({ length: width }, (_, index) => {
    const name = header[index] ?? '';
    if (name !== '') return name;
    const example = (recognised ? '' : widest?.[index]) ?? '';
    return `Column ${index + 1}${example === '' ? '' : ` (${example.slice(0, 30)})`}`;
  });
}

export function previewRows({ result, problem }: Read): string[][] {
  const rows = problem ? (problem.table?.rows ?? []) : (result?.recognised.sampleRows ?? []);
  return rows.slice(0, ROWS_SHOWN);
}

/**
 * The map with this choice in it.
 * @param value the index of the column, or the empty text for none
 */
export function mapFor(
  map: Reading['map'],
  field: Field,
  value: string,
  names: readonly string[],
): NonNullable<Reading['map']> {
  const next = { ...map, [field]: value === '' ? '' : columnFor(Number(value), names) };
  // One amount, or a pair: the reader takes a file in one of the two ways.
  if (value !== '' && field === 'amount') return { ...next, moneyIn: '', moneyOut: '' };
  if (value !== '' && (field === 'moneyIn' || field === 'moneyOut')) {
    const { amount: _, ...rest } = next;
    const other = field === 'moneyIn' ? 'moneyOut' : 'moneyIn';
    if (rest[other] === '') delete rest[other];
    return rest;
  }
  return next;
}

/** A name where it is the only one of its kind: numbers alone also fit the lines before the header. */
function columnFor(index: number, names: readonly string[]): string {
  const name = names[index] ?? '';
  const key = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const isUnique = names.filter((other) => key(other) === key(name)).length === 1;
  const isName = key(name) !== '' && !/^Column \d+/.test(name) && !/^\d+$/.test(name.trim());
  return isUnique && isName ? name : String(index + 1);
}
