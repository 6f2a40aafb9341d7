/** What was recognised, in words. */
import type { DateFormat, Encoding, Field, Format, ImportResult } from '../../typescript/import/index.ts';
import { count, counted } from '../format.ts';

export const FORMAT_NAMES: Record<Format, string> = {
  csv: 'CSV',
  xlsx: 'Excel',
  json: 'JSON',
  ndjson: 'NDJSON',
  ofx: 'OFX',
};

export const ENCODING_NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Windows-1252',
};

export const DATE_FORMAT_NAMES: Record<DateFormat, string> = {
  dmy: 'day, month, year',
  mdy: 'month, day, year',
  ymd: 'year, month, day',
};

export const FIELD_NAMES: Record<Field, string> = {
  date: 'Date',
  amount: 'Amount',
  moneyIn: 'Money in',
  moneyOut: 'Money out',
  description: 'Description',
  category: 'Category',
  type: 'Income or expense',
  reference: 'Reference',
};

const BANKS: Record<string, string> = {
  'bank-of-scotland': 'Bank of Scotland',
  hsbc: 'HSBC',
  natwest: 'NatWest',
  amex: 'American Express',
  rbs: 'RBS',
};

export const bankName = (bank: string): string => BANKS[bank] ?? bank.charAt(0).toUpperCase() + bank.slice(1);

/** For example `A Monzo export (CSV, UTF-8). Dates are read as day, month, year.` */
export function recognisedText(
  { recognised, rows, entries, skipped }: ImportResult,
  invalid: number,
): string {
  const { bank, format, encoding, dateFormat, sheet } = recognised;
  const kind = [FORMAT_NAMES[format], encoding && ENCODING_NAMES[encoding]].filter(Boolean).join(', ');
  const what = bank ? `An export of ${bankName(bank)} (${kind})` : `A table of no known bank (${kind})`;
  const isTable = format === 'csv' || format === 'xlsx';
  const parts = [
    isTable ? what : `A file in ${kind}`,
    sheet ? `, sheet “${sheet}”` : '',
    '. ',
    dateFormat ? `Dates are read as ${DATE_FORMAT_NAMES[dateFormat]}. ` : '',
    `${counted(rows, 'row')}: ${counted(entries.length, 'entry', 'entries')}`,
    skipped.length > 0 ? `, ${count(skipped.length)} skipped` : '',
    invalid > 0 ? `, ${count(invalid)} to correct on the next step` : '',
    '.',
  ];
  return parts.join('');
}
