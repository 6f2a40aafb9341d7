/** The query of a page: text to typed parameters, or a list of issues. And the opaque cursor: the end of a page, bound to its list. */
import { Compile } from 'typebox/compile';
import type { Page__Output as Page } from '../../proto/contract.ts';
import { LIMITS } from '../../proto/domain.ts';
import { CalendarDate, TransactionsQuery } from '../api/schemas.ts';
import { addIssues, invalidQuery, unknownNames } from './issues.ts';

/** The last entry of a page. */
type Position = NonNullable<Page['last']>;

/** The list that a cursor belongs to. It is refused for any other, which it would silently read from the wrong place. */
interface ListScope {
  sourceId: string;
  from: string | undefined;
  to: string | undefined;
}

export interface PageQuery extends ListScope {
  after: Position | undefined;
  limit: number;
}

const queryValidator = Compile(TransactionsQuery);
const PARAMETERS = Object.keys(TransactionsQuery.properties);

/**
 * The page parameters of a request (docs/api/paging.md).
 * @throws ApiError invalid_query, with every issue
 */
export function readPageQuery(sourceId: string, parameters: URLSearchParams): PageQuery {
  const issues = new Map<string, string>();
  const unknown = unknownNames(parameters.keys(), PARAMETERS, 'parameters');
  const given: Record<string, unknown> = {};
  for (const name of PARAMETERS) {
    const [value, ...more] = parameters.getAll(name);
    if (more.length > 0) issues.set(`/${name}`, 'must be given once');
    else if (value !== undefined) given[name] = name === 'limit' ? pageSize(value, issues) : value;
  }
  if (!queryValidator.Check(given)) {
    addIssues(issues, queryValidator.Errors(given), given, '');
    throw invalidQuery(issues, unknown);
  }
  const { from, to, cursor, limit = LIMITS.pageSizeDefault } = given;
  if (from !== undefined && to !== undefined && from > to) {
    issues.set('/from', `must not be later than to: ${from} is after ${to}`);
  }
  const after = cursor === undefined ? undefined : decodeCursor({ sourceId, from, to }, cursor);
  if (cursor !== undefined && after === undefined) {
    issues.set('/cursor', 'is not a nextCursor of this source with these filters: start again without it');
  }
  if (issues.size > 0 || unknown.size > 0) throw invalidQuery(issues, unknown);
  return { sourceId, from, to, after, limit };
}

function pageSize(text: string, issues: Map<string, string>): number | undefined {
  const size = Number(text);
  if (/^[1-9]\d*$/.test(text) && size <= LIMITS.pageSizeMax) return size;
  issues.set('/limit', `must be a whole number from 1 to ${LIMITS.pageSizeMax}`);
  return undefined;
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

function decodeCursor(scope: ListScope, cursor: string): Position | undefined {
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
