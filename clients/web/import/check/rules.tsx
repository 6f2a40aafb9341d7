/** The rules, and the defaults for entries that no rule gives a category: typed, or loaded from a file. */

import { useState } from 'preact/hooks';
import { ownText } from '../../../typescript/export/own-text.ts';
import { withEarlierKept } from '../../../typescript/import/rules/kept-answers.ts';
import type { Category } from '../../../typescript/index.ts';
import { NO_CATEGORY } from '../../books/labels.ts';
import { download } from '../../page/download.ts';
import { FileButton, textBytes } from '../../page/file-button.tsx';
import { counted, fileName } from '../../page/format.ts';
import { Select } from '../../page/select.tsx';
import { useTyped } from '../../page/use-typed.ts';
import { withRuleText } from '../../page/words.ts';
import { chosenCategories } from '../categories.ts';
import type { Categorising, ImportState } from '../state.ts';
import { Suggestions, type SuggestionsProps, suggestedText } from './suggestions.tsx';

const RULES_FILE = 'rules.txt';
const RULES_BYTES_MAX = 1_000_000;

export function RulesEditor({ importer, state, suggestions }: SuggestionsProps) {
  const { categorising, files, merged, isBusy } = state;
  const problem = files.find(({ problem }) => problem?.option === 'rules')?.problem;
  const set = (change: Partial<Categorising>) => void importer.setCategorising(change);
  const typed = useTyped(categorising.rules, (rules) => set({ rules }));
  const [unreadable, setUnreadable] = useState('');
  const load = async (file: File) => {
    const rules = await rulesOf(file);
    setUnreadable(
      rules === undefined ? `${fileName(file)} is not a text in UTF-8. Choose a rules file.` : '',
    );
    const isOther = categorising.rules !== '' && categorising.rules !== rules;
    if (rules === undefined || (isOther && !confirm(`${fileName(file)} replaces your rules.`))) return;
    set({ rules: withColumns(rules, categorising.rules) });
  };
  return (
    <section class="rules" aria-label="Rules" aria-busy={isBusy}>
      <Suggestions importer={importer} state={state} suggestions={suggestions} />
      <div class="field">
        <label for="rules">Rules, one on each line. The first that matches decides.</label>
        <textarea
          id="rules"
          spellcheck={false}
          {...typed}
          placeholder={
            'description contains "B&Q" -> 12 Acacia Avenue / repairsAndMaintenance\ndescription is "TRANSFER TO SAVINGS" -> leave out\notherwise -> ask'
          }
          aria-invalid={problem !== undefined}
          aria-describedby="rules-problem rules-state"
        />
        <p id="rules-problem" class="problem" aria-live="polite">
          {unreadable || (problem && withRuleText(problem.message, categorising.rules))}
        </p>
      </div>
      <div class="actions">
        {/* Leaving the field applies the rules too. */}
        <button type="button" class="small" onClick={() => set({ rules: typed.value })}>
          Apply
        </button>
        <FileButton
          class="small"
          label="Rules file"
          accept=".txt,.rules,text/plain"
          onChoose={([file]) => void load(file)}
        >
          Load a rules file
        </FileButton>
        {categorising.rules !== '' && (
          <>
            <button
              type="button"
              class="small"
              onClick={() => download(RULES_FILE, categorising.rules, 'text/plain;charset=utf-8')}
            >
              Save
            </button>
            <button type="button" class="quiet small" onClick={() => set({ rules: '' })}>
              Forget these rules
            </button>
          </>
        )}
      </div>
      <Defaults state={state} onChange={set} />
      <div class="row-between">
        <Help />
        <p class="hint" id="rules-state">
          {[stateOf(merged), suggestedText(suggestions)].filter(Boolean).join(' ')}
        </p>
      </div>
    </section>
  );
}

interface DefaultsProps {
  state: ImportState;
  onChange: (change: Partial<Categorising>) => void;
}

/** The categories of entries that have none by a rule or a column. */
function Defaults({ state, onChange }: DefaultsProps) {
  const categories = chosenCategories(state);
  const { income, expense } = state.categorising;
  if (!categories) return null;
  return (
    <div class="settings two">
      <Select
        label="Income without a category"
        id="default-income"
        value={income}
        choices={categoryChoices(categories.income)}
        onChange={(income) => onChange({ income })}
      />
      <Select
        label="Expense without a category"
        id="default-expense"
        value={expense}
        choices={categoryChoices(categories.expense)}
        onChange={(expense) => onChange({ expense })}
      />
    </div>
  );
}

const Help = () => (
  <details class="rules-help">
    <summary>How to write rules</summary>
    <p class="hint">
      Conditions, joined by “and”: description contains, is, starts with or ends with a text in quotes; amount
      is, over or under pounds; type is income or expense; or “otherwise” for all other rows. Then “-&gt;” and
      what to do: a category, a property or business, both with “/” between them, “leave out”, “ask”, or
      “split:” and parts. An entry without a category is to be sorted in the app. This browser keeps the
      rules, without your key and your rows.
    </p>
  </details>
);

/** The kept answers about columns and the balances stay, as they do for `ledger rules`. */
function withColumns(rules: string, before: string): string {
  try {
    return withEarlierKept(rules, before);
  } catch {
    // The reader says where the rules have a problem.
    return rules;
  }
}

/** The text of a rules file. Undefined if it is no text, or longer than a person writes. */
async function rulesOf(file: File): Promise<string | undefined> {
  const bytes = await textBytes(file, RULES_BYTES_MAX);
  return bytes && ownText(bytes);
}

function stateOf({ entries }: ImportState['merged']): string {
  const without = entries.filter(({ entry }) => entry.category === undefined).length;
  if (entries.length === 0) return '';
  return without === 0
    ? 'Every entry has a category.'
    : `${counted(without, 'entry', 'entries')} without a category.`;
}

/** The choices of a category, or of none. */
const categoryChoices = (categories: readonly Category[]) => [
  ['', NO_CATEGORY] as const,
  ...categories.map(({ key, label }) => [key, label] as const),
];
