/** Says in words how a file was read. */

import type { DateFormat, Encoding, Format, ImportResult } from '../../../typescript/import/index.ts';
import { counted, dateText, daysText } from '../../page/format.ts';
import type { InvalidRows } from '../selectors.ts';

export const FORMAT_NAMES: Record<Format, string> = {
  csv: 'CSV',
  xlsx: 'Excel',
  json: 'JSON',
  ndjson: 'NDJSON',
  ofx: 'OFX',
  camt: 'CAMT.053',
  qif: 'QIF',
};

export const ENCODING_NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Windows-1252',
  'iso-8859-15': 'ISO 8859-15 (Latin-9)',
  'iso-8859-2': 'ISO 8859-2 (Central Europe)',
  'windows-1250': 'Windows-1250 (Central Europe)',
};

export const DATE_FORMAT_NAMES: Record<DateFormat, string> = {
  dmy: 'day, month, year',
  mdy: 'month, day, year',
  ymd: 'year, month, day',
};

const BANK_LABELS: Record<string, string> = {
  'bank-of-scotland': 'Bank of Scotland',
  hsbc: 'HSBC',
  natwest: 'NatWest',
  amex: 'American Express',
  rbs: 'RBS',
};

/** The name of a bank for people. */
export const bankName = (bank: string): string =>
  BANK_LABELS[bank] ?? bank.charAt(0).toUpperCase() + bank.slice(1);

/** For example `Monzo, 387 rows, 1 October 2025 to 30 November 2026.` */
export function recognisedText(
  { recognised, rowCount, entries, skipped }: ImportResult,
  { toCorrect, withoutProperty }: InvalidRows,
): string {
  const { bank, format, sheet, keptFrom } = recognised;
  const parts = [
    bank ? bankName(bank) : `${FORMAT_NAMES[format]} file`,
    sheet && `sheet “${sheet}”`,
    counted(rowCount, 'row'),
    entries.length > 0 && daysText(entries),
  ];
  const left = [
    keptFrom !== undefined && ` Columns as chosen on ${dateText(keptFrom)}.`,
    skipped.length > 0 && ` ${counted(skipped.length, 'row is', 'rows are')} skipped.`,
    toCorrect > 0 && ` ${counted(toCorrect, 'row')} to correct on the next step.`,
    withoutProperty > 0 &&
      ` The next step decides where ${counted(withoutProperty, 'row belongs', 'rows belong')}.`,
  ];
  return `${parts.filter(Boolean).join(', ')}.${left.filter(Boolean).join('')}`;
}
