/** The lines of a rules file about jointly held sources: `entries of NAME are my share`, or `… are of the whole`. */
import { ImportError, type PlanSource } from '../options.ts';
import { unquoted, withoutComment } from './decision.ts';
import { ENTRIES_OF, invalid } from './rules.ts';
import { sourceNamed } from './sources.ts';

export type EntriesAre = 'whole' | 'share';

const ENDS: Record<EntriesAre, RegExp> = {
  share: /\s+are\s+my\s+share$/i,
  whole: /\s+are\s+(?:of\s+)?the\s+whole$/i,
};

/** The line to add to a rules file. */
export const entriesAreLine = (name: string, entriesAre: EntriesAre) =>
  `entries of "${name.replaceAll('"', '""')}" are ${entriesAre === 'share' ? 'my share' : 'of the whole'}`;

/** Whether entries are the whole or the share, by the ids of the sources. @throws ImportError `invalid_rules` */
export function entriesAreOf(text: string, sources: readonly PlanSource[]): Map<string, EntriesAre> {
  const found = new Map<string, EntriesAre>();
  for (const [index, content] of text.split(/\r\n?|\n/).entries()) {
    if (!ENTRIES_OF.test(content)) continue;
    const said = withoutComment(content).replace(ENTRIES_OF, '');
    const entriesAre = (Object.keys(ENDS) as EntriesAre[]).find((each) => ENDS[each].test(said));
    if (entriesAre === undefined)
      throw invalid(index + 1, 'does not end with "are my share" or "are of the whole"');
    const read = sourceNamed(sources, unquoted(said.replace(ENDS[entriesAre], '')));
    if ('problem' in read)
      throw new ImportError('invalid_rules', `Line ${index + 1} of the rules: ${read.problem}`, 'rules');
    const { id, name } = read.source;
    if ((found.get(id) ?? entriesAre) !== entriesAre)
      throw invalid(index + 1, `contradicts an earlier line about the entries of ${name}`);
    found.set(id, entriesAre);
  }
  return found;
}
