/** The Idempotency-Key header (IETF draft): what a client names a request by, so that it may send it again. */
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { LIMITS } from '../../proto/vocabulary.ts';
import { ApiError } from '../api/errors.ts';
import type { Entries } from './entries.ts';

// A string as the draft has it, in quotes, or bare, as many clients send it. Neither can be two headers made one. Written so
// that every dialect of regular expressions reads it alike: it is published.
const QUOTED = '"([ !#-\\[\\]-~]|\\\\["\\\\])+"';
const BARE = '[!#-+.-~\\-]+';

/** What a key is: the description shows it, and the service checks by it. */
export const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: LIMITS.idempotencyKeyMax,
  pattern: `^(${QUOTED}|${BARE})$`,
  description:
    'A name of your own for this request, new for each, such as a UUID: one word, or one string in double quotes, of ' +
    'ASCII characters. The same request sent again under it within 24 hours creates nothing and gets the first answer ' +
    'again, whatever became of that on its way.',
  examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
});

const validator = Compile(IdempotencyKey);

/**
 * The key of a request, as it was sent; undefined without the header.
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
