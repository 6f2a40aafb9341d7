/** The opaque cursor of a list: the end of the last page, bound to the list that it belongs to. */

import { Compile } from 'typebox/compile';
import { CalendarDate } from '../api/schemas.ts';

/** The last entry of a page. */
export interface Position {
  /** `YYYY-MM-DD` */
  date: string;
  /** uuid */
  id: string;
}

/** The list that a cursor belongs to. It is refused for any other, which it would silently read from the wrong place. */
export interface ListScope {
  sourceId: string;
  from: string | undefined;
  to: string | undefined;
}

const dateValidator = Compile(CalendarDate('Of an entry.'));

const DIGEST_BYTES = 8;
const DATE_BYTES = 'YYYY-MM-DD'.length;
const CURSOR_BYTES = DIGEST_BYTES + DATE_BYTES + 16;

/** Base64url of: digest of scope and position, date, id. */
export function encodeCursor(scope: ListScope, { date, id }: Position): string {
  const position = Buffer.concat([Buffer.from(date), Buffer.from(id.replaceAll('-', ''), 'hex')]);
  return Buffer.concat([digest(scope, position), position]).toString('base64url');
}

/** Undefined when the cursor is malformed, or of another source or other filters. */
export function decodeCursor(scope: ListScope, cursor: string): Position | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== CURSOR_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const position = bytes.subarray(DIGEST_BYTES);
  if (!bytes.subarray(0, DIGEST_BYTES).equals(digest(scope, position))) return undefined;

  // The digest is not keyed: a forged cursor may still hold any date.
  const date = position.subarray(0, DATE_BYTES).toString();
  if (!dateValidator.Check(date)) return undefined;
  const id = position.subarray(DATE_BYTES).toString('hex');
  return { date, id: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') };
}

function digest({ sourceId, from = '', to = '' }: ListScope, position: Buffer): Buffer {
  const hasher = new Bun.CryptoHasher('sha256');
  return hasher
    .update(`${sourceId.toLowerCase()}|${from}|${to}|`)
    .update(position)
    .digest()
    .subarray(0, DIGEST_BYTES);
}
