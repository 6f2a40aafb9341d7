/** The source that a person names. */

import { UserError } from '../files/user-error.ts';
import type { Source } from '../typescript/index.ts';

/**
 * The source with this id or name.
 * @throws UserError when there is none, or several of this name
 */
export function sourceIn(sources: readonly Source[], nameOrId: string): Source {
  const isSame = (text: string) => text.trim().toLowerCase() === nameOrId.trim().toLowerCase();
  const found = sources.filter(({ id }) => isSame(id));
  if (found.length === 0) found.push(...sources.filter(({ name }) => isSame(name)));
  const [source] = found;
  if (source && found.length === 1) return source;
  const list = (found.length > 0 ? found : sources).map(({ name, id }) => `${name} (${id})`).join(', ');
  const message =
    found.length > 1
      ? `${nameOrId} is the name of several sources, use an id: ${list}.`
      : `${nameOrId} is not a source of this account. ${list ? `It has ${list}.` : 'It has none.'}`;
  throw new UserError(message, 'source_not_found');
}
