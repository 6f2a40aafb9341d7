/** Decodes text files, in the encodings that banks and Excel write. */
import { ImportError } from '../import-error.ts';
import type { Encoding } from '../options.ts';

/** The characters of Windows-1252 from 0x80 to 0x9F. TextDecoder of Node 20 reads these as control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
/** Letters of MS-DOS and of old Macs when read as Windows-1252: signs within a word, and bytes without a character. */
const NOT_WINDOWS_1252 =
  /\p{L}{0,9}(?:[\u0081\u008d\u008f\u0090\u009d]|\p{L}[‚„ˆ‰‹]|\p{L}[†‡](?=\p{L})|\p{Ll}[ŽŠŒŸ])\p{L}{0,9}/u;
const REPLACEMENT = '\ufffd';

interface Decoded {
  text: string;
  encoding: Encoding;
  /** The lines with broken characters. Each is U+FFFD in the text. */
  brokenLines: number[];
}

/**
 * Reads UTF-8 with and without a byte order mark, UTF-16 in both byte orders, and otherwise Windows-1252, which includes Latin-1. A broken
 * character does not change the encoding of the others. `encoding` overrides the detection.
 * @throws ImportError `unreadable_file` for bytes that may contradict the encoding that the file declares, or each other
 */
export function decodeText(bytes: Uint8Array, encoding?: Encoding): Decoded {
  const known = encoding ?? encodingByMark(bytes) ?? byteOrderOf(bytes);
  if (known === 'windows-1252') return decoded(decodeWindows1252(bytes), known);
  if (known !== undefined) return decoded(new TextDecoder(known).decode(bytes), known);
  const { characters, broken } = countUtf8(bytes);
  const declared = declaredEncoding(bytes);
  // Some banks declare 1252 and write UTF-8. In a text of 1252, several characters are never UTF-8 by chance.
  if (declared !== undefined && declared !== 'utf-8' && characters === 1 && broken === 0) {
    throw ambiguous(`The file declares ${declared}, and the bytes of its only other letter are UTF-8`);
  }
  if (broken === 0 || (characters >= broken && declared === undefined) || declared === 'utf-8') {
    return decoded(new TextDecoder('utf-8').decode(bytes), 'utf-8');
  }
  if (characters > 0 && declared === undefined) {
    throw ambiguous('Some characters of the file are UTF-8, and more are not');
  }
  if (declared === undefined) {
    const text = decodeWindows1252(bytes);
    const [found] = NOT_WINDOWS_1252.exec(text) ?? [];
    if (found === undefined) return decoded(text, 'windows-1252');
    const what = `The file has "${found.trim()}" in Windows-1252, so that it seems to have another encoding`;
    throw ambiguous(`${what}; save the file as UTF-8`, ', or ');
  }
  if (declared === 'windows-1252') return decoded(decodeWindows1252(bytes), 'windows-1252');
  return decoded(new TextDecoder(declared).decode(bytes), declared);
}

const ambiguous = (what: string, then = '; ') =>
  new ImportError('unreadable_file', `${what}${then}choose the encoding.`, 'encoding');

function decoded(text: string, encoding: Encoding): Decoded {
  const brokenLines: number[] = [];
  let line = 1;
  let feed = text.indexOf('\n');
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, at + 1)) {
    for (; feed !== -1 && feed < at; feed = text.indexOf('\n', feed + 1)) line++;
    if (brokenLines.at(-1) !== line) brokenLines.push(line);
  }
  return { text, encoding, brokenLines };
}

/** The number of characters of more than one byte, and of bytes outside of characters. */
function countUtf8(bytes: Uint8Array): { characters: number; broken: number } {
  let characters = 0;
  let broken = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) {
      at++;
      continue;
    }
    const length =
      byte >= 0xc2 && byte < 0xe0 ? 2 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
    let found = 1;
    while (found < length && ((bytes[at + found] ?? 0) & 0xc0) === 0x80) found++;
    if (found === length) characters++;
    else broken++;
    at += found;
  }
  return { characters, broken };
}

const NAMES: Record<string, Encoding> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  unicode: 'utf-8',
  '1252': 'windows-1252',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'us-ascii': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
  'iso-8859-2': 'iso-8859-2',
  'windows-1250': 'windows-1250',
  '1250': 'windows-1250',
};

/** The encoding in the declaration of XML, or the header of OFX. An unknown encoding counts as absent. */
function declaredEncoding(bytes: Uint8Array): Encoding | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 1_000));
  const [, xml] = /^[^<]{0,3}<\?xml[^>]*\bencoding=["']([\w.-]+)["']/i.exec(start) ?? [];
  const [, ofx] = /^ENCODING:\s*(UTF-?8|UNICODE)/im.exec(start) ?? [];
  const [, charset] = /^CHARSET:\s*([\w.-]+)/im.exec(start) ?? [];
  return NAMES[(xml ?? ofx ?? charset ?? '').toLowerCase()];
}

function encodingByMark([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}
/** UTF-16 without a byte order mark: most characters of a statement are ASCII, so every second byte is zero. */
function byteOrderOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, 1000);
  if (sample.length < 4) return undefined;
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const half = sample.length / 2;
  if (odd > half * 0.6 && even < half * 0.1) return 'utf-16le';
  if (even > half * 0.6 && odd < half * 0.1) return 'utf-16be';
  return undefined;
}

function decodeWindows1252(bytes: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(bytes);
  // The decoders of the runtimes differ only in this range.
  if (!bytes.some((byte) => byte >= 0x80 && byte <= 0x9f)) return text;
  const parts: string[] = [];
  for (const byte of bytes) {
    parts.push(byte >= 0x80 && byte <= 0x9f ? (WINDOWS_1252[byte - 0x80] ?? '') : String.fromCharCode(byte));
  }
  return parts.join('');
}
