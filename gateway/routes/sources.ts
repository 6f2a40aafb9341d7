/** GET /sources: the account's income sources. */
import { Elysia } from 'elysia';
import { operation } from '../api/operation.ts';
import { SourceList } from '../api/schemas.ts';
import { requireKnown, searchParams } from '../input/page-query.ts';
import { admission, methodNotAllowed, OTHER_METHODS, type Services } from './admission.ts';
import { jsonResponse } from './json-response.ts';

const PATH = '/api/v1/sources';

export const sources = (services: Services) =>
  new Elysia()
    .all(PATH, methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .use(admission(services))
    .get(
      PATH,
      async ({ caller, context, request, set }) => {
        const list = await services.ledger.listSources(caller, context);
        requireKnown(searchParams(request), []);
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
        return jsonResponse(body, {
          caller,
          signal: context.signal,
          set,
          limits: services.limits,
        });
      },
      { detail: LIST_SOURCES },
    );

const LIST_SOURCES = operation({
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
  sample: { path: '/api/v1/sources', typescript: 'console.log(await ledger.sources());' },
});
