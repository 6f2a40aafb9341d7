/** References that are derived from an entry's content. Neither version ever changes: docs/rows-and-entries.md describes them. */

import { sha256Of } from '../../hash.ts';
import type { EntryType } from '../options.ts';

/** The content that a derived reference is computed from. */
interface ReferenceContent {
  account: string;
  date: string;
  type: EntryType;
  pence: number;
  /** Set if the amount is not in pounds: rates do not change the reference. */
  currency?: string | undefined;
  description: string;
}

const VERSION = 'imp1';
const WITHIN_SOURCE = 'imp2';
const SEPARATOR = '\u001f';
const HASH_DIGITS = 32;

/** Unicode NFC, with each run of spaces and control characters as one space, and trimmed. Case counts. */
function normaliseForReference(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\u0020\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu, ' ')
    .replace(/^ | $/g, '');
}

/**
 * Derives references for the entries of one file. A number distinguishes equal entries of one date, so that their order and their file make
 * no difference. `known` caches references by their texts, because hashing is the slowest part of reading a file again.
 */
export function referenceDeriver(known = new Map<string, string>()): (content: ReferenceContent) => string {
  const occurrences = new Map<string, number>();
  return ({ account, date, type, pence, currency, description }) => {
    const fields = [
      normaliseForReference(account),
      date,
      type,
      currency === undefined ? String(pence) : `${pence} ${currency}`,
      normaliseForReference(description),
    ];
    const canonical = [VERSION, ...fields].join(SEPARATOR);
    const occurrence = (occurrences.get(canonical) ?? 0) + 1;
    occurrences.set(canonical, occurrence);
    const text = canonical + SEPARATOR + occurrence;
    const reference = known.get(text) ?? hashed(text);
    known.set(text, reference);
    return reference;
  };
}

/** The most equal payments of one day to try. */
export const OCCURRENCES_MAX = 5;

/** Whether a derived reference belongs to this content, in the source or in none. */
export function isDerivedFrom(reference: string, content: ReferenceContent, sourceId: string): boolean {
  const nameOf = reference.startsWith(WITHIN_SOURCE)
    ? (derived: string) => referenceWithin(sourceId, derived)
    : (derived: string) => derived;
  const derive = referenceDeriver();
  for (let tried = 0; tried < OCCURRENCES_MAX; tried++)
    if (nameOf(derive(content)) === reference) return true;
  return false;
}

export const isDerivedReference = (reference: string) => /^imp[12]-/.test(reference);

/** Whether one of these references is of version 2. Deriving a reference takes time, and most books have none. */
export const haveVersion2 = (references: Iterable<string>): boolean => {
  for (const reference of references) if (reference.startsWith(`${WITHIN_SOURCE}-`)) return true;
  return false;
};

/** A reference of the file, or its hash if it exceeds the limit of the API. */
export function fittingReference(reference: string, lengthMax: number): string {
  return reference.length <= lengthMax ? reference : hashed([VERSION, reference].join(SEPARATOR));
}

/**
 * Version 2 of a derived reference: for an entry of this source that equals an entry of another source, which has version 1.
 */
export function referenceWithin(sourceId: string, reference: string): string {
  return hashed([WITHIN_SOURCE, sourceId, reference].join(SEPARATOR), WITHIN_SOURCE);
}

const hashed = (canonical: string, version = VERSION): string =>
  `${version}-${sha256Of(canonical).slice(0, HASH_DIGITS)}`;
