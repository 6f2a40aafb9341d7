/** The Idempotency-Key header (IETF draft), under which a client can safely repeat a request. */
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { LIMITS } from '../../proto/vocabulary.ts';
import { ApiError } from '../api/errors.ts';
import type { Entries } from './entries.ts';

// The draft's quoted string, or a bare word, as many clients send it. Neither matches two headers joined by a comma. The
// pattern is published, so it uses only what every dialect of regular expressions reads alike.
const QUOTED = '"([ !#-\\[\\]-~]|\\\\["\\\\])+"';
const BARE = '[!#-+.-~\\-]+';

/** Used for validation and for the API's description. */
export const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: LIMITS.idempotencyKeyMax,
  pattern: `^(${QUOTED}|${BARE})$`,
  description:
    'A unique name for this request, such as a UUID: one word, or one string in double quotes, of ASCII characters. The ' +
    'same request sent again under the same key within 24 hours creates nothing and gets the first response again, even ' +
    'if that response never arrived.',
  examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
});

const validator = Compile(IdempotencyKey);

/**
 * The key as sent; undefined without the header.
 * @throws ApiError invalid_idempotency_key
 */
export function readIdempotencyKey(headers: Headers): string | undefined {
  const key = headers.get('idempotency-key');
  if (key === null) return undefined;
  if (validator.Check(key)) return key;
  throw new ApiError(
    'invalid_idempotency_key',
    `Idempotency-Key must be one value of 1 to ${LIMITS.idempotencyKeyMax} visible ASCII characters, such as a UUID.`,
  );
}

/** SHA-256 of a write's content: two bodies that differ only in formatting are the same request. */
export function fingerprint(sourceId: string, { entries }: Entries): Buffer {
  const hash = new Bun.CryptoHasher('sha256').update(sourceId.toLowerCase());
  for (const { date, type, amountPence, category, description, externalRef } of entries) {
    hash.update(
      JSON.stringify([date, type, amountPence, category ?? null, description ?? null, externalRef ?? null]),
    );
  }
  return Buffer.from(hash.digest());
}
