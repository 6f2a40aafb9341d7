/** The description of GET /me. */
import { operation } from '../description/operation.ts';
import { Account } from '../description/response-schemas.ts';
import { NOTE } from './me.ts';

export const GET_ME = operation({
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
