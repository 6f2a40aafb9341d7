/**
 * The shape of an API key: `<prefix>_live_`, 27 random base62 characters (160.7 bits), and 6 base62 characters of
 * CRC-32 over everything before them. The checksum lets the gateway refuse a mistyped key without a
 * lookup. Only the hash authenticates.
 */

export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const SECRET_LENGTH = 27;
const CHECKSUM_LENGTH = 6;

/** The form of a key prefix, which precedes `_live_`. */
export const KEY_PREFIX_PATTERN = /^[a-z][a-z0-9]{0,15}$/;

/** Whether `key` could have been minted with this prefix: its shape and its checksum. */
export function isWellFormedApiKey(prefix: string, key: string): boolean {
  const start = `${prefix}_live_`;
  if (key.length !== start.length + SECRET_LENGTH + CHECKSUM_LENGTH || !key.startsWith(start)) return false;
  const unsigned = key.slice(0, -CHECKSUM_LENGTH);
  return /^[0-9A-Za-z]+$/.test(key.slice(start.length)) && key.endsWith(checksum(unsigned));
}

/** SHA-256 of the key: the only form in which it is stored, cached or sent between processes. */
export function hashApiKey(key: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(key).digest();
}

/** Six characters. @param text the key without them */
export function checksum(text: string): string {
  let rest = Bun.hash.crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
