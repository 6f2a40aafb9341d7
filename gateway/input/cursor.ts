/** The opaque cursor of a list: where the last page ended, and which list that was. */

import { Compile } from 'typebox/compile';
import { CalendarDate } from '../api/schemas.ts';

/** The last entry of a page. */
export interface Position {
  /** `YYYY-MM-DD` */
  date: string;
  /** uuid */
  id: string;
}

/** What a cursor belongs to: it is refused anywhere else, because it would silently read something else. */
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

/** Undefined when the cursor is damaged, or of another source or other filters. */
export function decodeCursor(scope: ListScope, cursor: string): Position | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== CURSOR_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const position = bytes.subarray(DIGEST_BYTES);
  if (!bytes.subarray(0, DIGEST_BYTES).equals(digest(scope, position))) return undefined;

  // The digest is no secret: a cursor that somebody made may still hold anything.
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
