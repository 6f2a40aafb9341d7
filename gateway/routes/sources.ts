/** GET /sources: the account's income sources. */
import { Elysia } from 'elysia';
import { requireKnown, searchParams } from '../input/issues.ts';
import { methodNotAllowed, type RouteDependencies, UNPARSED_BODY, withKey } from './hooks.ts';
import { jsonResponse } from './json-response.ts';

const PATH = '/api/v1/sources';

export const sources = (dependencies: RouteDependencies) =>
  new Elysia()
    .all(PATH, methodNotAllowed('GET, HEAD'), UNPARSED_BODY)
    .use(withKey(dependencies))
    .get(PATH, async ({ caller, context, request, set }) => {
      requireKnown(searchParams(request), []);
      const list = await dependencies.ledger.listSources(caller, context);
      const sources = list.map(({ id, name, type, countryCode, role, sharePercent, transactionCount }) => ({
        id,
        name,
        type,
        countryCode: countryCode ?? null,
        role,
        sharePercent,
        transactionCount,
      }));
      const body = Buffer.from(JSON.stringify({ sources }));
      return jsonResponse(body, { caller, request, set, quotas: dependencies.quotas });
    });
