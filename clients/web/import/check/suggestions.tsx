/** The rules that the books suggest, each with what it would do. A click applies one or all. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CategorySet, Source, SourceType } from '../../../typescript/index.ts';
import { isInRules, ruleOf, type Suggestion, withSuggestions } from '../../../typescript/send/suggestions.ts';
import { capitalised, count, counted } from '../../page/format.ts';
import type { Importer } from '../importer.ts';
import type { ImportState } from '../state.ts';

interface Props {
  importer: Importer;
  state: ImportState;
  suggestions: readonly Suggestion[];
}

/** Empty if there are none. */
export const suggestedText = ({ length }: readonly Suggestion[]): string =>
  length === 0 ? '' : `The books suggest ${counted(length, 'rule')}.`;

export function Suggestions({ importer, state, suggestions }: Props) {
  const { sources, allCategories } = state;
  const place = useRef<HTMLDivElement>(null);
  const applied = useRef<number | undefined>(undefined);
  const apply = (chosen: readonly Suggestion[], index: number) => {
    applied.current = index;
    // The rules of now: a second click may come before the first one is drawn.
    const { rules } = importer.state.peek().categorising;
    const added = chosen.filter((each) => !isInRules(rules, each));
    void importer.setCategorising({ rules: withSuggestions(rules, added) });
  };
  // The button that had the focus is gone: reading goes on at the next suggestion.
  useLayoutEffect(() => {
    const index = applied.current;
    applied.current = undefined;
    if (index === undefined || document.activeElement !== document.body) return;
    const items = place.current?.querySelectorAll('li') ?? [];
    const next = items[Math.min(index, items.length - 1)];
    (next ?? document.getElementById('rules'))?.focus();
  }, [suggestions]);
  return (
    <div ref={place}>
      {suggestions.length > 0 && (
        <div class="note suggestions">
          <div class="row-between">
            <h3>Rules that the books suggest</h3>
            {suggestions.length > 1 && (
              <button type="button" class="small" onClick={() => apply(suggestions, 0)}>
                Add all {count(suggestions.length)} rules
              </button>
            )}
          </div>
          <p class="hint">
            Entries of these payees have always had one property or business and one category. A rule that you
            add is written below and decides about the rows of this file.
          </p>
          <ul>
            {suggestions.map((each, index) => {
              const text = textOf(each, sources, allCategories);
              return (
                <li key={ruleOf(each)} class="row-between" tabIndex={-1}>
                  <span>{text}</span>
                  <button
                    type="button"
                    class="small"
                    aria-label={`Add the rule: ${text}`}
                    onClick={() => apply([each], index)}
                  >
                    Add the rule
                  </button>
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </div>
  );
}

/** `Thames water, expense → 27 Station Road / Other, as 4 entries` */
function textOf(
  { payee, type, source: name, category, entries }: Suggestion,
  sources: readonly Source[],
  categories: Record<SourceType, CategorySet> | undefined,
): string {
  const source = sources.find((each) => each.name === name);
  const label = source && categories?.[source.type]?.[type].find(({ key }) => key === category)?.label;
  return `${capitalised(payee)}, ${type} → ${name} / ${label ?? category}, as ${counted(entries, 'entry', 'entries')}`;
}
