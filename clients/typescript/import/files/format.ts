/** Finds the format of a file: by its content where that is certain, else by its extension. */
import { ImportError } from '../import-error.ts';
import type { Format } from '../options.ts';
import { requireFewBrackets } from './bounds.ts';
import { requireReadable } from './unreadable-files.ts';
import { archiveNames } from './unzip.ts';

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

/** Whether the file is a zip archive, as workbooks are. */
function isZip(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]);
}

/** @throws ImportError `unreadable_file` for a known kind of file that cannot be read */
export function chooseFormat(
  bytes: Uint8Array,
  text: () => string,
  format: Format | undefined,
  fileName = '',
): Format {
  if (format !== undefined) return format;
  const extension = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  const isArchive = isZip(bytes);
  const first = () =>
    text()
      .slice(0, 4_000)
      .replace(/^\ufeff/, '');
  requireReadable({
    extension,
    isOle: startsWith(bytes, OLE),
    isZip: isArchive,
    start: String.fromCharCode(...bytes.subarray(0, 1_024)),
    text: () => (isArchive ? '' : first()),
    zip: isArchive ? archiveNames(bytes) : [],
    has: (part) => includes(bytes, part),
  });
  if (isArchive) return 'xlsx';
  const start = first().trimStart();
  if (isOfx(start)) return 'ofx';
  if (start.startsWith('<') && /\bcamt\.05\d\.|\bBkToCstmr/.test(start)) return 'camt';
  if (/^!(?:Type|Account|Option|Clear)\b/i.test(start)) return 'qif';
  const named = EXTENSIONS.get(extension);
  if (/^[[{]/.test(start)) return jsonOrLines(text().trim(), named);
  if (named === undefined || named === 'csv') requireNoMarkup(start);
  return named ?? 'csv';
}

const isOfx = (start: string) => /<(\w+:)?OFX[\s>]|^OFXHEADER|<\?OFX\b/i.test(start);

/** JSON or NDJSON: one value in all, or one on each line. A table may also begin with a bracket. */
function jsonOrLines(text: string, named: Format | undefined): Format {
  const [firstLine = ''] = text.split(/[\r\n]/, 1);
  const isJson = (part: string) => {
    try {
      JSON.parse(part);
      return true;
    } catch {
      return false;
    }
  };
  if (text.startsWith('{') && named === 'ndjson') return 'ndjson';
  requireFewBrackets(text);
  if (text.startsWith('{') && firstLine.length < text.length && isJson(firstLine)) return 'ndjson';
  if (named === 'json' || isJson(text)) return 'json';
  return named ?? (text.startsWith('{') ? 'ndjson' : 'json');
}

/** @throws ImportError for XML that is no statement */
function requireNoMarkup(start: string): void {
  const [, name] = /^(?:<[?!][^>]*>|\s)*<([A-Za-z][\w:.-]{0,60})[\s/>]/.exec(start) ?? [];
  if (name === undefined) return;
  const message = `This is XML with the element <${name}>, and no statement that is known; export the transactions as OFX, QIF or CSV.`;
  throw new ImportError('unreadable_file', message);
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
