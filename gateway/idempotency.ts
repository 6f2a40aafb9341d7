/** The Idempotency-Key header (IETF draft): what a client names a request by, so that it may send it again. */
import { LIMITS } from '../proto/vocabulary.ts';
import type { Entries } from './body.ts';
import { ApiError } from './errors.ts';

// A string as the draft has it, in quotes, or bare, as many clients send it. Neither can be two headers made one.
const QUOTED = /^"(?:[ !#-[\]-~]|\\["\\])+"$/;
const BARE = /^[!#-+\--~]+$/;

/**
 * The key of a request, as it was sent; undefined without the header.
 * @throws ApiError invalid_idempotency_key
 */
export function readIdempotencyKey(headers: Headers): string | undefined {
  const key = headers.get('idempotency-key');
  if (key === null) return undefined;
  if (key.length <= LIMITS.idempotencyKeyMax && (QUOTED.test(key) || BARE.test(key))) return key;
  throw new ApiError(
    'invalid_idempotency_key',
    `Idempotency-Key must be one value of 1 to ${LIMITS.idempotencyKeyMax} visible ASCII characters, such as a UUID.`,
  );
}

/** SHA-256 of what is asked for: two bodies that differ in their spelling only are the same request. */
export function fingerprint(sourceId: string, { entries }: Entries): Buffer {
  const hash = new Bun.CryptoHasher('sha256').update(sourceId.toLowerCase());
  for (const { date, type, amountPence, category, description, externalRef } of entries) {
    hash.update(
      JSON.stringify([date, type, amountPence, category ?? null, description ?? null, externalRef ?? null]),
    );
  }
  return Buffer.from(hash.digest());
}
