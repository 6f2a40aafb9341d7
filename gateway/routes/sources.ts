/** GET /sources: the account's income sources. */
import { Elysia } from 'elysia';
import { operation } from '../api/openapi.ts';
import { SourceList } from '../api/schemas.ts';
import { requireKnown, searchParams } from '../input/page-query.ts';
import { admission, methodNotAllowed, OTHER_METHODS, type Services } from './admission.ts';

export const sources = (services: Services) =>
  new Elysia()
    .all('/api/v1/sources', methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .use(admission(services))
    .get(
      '/api/v1/sources',
      async ({ caller, budget, request }) => {
        await services.auth.prepare(caller, () => requireKnown(searchParams(request), []));
        const list = await services.ledger.listSources(caller, budget);
        return {
          sources: list.map(({ id, name, type, countryCode, role, sharePercent, transactionCount }) => ({
            id,
            name,
            type,
            countryCode: countryCode ?? null,
            role,
            sharePercent,
            transactionCount,
          })),
        };
      },
      {
        detail: operation({
          operationId: 'listSources',
          tag: 'Sources',
          summary: 'List income sources',
          description:
            'Every UK property, overseas property and self-employment business of the account, oldest first.',
          responses: {
            200: {
              description: 'The sources.',
              schema: SourceList,
              example: {
                sources: [
                  {
                    id: '019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e',
                    name: 'Gîte in the Lot',
                    type: 'foreign-property',
                    countryCode: 'FR',
                    role: 'sharer',
                    sharePercent: 50,
                    transactionCount: 128,
                  },
                ],
              },
            },
          },
          errors: [],
        }),
      },
    );
