/** `ledger rules`: checks rules, and keeps them for the profile. */

import { writeKept } from '../settings/profiles.ts';
import { keptRulesFile, readRules } from '../settings/rules.ts';
import { counted } from '../typescript/counted.ts';
import { countRules } from '../typescript/import/rules/compiled-rules.ts';
import { keptAnswersOf, withEarlierKept } from '../typescript/import/rules/kept-answers.ts';
import { sourcesWithCategories } from '../typescript/source-categories.ts';
import { connect, type GlobalOptions } from './connection.ts';

/** Shows the path of the kept rules, or checks `file` against the sources of the account and keeps it. */
export async function keepRules(file: string | undefined, options: GlobalOptions): Promise<void> {
  const { ledger, output } = connect(options);
  const kept = keptRulesFile(options);
  const rules = await readRules(file === undefined ? options : { ...options, rules: file });
  if (!rules) {
    output.result({ file: kept, rules: null }, [
      `No rules are kept. \`ledger rules FILE\` keeps the rules of FILE in ${kept}.`,
    ]);
    return;
  }
  const sources = await sourcesWithCategories(ledger, await ledger.sources());
  const count = countRules(rules.text, sources);
  // Answers about columns that push has kept stay, unless the file has others for the same files.
  const before = file === undefined ? undefined : await readRules(options);
  const text = withEarlierKept(rules.text, before?.text ?? '');
  if (file !== undefined) await writeKept(kept, text, [file]);
  const columns = keptAnswersOf(text).length;
  output.result({ file: kept, rules: count, columns }, [
    `${counted(count, 'rule is', 'rules are')} kept in ${kept}, and used by push, reconcile and figures.`,
    ...(columns > 0
      ? [`${counted(columns, 'line', 'lines')} about columns: push reads such files without questions.`]
      : []),
  ]);
}
