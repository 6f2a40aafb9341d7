/** SHA-256 in hexadecimal digits, as `sha256sum` prints it. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const encoder = new TextEncoder();

/** The hash of bytes, or of a text in UTF-8. */
export const sha256Of = (content: Uint8Array | string): string =>
  bytesToHex(sha256(typeof content === 'string' ? encoder.encode(content) : content));
