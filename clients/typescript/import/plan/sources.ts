/** The sources of the account, by name or id. */
import { distance } from 'fastest-levenshtein';
import type { PlanSource } from '../options.ts';
import { comparable } from './rules.ts';

/** The sources that have this id or name; case and runs of spaces do not count. */
export function sourcesNamed(sources: readonly PlanSource[], text: string): PlanSource[] {
  const name = comparable(text);
  const byId = sources.filter(({ id }) => id === name);
  return byId.length > 0 ? byId : sources.filter((source) => comparable(source.name) === name);
}

/** The one source of this name, or why there is none. */
export function sourceNamed(
  sources: readonly PlanSource[],
  text: string,
): { source: PlanSource } | { problem: string } {
  const [source, ...others] = sourcesNamed(sources, text);
  if (source && others.length === 0) return { source };
  const shown = text.slice(0, 100);
  if (source) return { problem: `"${shown}" is the name of several sources; use an id.` };
  const names = sources.map(({ name }) => name);
  const [nearest] = names
    .map((name) => ({ name, away: distance(comparable(name), comparable(text).slice(0, 500)) }))
    .filter(({ name, away }) => away <= Math.max(2, name.length / 3))
    .sort((one, two) => one.away - two.away);
  const hint = nearest ? `Did you mean ${nearest.name}?` : `The sources are ${names.join(', ')}.`;
  return { problem: `There is no source "${shown}". ${hint}` };
}
