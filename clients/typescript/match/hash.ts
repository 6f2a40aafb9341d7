/** The SHA-256 of a file, as `sha256sum` prints it. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

export const hashOf = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));
