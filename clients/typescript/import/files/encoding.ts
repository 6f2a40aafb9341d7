/** Bytes of a text file to text, in the encodings that banks and Excel write. */
import type { Encoding } from '../options.ts';

/** The characters of Windows-1252 from 0x80 to 0x9F. TextDecoder of Node 20 reads these as control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * UTF-8 with and without a byte order mark, UTF-16 of both byte orders, and otherwise Windows-1252, of which Latin-1 is a part.
 * Every sequence of bytes gives a text. With `encoding`, that one.
 */
export function decodeText(bytes: Uint8Array, encoding?: Encoding): { text: string; encoding: Encoding } {
  const known = encoding ?? markOf(bytes) ?? byteOrderOf(bytes);
  if (known === 'windows-1252') return { text: decodeWindows1252(bytes), encoding: known };
  if (known !== undefined) return { text: new TextDecoder(known).decode(bytes), encoding: known };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: decodeWindows1252(bytes), encoding: 'windows-1252' };
  }
}

function markOf([first, second]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
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
  // The decoders of the runtimes differ in this range only.
  if (!bytes.some((byte) => byte >= 0x80 && byte <= 0x9f)) return text;
  const parts: string[] = [];
  for (const byte of bytes) {
    parts.push(byte >= 0x80 && byte <= 0x9f ? (WINDOWS_1252[byte - 0x80] ?? '') : String.fromCharCode(byte));
  }
  return parts.join('');
}
