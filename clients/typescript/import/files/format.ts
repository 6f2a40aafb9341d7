/** Which format a file is in: by its content where that is certain, else by its extension. */
import { type Format, ImportError } from '../options.ts';

const FORMATS: Format[] = ['csv', 'xlsx', 'json', 'ndjson', 'ofx', 'camt', 'qif'];
const EXTENSIONS = new Map<string, Format>(
  Object.entries({
    csv: 'csv',
    tsv: 'csv',
    tab: 'csv',
    txt: 'csv',
    json: 'json',
    ndjson: 'ndjson',
    jsonl: 'ndjson',
    ofx: 'ofx',
    qfx: 'ofx',
    xml: 'camt',
    qif: 'qif',
  }),
);

/** Workbooks are zip archives. */
function isZip(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]);
}

/** @throws ImportError `unknown_format`, `unreadable_file` for a kind of file that is known and cannot be read */
export function chooseFormat(
  bytes: Uint8Array,
  text: () => string,
  format: string | undefined,
  fileName = '',
): Format {
  if (format !== undefined) {
    const named = FORMATS.find((each) => each === format.toLowerCase());
    if (named) return named;
    throw new ImportError(
      'unknown_format',
      `The format "${format}" is not known; the formats are ${FORMATS.join(', ')}.`,
      'format',
    );
  }
  const extension = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (extension === 'numbers') {
    throw new ImportError(
      'unreadable_file',
      'This is a spreadsheet of Numbers; export it as Excel or CSV and import that file.',
    );
  }
  if (isZip(bytes)) return 'xlsx';
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) {
    throw new ImportError('unreadable_file', 'This is a workbook of Excel 2003 or before; save it as .xlsx.');
  }
  if (startsWith(bytes, [0x25, 0x50, 0x44, 0x46])) {
    throw new ImportError(
      'unreadable_file',
      'This is a PDF; download the statement from the bank as CSV or OFX.',
    );
  }
  const start = text()
    .slice(0, 4_000)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (/<OFX>|^OFXHEADER/i.test(start)) return 'ofx';
  if (start.startsWith('<') && /\bcamt\.05\d\.|\bBkToCstmr/.test(start)) return 'camt';
  if (/^!(?:Type|Account|Option|Clear)\b/i.test(start)) return 'qif';
  if (/^[[{]/.test(start)) return EXTENSIONS.get(extension) ?? jsonOrLines(text());
  return EXTENSIONS.get(extension) ?? 'csv';
}

/** One value in all, or one on each line. */
function jsonOrLines(text: string): Format {
  const trimmed = text.trim();
  if (!trimmed.includes('\n')) return 'json';
  try {
    JSON.parse(trimmed);
    return 'json';
  } catch {
    return trimmed.startsWith('{') ? 'ndjson' : 'json';
  }
}

function startsWith(bytes: Uint8Array, start: number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
