/** GET /categories: the category keys that transactions accept. */
import { Elysia } from 'elysia';
import { CATEGORIES, SOURCE_TYPES, type SourceType } from '../../proto/domain.ts';
import { ApiError } from '../api/errors.ts';
import { oneOf, operation } from '../api/operation.ts';
import { CategoriesQuery, CategorySet, CategorySets } from '../api/schemas.ts';
import { proposal } from '../input/issues.ts';
import { requireKnown, searchParams } from '../input/page-query.ts';
import { admission, methodNotAllowed, OTHER_METHODS, type Services } from './admission.ts';

const PATH = '/api/v1/categories';
const PARAMETERS = Object.keys(CategoriesQuery.properties);

export const categories = (services: Services) =>
  new Elysia()
    .all(PATH, methodNotAllowed('GET, HEAD'), OTHER_METHODS)
    .use(admission(services))
    .get(
      PATH,
      async ({ caller, context, request }) => {
        // Needs no data, but a revoked key must be refused.
        await services.ledger.authenticate(caller.keyHash, context);
        const parameters = searchParams(request);
        const types = parameters.getAll('sourceType');
        const sets = types.length === 0 ? CATEGORIES : CATEGORIES[sourceType(types)];
        requireKnown(parameters, PARAMETERS);
        return sets;
      },
      { detail: LIST_CATEGORIES },
    );

function sourceType([value = '', ...more]: string[]): SourceType {
  if (more.length > 0) throw new ApiError('invalid_source_type', 'sourceType must be given once.');
  if ((SOURCE_TYPES as string[]).includes(value)) return value as SourceType;
  throw new ApiError('invalid_source_type', `sourceType is not known; ${proposal(value, SOURCE_TYPES)}`);
}

const LIST_CATEGORIES = operation({
  operationId: 'listCategories',
  tag: 'Categories',
  summary: 'List category keys',
  description:
    'The category keys accepted when posting transactions: of every source type, or of one with `sourceType`.',
  query: CategoriesQuery,
  responses: {
    200: {
      description: 'The category sets by source type; with `sourceType` that one set.',
      schema: oneOf(CategorySets, CategorySet),
      example: {
        income: CATEGORIES['self-employment'].income,
        expense: CATEGORIES['self-employment'].expense.slice(0, 2),
      },
    },
  },
  errors: ['invalid_source_type'],
  sample: {
    path: '/api/v1/categories?sourceType=uk-property',
    typescript: "console.log(await ledger.categories('uk-property'));",
  },
});
