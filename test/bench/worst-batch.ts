/** The costliest batches that are allowed: 500 entries of maximum length, every character an escape, in a body of maximum size. */
import { LIMITS } from '../../proto/vocabulary.ts';
import type { Request } from './connection.ts';
import { httpRequest } from './http-load.ts';
import type { Caller } from './target.ts';

// Two escapes of six bytes each.
const WIDEST = '🏠';
const NUMBER_DIGITS = 6;

const ENTRIES = LIMITS.entriesPerRequest;

const BODY = `[${Array.from({ length: ENTRIES }, (_, index) => entryText(index)).join()}]`.padEnd(
  LIMITS.bodyBytesMax,
);

/** Every account gets the same entries, so the second batch of an account is known. */
export function worstBatch({ key, sourceId }: Caller): Request {
  const path = `/api/v1/sources/${sourceId}/transactions`;
  return httpRequest({ method: 'POST', path, key, body: BODY }, '201', ENTRIES);
}

function entryText(index: number): string {
  const number = String(index).padStart(NUMBER_DIGITS, '0');
  const members = {
    date: '2026-04-06',
    type: 'expense',
    category: 'residentialFinancialCostsCarriedForward',
    description: WIDEST.repeat(LIMITS.descriptionMax),
    externalRef: number + WIDEST.repeat(LIMITS.externalRefMax - NUMBER_DIGITS),
  };
  const texts = Object.entries(members).map(([name, value]) => `"${escaped(name)}":"${escaped(value)}"`);
  return `{"${escaped('amountPence')}":${Number.MAX_SAFE_INTEGER},${texts.join()}}`;
}

function escaped(text: string): string {
  const unit = (at: number) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return Array.from({ length: text.length }, (_, at) => unit(at)).join('');
}
