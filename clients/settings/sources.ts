/** Finds the source that a person names. */

import { UserError } from '../files/user-error.ts';
import { sourceNamed } from '../typescript/import/rules/sources.ts';
import type { Source } from '../typescript/index.ts';

/**
 * The source with this id or name.
 * @throws UserError when there is none, or several of this name
 */
export function sourceIn(sources: readonly Source[], nameOrId: string): Source {
  const named = sourceNamed(sources, nameOrId);
  if ('problem' in named) throw new UserError(named.problem, 'source_not_found');
  return named.source;
}
