/** Query strings: text to typed parameters, or a list of issues. */
import { Compile } from 'typebox/compile';
import { LIMITS } from '../../proto/vocabulary.ts';
import { ApiError, ISSUES_MAX, type Issue } from '../api/errors.ts';
import { TransactionsQuery } from '../api/schemas.ts';
import { decodeCursor, type ListScope, type Position } from './cursor.ts';
import { addIssues, escapePointer, proposal } from './issues.ts';

export interface PageQuery extends ListScope {
  /** The last entry of the previous page. */
  after: Position | undefined;
  limit: number;
}

const queryValidator = Compile(TransactionsQuery);
const PARAMETERS = Object.keys(TransactionsQuery.properties);

/** The query parameters of a request. Not by `new URL`: without a Host header, as HTTP/1.0 allows, `url` is only a path. */
export function searchParams({ url }: Request): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
}

/**
 * Refuses unknown parameters: a misspelt filter must not return an unfiltered list.
 * @param known the endpoint's parameters
 * @throws ApiError invalid_query, with every issue
 */
export function requireKnown(parameters: URLSearchParams, known: readonly string[]): void {
  const unknown = unknownIssues(parameters, known);
  if (unknown.size > 0) throw invalidQuery(unknown);
}

/**
 * The page parameters of a request (docs/api/paging.md).
 * @throws ApiError invalid_query, with every issue
 */
export function readPageQuery(sourceId: string, parameters: URLSearchParams): PageQuery {
  const issues = new Map<string, string>();
  const unknown = unknownIssues(parameters, PARAMETERS);
  const given: Record<string, unknown> = {};
  for (const name of PARAMETERS) {
    const [value, ...more] = parameters.getAll(name);
    if (more.length > 0) issues.set(`/${name}`, 'must be given once');
    else if (value !== undefined) given[name] = name === 'limit' ? pageSize(value, issues) : value;
  }
  if (!queryValidator.Check(given)) {
    addIssues(issues, queryValidator.Errors(given), given, '', PARAMETERS);
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

/** Message by path, for each unknown name; at most ISSUES_MAX. */
function unknownIssues(parameters: URLSearchParams, known: readonly string[]): Map<string, string> {
  const issues = new Map<string, string>();
  for (const name of parameters.keys()) {
    const path = `/${escapePointer(name)}`;
    if (known.includes(name) || issues.has(path)) continue;
    if (issues.size === ISSUES_MAX) break;
    const message =
      known.length === 0
        ? 'is not accepted: this endpoint takes no query parameters'
        : `is not one of the accepted parameters; ${proposal(name, known)}`;
    issues.set(path, message);
  }
  return issues;
}

function invalidQuery(...found: Map<string, string>[]): ApiError {
  const issues: Issue[] = found
    .flatMap((each) => [...each])
    .slice(0, ISSUES_MAX)
    .map(([path, message]) => ({ path, message }));
  return new ApiError('invalid_query', 'Some query parameters are not valid, see issues.', {
    fields: { issues },
  });
}
