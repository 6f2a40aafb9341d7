/** The description of GET /categories. */
import Type from 'typebox';
import { CATEGORIES } from '../../proto/domain.ts';
import { operation } from '../description/operation.ts';
import { Categories, SourceTypeName } from '../description/response-schemas.ts';

const CategoriesQuery = Type.Object({
  sourceType: Type.Optional(Type.String({ ...SourceTypeName, minLength: 1 })),
});

export const LIST_CATEGORIES = operation({
  operationId: 'listCategories',
  tag: 'Categories',
  summary: 'List category keys',
  description:
    'The category keys accepted when posting transactions: of every source type, or of one with `sourceType`.',
  query: CategoriesQuery,
  responses: {
    200: {
      description: 'The category sets by source type; with `sourceType` that one set.',
      schema: Categories,
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
