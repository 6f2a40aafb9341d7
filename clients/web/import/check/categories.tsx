/** Where the categories of rows come from that have none: rules, then a default for each type. */
import type { Suggestion } from '../../../typescript/books/suggestions.ts';
import type { Category } from '../../../typescript/index.ts';
import { Disclosure } from '../../page/disclosure.tsx';
import { counted } from '../../page/format.ts';
import { useTyped } from '../../page/use-typed.ts';
import type { Importer } from '../importer.ts';
import { categoriesOf, type ImportState } from '../state.ts';
import { withRuleText } from './rule-text.ts';
import { Suggestions, suggestedText } from './suggestions.tsx';

interface Props {
  importer: Importer;
  state: ImportState;
  suggestions: readonly Suggestion[];
}

export function Categories({ importer, state, suggestions }: Props) {
  const { categorising, result, problem } = state;
  const categories = categoriesOf(state);
  const without = result?.entries.filter(({ entry }) => entry.category === undefined).length ?? 0;
  const isRulesWrong = problem?.option === 'rules';
  const set = (change: Partial<typeof categorising>) => void importer.setCategorising(change);
  const rules = useTyped(categorising.rules, (text) => set({ rules: text }));
  const title = titleOf(result?.entries.length ?? 0, without);
  const suggested = suggestedText(suggestions);
  return (
    <Disclosure title={suggested === '' ? title : `${title}. ${suggested}`} hasProblem={isRulesWrong}>
      <p class="hint">
        An entry without a category is to be sorted in the app. Categories come from the file, from your
        rules, or from these two.
      </p>
      {categories && (
        <div class="settings two">
          <Default
            label="Income without a category"
            id="default-income"
            value={categorising.income}
            choices={categories.income}
            onChange={(income) => set({ income })}
          />
          <Default
            label="Expense without a category"
            id="default-expense"
            value={categorising.expense}
            choices={categories.expense}
            onChange={(expense) => set({ expense })}
          />
        </div>
      )}
      <Suggestions importer={importer} state={state} suggestions={suggestions} />
      <div class="field">
        <label for="rules">Rules, one on each line. The first that matches decides.</label>
        <textarea
          id="rules"
          spellcheck={false}
          {...rules}
          placeholder={
            'description contains "B&Q" -> 12 Acacia Avenue / repairsAndMaintenance\ndescription is "TRANSFER TO SAVINGS" -> leave out\notherwise -> ask'
          }
          aria-invalid={isRulesWrong}
          aria-describedby="rules-problem rules-help"
        />
        <p id="rules-problem" class="problem">
          {isRulesWrong && withRuleText(problem.message, categorising.rules)}
        </p>
        <p id="rules-help" class="hint">
          Conditions, joined by “and”: description contains, is, starts with or ends with a text in quotes;
          amount is, over or under pounds; type is income or expense; or “otherwise” for all other rows. Then
          “-&gt;” and what to do: a category, a property or business, both with “/” between them, “leave out”,
          “ask”, or “split:” and parts.
        </p>
        {categorising.rules !== '' && (
          <div class="row-between">
            <p class="hint">These rules are kept in this browser, without your key and your rows.</p>
            <button type="button" class="quiet small" onClick={() => set({ rules: '' })}>
              Forget these rules
            </button>
          </div>
        )}
      </div>
    </Disclosure>
  );
}

function titleOf(entries: number, without: number): string {
  if (entries === 0) return 'Categories';
  if (without === 0) return 'Categories: every entry has one';
  return `Categories: ${counted(without, 'entry', 'entries')} without one`;
}

interface DefaultProps {
  label: string;
  id: string;
  value: string;
  choices: readonly Category[];
  onChange: (key: string) => void;
}

function Default({ label, id, value, choices, onChange }: DefaultProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">To be sorted in the app</option>
        {choices.map(({ key, label: name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
