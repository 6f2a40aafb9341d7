/** The lines of a rules file about jointly held sources: `entries of NAME are my share`, or `… are of the whole`. */
import type { SourceWithCategories } from '../options.ts';
import { quoted } from './action.ts';
import { ENTRIES_OF, invalidLine, linesWith, restOf } from './rules-text.ts';
import { sourceOfLine } from './sources.ts';

export type EntriesAre = 'whole' | 'share';

const LINE_ENDS: Record<EntriesAre, RegExp> = {
  share: /\s+are\s+my\s+share$/i,
  whole: /\s+are\s+(?:of\s+)?the\s+whole$/i,
};

/** The line to add to a rules file. */
export const entriesAreLine = (name: string, entriesAre: EntriesAre) =>
  `entries of ${quoted(name)} are ${entriesAre === 'share' ? 'my share' : 'of the whole'}`;

/** Whether entries are the whole or the share, by the ids of the sources. @throws ImportError `invalid_rules` */
export function entriesAreOf(
  text: string,
  sources: readonly SourceWithCategories[],
): Map<string, EntriesAre> {
  const found = new Map<string, EntriesAre>();
  for (const { line, content } of linesWith(text, ENTRIES_OF)) {
    const rest = restOf(content, ENTRIES_OF);
    const entriesAre = (Object.keys(LINE_ENDS) as EntriesAre[]).find((each) => LINE_ENDS[each].test(rest));
    if (entriesAre === undefined)
      throw invalidLine(line, 'does not end with "are my share" or "are of the whole"');
    const { id, name } = sourceOfLine(line, rest.replace(LINE_ENDS[entriesAre], ''), sources);
    if ((found.get(id) ?? entriesAre) !== entriesAre)
      throw invalidLine(line, `contradicts an earlier line about the entries of ${name}`);
    found.set(id, entriesAre);
  }
  return found;
}
