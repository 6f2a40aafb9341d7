/** GET /me: the account of the key. */
import { Elysia } from 'elysia';
import { operation } from '../api/operation.ts';
import { Account } from '../api/schemas.ts';
import { requireKnown, searchParams } from '../input/page-query.ts';
import { admission, methodNotAllowed, OTHER_METHODS, type Services } from './admission.ts';

const PATH = '/api/v1/me';

export const me = (services: Services) =>
  new Elysia()
    .all(PATH, methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .use(admission(services))
    .get(
      PATH,
      async ({ caller, context, request }) => {
        const { accountId, plan } = await services.ledger.authenticate(caller.keyHash, context);
        requireKnown(searchParams(request), []);
        return {
          accountId,
          plan,
          // A plan without API access was refused above.
          capabilities: { readBookkeeping: true, writeBookkeeping: true, hmrcSubmission: false },
          note: NOTE,
        };
      },
      { detail: GET_ME },
    );

const NOTE =
  'Quarterly updates and tax returns are confirmed and sent in the app; submission is not available through the API.';

const GET_ME = operation({
  operationId: 'getMe',
  tag: 'Account',
  summary: 'Get the account of the key',
  description:
    'The account the key belongs to, its plan and the rights of the API. Usable as a connection test.',
  responses: {
    200: {
      description: 'The account.',
      schema: Account,
      example: {
        accountId: '019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e',
        plan: 'pro',
        capabilities: { readBookkeeping: true, writeBookkeeping: true, hmrcSubmission: false },
        note: NOTE,
      },
    },
  },
  errors: [],
  sample: { path: '/api/v1/me', typescript: 'console.log(await ledger.me());' },
});
