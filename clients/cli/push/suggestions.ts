/** Rules that the books suggest for unsorted rows. */

import { counted } from '../../typescript/counted.ts';
import type { Ledger } from '../../typescript/index.ts';
import { ruleOf, withSuggestions } from '../../typescript/suggestions/suggested-rules.ts';
import {
  filesSuggestedFor,
  type Suggestion,
  suggestionsFor,
} from '../../typescript/suggestions/suggestions.ts';
import { suggestingPeriod, unsortedRows } from '../../typescript/suggestions/unsorted-rows.ts';
import { type GlobalOptions, readBooksWithProgress } from '../connection.ts';
import type { CommandFiles } from '../read-files.ts';
import type { PushSetup } from './push-setup.ts';

const SUGGESTIONS_SHOWN = 8;

/** The files, with --suggest read again with the suggested rules behind the others, and these rules. */
export async function withSuggestedRules(
  input: CommandFiles,
  { ledger, options, output }: Pick<PushSetup, 'ledger' | 'options' | 'output'>,
): Promise<{ input: CommandFiles; suggestions: readonly Suggestion[] }> {
  const isWanted = options.suggest || !output.isJson;
  const suggestions = ledger && isWanted ? await suggestionsOf(input, ledger, options) : [];
  if (!options.suggest || suggestions.length === 0) return { input, suggestions };
  const rules = input.rules ?? { file: 'the books', text: '', bytes: new Uint8Array() };
  const text = withSuggestions(rules.text, suggestions);
  return { input: await input.readAgain({ ...rules, text }), suggestions };
}

/** Reads the books of the year before the files, if some rows are unsorted. */
async function suggestionsOf(
  { files, sources }: CommandFiles,
  ledger: Ledger,
  options: GlobalOptions,
): Promise<Suggestion[]> {
  const unsorted = files.flatMap(({ result }) => unsortedRows(result));
  if (unsorted.length === 0 || !sources) return [];
  const books = await readBooksWithProgress(ledger, sources, options, suggestingPeriod(files));
  return suggestionsFor(unsorted, books.byId.values(), filesSuggestedFor(files.map(({ result }) => result)));
}

/** @param isApplied by `--suggest` */
export function suggestionLines(
  suggestions: readonly Suggestion[],
  isApplied: boolean,
  isVerbose: boolean,
): string[] {
  if (suggestions.length === 0) return [];
  const shown = isVerbose ? suggestions.length : SUGGESTIONS_SHOWN;
  const rules = counted(suggestions.length, 'rule', 'rules');
  return [
    isApplied
      ? `By --suggest, ${rules} from the books decided too:`
      : `The books suggest ${rules} for rows that nothing decides about. --suggest applies them, or put them into your rules:`,
    ...suggestions.slice(0, shown).map((each) => `  ${ruleOf(each)}`),
    ...(shown < suggestions.length ? [`  … and ${suggestions.length - shown} more: --verbose has all`] : []),
    '',
  ];
}
