/** The sources of the account, by name or id. */
import { distance } from 'fastest-levenshtein';
import type { SourceWithCategories } from '../options.ts';
import { unquoted } from './action.ts';
import { comparable } from './conditions.ts';
import { wrongLine } from './rules-text.ts';

/** The sources with this id or name; case and runs of spaces do not count. */
export function sourcesNamed<Of extends SourceWithCategories>(sources: readonly Of[], text: string): Of[] {
  const name = comparable(text);
  const byId = sources.filter(({ id }) => id === name);
  return byId.length > 0 ? byId : sources.filter((source) => comparable(source.name) === name);
}

/** The only source of this name, or the problem. */
export function sourceNamed<Of extends SourceWithCategories>(
  sources: readonly Of[],
  text: string,
): { source: Of } | { problem: string } {
  const found = sourcesNamed(sources, text);
  const [source] = found;
  if (source && found.length === 1) return { source };
  const shown = text.slice(0, 100);
  if (source) {
    const ids = found.map(({ id }) => id).join(', ');
    return { problem: `"${shown}" is the name of several sources; use an id: ${ids}.` };
  }
  return { problem: `There is no source "${shown}". ${hintOf(sources, text)}` };
}

/** @param name in a line that is no rule, with or without quotes. @throws ImportError `invalid_rules` */
export function sourceOfLine(
  line: number,
  name: string,
  sources: readonly SourceWithCategories[],
): SourceWithCategories {
  const read = sourceNamed(sources, unquoted(name));
  if ('problem' in read) throw wrongLine(line, read.problem);
  return read.source;
}

function hintOf(sources: readonly SourceWithCategories[], text: string): string {
  const near = sourcesNear(sources, text);
  const others = near.slice(0, -1).join(', ');
  if (near.length > 0) return `Did you mean ${others === '' ? '' : `${others} or `}${near.at(-1)}?`;
  if (sources.length === 0) return 'The account has none.';
  return `The sources are ${sources.map(({ name }) => name).join(', ')}.`;
}

const NEAR_MAX = 3;

/** The names that share the most words with the text, at least half of its words; else the name with the most similar spelling. */
export function sourcesNear(sources: readonly SourceWithCategories[], text: string): string[] {
  const wanted = comparable(text).slice(0, 500);
  const words = comparableWords(wanted);
  const names = sources
    .map(({ name }) => {
      const own = new Set(comparableWords(name));
      const shared = words.filter((word) => own.has(word)).length;
      return { name, shared, away: distance(comparable(name), wanted) };
    })
    .filter(
      ({ name, shared, away }) =>
        (shared > 0 && 2 * shared >= words.length) || away <= Math.max(2, name.length / 3),
    )
    .sort((one, two) => two.shared - one.shared || one.away - two.away);
  const [first] = names;
  const equal = names.filter(({ shared }) => shared > 0 && shared === first?.shared);
  return (equal.length > 0 ? equal : names.slice(0, 1)).slice(0, NEAR_MAX).map(({ name }) => name);
}

const comparableWords = (text: string) => comparable(text).match(/[\p{L}\p{N}]+/gu) ?? [];
