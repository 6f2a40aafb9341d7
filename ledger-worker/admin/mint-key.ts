/** New API keys. */
import { ALPHABET, checksum, SECRET_LENGTH } from '../../proto/api-key.ts';

/** A new key. It is never stored: the caller keeps `hashApiKey(key)` and shows the key once. */
export function mintApiKey(prefix: string): string {
  const unsigned = `${prefix}_live_${randomBase62(SECRET_LENGTH)}`;
  return unsigned + checksum(unsigned);
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 is the largest multiple of 62 in a byte: taking more would favour the first letters.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}
