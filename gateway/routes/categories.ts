/** GET /categories: the category keys that transactions accept. */
import { Elysia } from 'elysia';
import { CATEGORIES, SOURCE_TYPES, type SourceType } from '../../proto/domain.ts';
import { ApiError } from '../api/errors.ts';
import { proposal, requireKnown, searchParams } from '../input/issues.ts';
import { methodNotAllowed, type RouteDependencies, UNPARSED_BODY, withKey } from './hooks.ts';

const PATH = '/api/v1/categories';

export const categories = (dependencies: RouteDependencies) =>
  new Elysia()
    .all(PATH, methodNotAllowed('GET, HEAD'), UNPARSED_BODY)
    .use(withKey(dependencies))
    .get(PATH, async ({ caller, context, request }) => {
      const parameters = searchParams(request);
      const types = parameters.getAll('sourceType');
      const sets = types.length === 0 ? CATEGORIES : CATEGORIES[sourceType(types)];
      requireKnown(parameters, ['sourceType']);
      // Needs no data, but a revoked key must be refused.
      await dependencies.ledger.authenticate(caller.keyHash, context);
      return sets;
    });

function sourceType([value = '', ...more]: string[]): SourceType {
  if (more.length > 0) throw new ApiError('invalid_source_type', 'sourceType must be given once.');
  if ((SOURCE_TYPES as string[]).includes(value)) return value as SourceType;
  throw new ApiError('invalid_source_type', `sourceType is not known; ${proposal(value, SOURCE_TYPES)}`);
}
