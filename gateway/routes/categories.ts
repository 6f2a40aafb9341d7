/** GET /categories: the keys that a transaction's category accepts. */
import { Elysia } from 'elysia';
import Type from 'typebox';
import { CATEGORIES, SOURCE_TYPES, type SourceType } from '../../proto/vocabulary.ts';
import { ApiError } from '../api/errors.ts';
import { operation } from '../api/openapi.ts';
import { CategoriesQuery, CategorySet, CategorySets } from '../api/schemas.ts';
import { proposal } from '../input/issues.ts';
import { requireKnown, searchParams } from '../input/page-query.ts';
import { admission, methodNotAllowed, OTHER_METHODS, type Services } from './admission.ts';

const PARAMETERS = Object.keys(CategoriesQuery.properties);

export const categories = (services: Services) =>
  new Elysia()
    .all('/api/v1/categories', methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .use(admission(services))
    .get(
      '/api/v1/categories',
      async ({ caller, budget, request }) => {
        // Needs no data, but a revoked key is to get none of it either.
        await services.ledger.authenticate(caller.keyHash, budget);
        const parameters = searchParams(request);
        const asked = parameters.getAll('sourceType');
        const sets = asked.length === 0 ? CATEGORIES : CATEGORIES[sourceType(asked)];
        requireKnown(parameters, PARAMETERS);
        return sets;
      },
      {
        detail: operation({
          operationId: 'listCategories',
          tag: 'Categories',
          summary: 'List category keys',
          description:
            'The category keys accepted when posting transactions: of every source type, or with `sourceType` those of one.',
          query: CategoriesQuery,
          responses: {
            200: {
              description: 'The category sets by source type; with `sourceType` that one set.',
              schema: Type.Union([CategorySets, CategorySet]),
              example: {
                income: CATEGORIES['self-employment'].income,
                expense: CATEGORIES['self-employment'].expense.slice(0, 2),
              },
            },
          },
          errors: ['invalid_source_type'],
        }),
      },
    );

function sourceType([value = '', ...more]: string[]): SourceType {
  if (more.length > 0) throw new ApiError('invalid_source_type', 'sourceType must be given once.');
  if ((SOURCE_TYPES as string[]).includes(value)) return value as SourceType;
  throw new ApiError('invalid_source_type', `sourceType is not known; ${proposal(value, SOURCE_TYPES)}`);
}
