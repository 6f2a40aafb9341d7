/** The description of GET /sources. */
import { operation } from '../description/operation.ts';
import { SourceList } from '../description/response-schemas.ts';

export const LIST_SOURCES = operation({
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
