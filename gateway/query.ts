/** The query of GET transactions: text -> a page query, or a list of issues. */
import { Compile } from 'typebox/compile';
import { LIMITS } from '../proto/vocabulary.ts';
import { decodeCursor } from './cursor.ts';
import { ApiError, type Issue } from './errors.ts';
import { issuesOf } from './issues.ts';
import type { PageQuery } from './ledger.ts';
import { TransactionsQuery } from './schemas.ts';

const queryValidator = Compile(TransactionsQuery);
const PARAMETERS = Object.keys(TransactionsQuery.properties);

/** @throws ApiError invalid_query, with every issue */
export function readPageQuery(sourceId: string, parameters: URLSearchParams): PageQuery {
  const issues: Issue[] = [];
  const given: Record<string, unknown> = {};
  for (const name of PARAMETERS) {
    const [value, ...more] = parameters.getAll(name);
    if (more.length > 0) issues.push({ path: `/${name}`, message: 'must be given once' });
    else if (value !== undefined) given[name] = name === 'limit' ? wholeNumber(value) : value;
  }
  if (!queryValidator.Check(given)) {
    issues.push(...issuesOf(queryValidator.Errors(given), given, '', PARAMETERS));
    throw invalidQuery(issues);
  }
  const { from, to, cursor, limit = LIMITS.pageSizeDefault } = given;
  if (from !== undefined && to !== undefined && from > to) {
    issues.push({ path: '/from', message: `must not be later than to: ${from} is after ${to}` });
  }
  const after = cursor === undefined ? undefined : decodeCursor({ sourceId, from, to }, cursor);
  if (cursor !== undefined && after === undefined) {
    issues.push({
      path: '/cursor',
      message: 'is not a nextCursor of this source with these filters: start again without it',
    });
  }
  if (issues.length > 0) throw invalidQuery(issues);
  return { sourceId, from, to, after, limit };
}

/** Digits as the number they are; anything else stays text, and fails as such. */
function wholeNumber(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function invalidQuery(issues: Issue[]): ApiError {
  return new ApiError('invalid_query', 'Some query parameters are not valid, see issues.', {
    fields: { issues },
  });
}
