/** Bytes of a text file to text, in the encodings that banks and Excel write. */

/** The characters of Windows-1252 from 0x80 to 0x9F. TextDecoder of Node 20 reads these as control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * UTF-8 with and without a byte order mark, UTF-16 of both byte orders, and otherwise Windows-1252, of which Latin-1 is a part.
 * Every sequence of bytes gives a text.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const utf16 = byteOrderOf(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
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
