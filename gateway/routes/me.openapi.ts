/** The description of GET /me. */
import { operation } from '../api/operation.ts';
import { Account } from '../api/schemas.ts';

export const NOTE =
  'Quarterly updates and tax returns are confirmed and sent in the app; submission is not available through the API.';

export const GET_ME = operation({
  operationId: 'getMe',
  tag: 'Account',
  summary: 'Get the account of the key',
  description:
    'The account the key belongs to, its plan and what the API may do. Usable as a connection test.',
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
