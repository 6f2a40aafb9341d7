/** Which format a file is in: by its content where that is certain, else by its extension. */
import { type Format, ImportError } from '../options.ts';
import { requireReadable } from './other-files.ts';
import { namesOf } from './unzip.ts';

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

const OLE = [0xd0, 0xcf, 0x11, 0xe0];

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
  const isArchive = isZip(bytes);
  const first = () =>
    text()
      .slice(0, 4_000)
      .replace(/^\ufeff/, '');
  requireReadable({
    ...{ extension, isOle: startsWith(bytes, OLE), isZip: isArchive },
    start: String.fromCharCode(...bytes.subarray(0, 1_024)),
    text: () => (isArchive ? '' : first()),
    zip: isArchive ? namesOf(bytes) : [],
    has: (part) => includes(bytes, part),
  });
  if (isArchive) return 'xlsx';
  const start = first().trimStart();
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

function includes(bytes: Uint8Array, part: string): boolean {
  const [first = 0, ...rest] = Array.from(part, (character) => character.charCodeAt(0));
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (rest.every((code, index) => bytes[at + 1 + index] === code)) return true;
  }
  return false;
}

function startsWith(bytes: Uint8Array, start: number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
