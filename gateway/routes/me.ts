/** GET /me: the account of the key. */
import { Elysia } from 'elysia';
import { requireKnown, searchParams } from '../input/issues.ts';
import { methodNotAllowed, type RouteDependencies, UNPARSED_BODY, withKey } from './hooks.ts';

const PATH = '/api/v1/me';

export const me = (dependencies: RouteDependencies) =>
  new Elysia()
    .all(PATH, methodNotAllowed('GET, HEAD'), UNPARSED_BODY)
    .use(withKey(dependencies))
    .get(PATH, async ({ caller, context, request }) => {
      requireKnown(searchParams(request), []);
      const { accountId, plan, readOnly } = await dependencies.ledger.authenticate(caller.keyHash, context);
      return {
        accountId,
        plan,
        // A plan without API access was refused above.
        capabilities: { readBookkeeping: true, writeBookkeeping: !readOnly, hmrcSubmission: false },
        note: NOTE,
      };
    });

export const NOTE =
  'Quarterly updates and tax returns are confirmed and sent in the app; submission is not available through the API.';
