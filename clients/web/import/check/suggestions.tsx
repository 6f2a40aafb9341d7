/** Rules suggested by decided rows of the files and by the books, each with its effect. A click applies one or all. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { sumsText } from '../../../typescript/export/totals.ts';
import { isInRules, ruleOf, withRules } from '../../../typescript/suggestions/suggested-rules.ts';
import type { Suggestion } from '../../../typescript/suggestions/suggestions.ts';
import { capitalised, count, counted, poundsText } from '../../page/format.ts';
import { shownCategory } from '../categories.ts';
import type { ViewProps } from '../importer.ts';
import type { ImportState } from '../state.ts';
import { payeeRules } from './payee-rules.ts';

export interface SuggestionsProps extends ViewProps {
  suggestions: readonly Suggestion[];
}

/** How many rules the books suggest, as a sentence; empty without any. */
export const suggestedText = ({ length }: readonly Suggestion[]): string =>
  length === 0 ? '' : `The books suggest ${counted(length, 'rule')}.`;

export function Suggestions({ importer, state, suggestions }: SuggestionsProps) {
  const { files, categorising, isByRules } = state;
  const always = useMemo(() => payeeRules(state), [files, categorising, isByRules]);
  const isDecided = ({ payee, type }: Suggestion) =>
    always.some((each) => each.payee === payee && each.type === type);
  const decided = always.map((each) => ({
    rule: each.rule,
    text: `${capitalised(each.payee)}, ${each.type} → ${decisionWithLabels(each.decision, state)}: ${counted(each.rows.length, 'more row')}, ${sumsText(each.rows, poundsText)}`,
  }));
  const ofBooks = suggestions
    .filter((each) => !isDecided(each))
    .map((each) => ({
      rule: ruleOf(each),
      text: suggestionText(each, state),
      isIn: isInRules(categorising.rules, each),
    }));
  return (
    <>
      <Offered
        importer={importer}
        offers={decided}
        title="Always decide like this?"
        hint="You have decided about rows of these payees. A rule decides the others in the same way, in these files and in later ones."
      />
      <Offered
        importer={importer}
        offers={ofBooks.filter(({ isIn }) => !isIn)}
        title="Rules that the books suggest"
        hint="Entries of these payees have always had one property or business and one category. A rule that you add is written below and decides about the rows of this file."
      />
    </>
  );
}

interface OfferedProps extends Pick<ViewProps, 'importer'> {
  offers: readonly { rule: string; text: string }[];
  title: string;
  hint: string;
}

function Offered({ importer, offers, title, hint }: OfferedProps) {
  const place = useRef<HTMLDivElement>(null);
  const applied = useRef<number | undefined>(undefined);
  const apply = (chosen: OfferedProps['offers'], index: number) => {
    applied.current = index;
    // The rules of now: a second click may come before the first one is drawn.
    const { rules } = importer.state.peek().categorising;
    const added = chosen.flatMap(({ rule }) => (rules.includes(rule) ? [] : rule));
    void importer.setCategorising({ rules: withRules(rules, added) });
  };
  // The button that had the focus is gone: reading goes on at the next suggestion.
  useLayoutEffect(() => {
    const index = applied.current;
    applied.current = undefined;
    if (index === undefined || document.activeElement !== document.body) return;
    const items = place.current?.querySelectorAll('li') ?? [];
    const next = items[Math.min(index, items.length - 1)];
    (next ?? document.getElementById('rules'))?.focus();
  }, [offers.length]);
  return (
    <div ref={place}>
      {offers.length > 0 && (
        <div class="note suggestions">
          <div class="row-between">
            <h3>{title}</h3>
            {offers.length > 1 && (
              <button type="button" class="small" onClick={() => apply(offers, 0)}>
                Add all {count(offers.length)} rules
              </button>
            )}
          </div>
          <p class="hint">{hint}</p>
          <ul>
            {offers.map((each, index) => (
              <li key={each.rule} class="row-between" tabIndex={-1}>
                <span>{each.text}</span>
                <button
                  type="button"
                  class="small"
                  aria-label={`Add the rule: ${each.text}`}
                  onClick={() => apply([each], index)}
                >
                  Add the rule
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** `Thames water, expense → 27 Station Road / Other, as 4 entries` */
function suggestionText({ payee, type, source, category, entries }: Suggestion, state: ImportState): string {
  const label = shownCategory(state, source, type, category);
  return `${capitalised(payee)}, ${type} → ${source} / ${label}, as ${counted(entries, 'entry', 'entries')}`;
}

/** The decision of a rule, with labels in place of keys. */
function decisionWithLabels(decision: string, { allCategories }: ImportState): string {
  const all = Object.values(allCategories ?? {}).flatMap(({ income, expense }) => [...income, ...expense]);
  const labels = new Map(all.map(({ key, label }) => [key, label]));
  return decision.replace(/"[^"]*"|[a-z]\w*/g, (word) => labels.get(word) ?? word);
}
