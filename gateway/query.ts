/** The query of a request: text -> typed parameters, or a list of issues. */
import { Compile } from 'typebox/compile';
import { LIMITS } from '../proto/vocabulary.ts';
import { decodeCursor } from './cursor.ts';
import { ApiError, type Issue } from './errors.ts';
import { addIssues } from './issues.ts';
import type { PageQuery } from './ledger.ts';
import { TransactionsQuery } from './schemas.ts';

const queryValidator = Compile(TransactionsQuery);
const PARAMETERS = Object.keys(TransactionsQuery.properties);

/** The parameters of a request's URL. Not by `new URL`, which throws where the client's Host header is none. */
export function searchParams({ url }: Request): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
}

/**
 * The page that a request asks for (specification: GET transactions, query parameters).
 * @throws ApiError invalid_query, with every issue
 */
export function readPageQuery(sourceId: string, parameters: URLSearchParams): PageQuery {
  const issues = new Map<string, string>();
  const given: Record<string, unknown> = {};
  for (const name of PARAMETERS) {
    const [value, ...more] = parameters.getAll(name);
    if (more.length > 0) issues.set(`/${name}`, 'must be given once');
    else if (value !== undefined) given[name] = name === 'limit' ? pageSize(value, issues) : value;
  }
  if (!queryValidator.Check(given)) {
    addIssues(issues, queryValidator.Errors(given), given, '', PARAMETERS);
    throw invalidQuery(issues);
  }
  const { from, to, cursor, limit = LIMITS.pageSizeDefault } = given;
  if (from !== undefined && to !== undefined && from > to) {
    issues.set('/from', `must not be later than to: ${from} is after ${to}`);
  }
  const after = cursor === undefined ? undefined : decodeCursor({ sourceId, from, to }, cursor);
  if (cursor !== undefined && after === undefined) {
    issues.set('/cursor', 'is not a nextCursor of this source with these filters: start again without it');
  }
  if (issues.size > 0) throw invalidQuery(issues);
  return { sourceId, from, to, after, limit };
}

function pageSize(text: string, issues: Map<string, string>): number | undefined {
  const size = Number(text);
  if (/^[1-9]\d*$/.test(text) && size <= LIMITS.pageSizeMax) return size;
  issues.set('/limit', `must be a whole number from 1 to ${LIMITS.pageSizeMax}`);
  return undefined;
}

function invalidQuery(found: Map<string, string>): ApiError {
  const issues: Issue[] = [...found].map(([path, message]) => ({ path, message }));
  return new ApiError('invalid_query', 'Some query parameters are not valid, see issues.', {
    fields: { issues },
  });
}
