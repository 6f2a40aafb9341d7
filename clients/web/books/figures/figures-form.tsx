/** Which tax year and which quarter. */
import { useState } from 'preact/hooks';
import { ukDay } from '../../../typescript/days.ts';
import { QUARTERS, type Quarter, quarterDays, taxYearOf } from '../../../typescript/figures/periods.ts';
import { periodText } from '../../page/format.ts';
import { taxYearLabel } from '../periods.ts';
import type { Choice } from './figures-of-choice.ts';

interface FiguresFormProps {
  choice: Choice;
  onChoose: (choice: Choice) => void;
  onRead: () => void;
}

export function FiguresForm({ choice, onChoose, onRead }: FiguresFormProps) {
  const { start, quarter, quarters, lastYear } = choice;
  const [years] = useState(() => [0, 1].map((ago) => taxYearOf(ukDay()) - ago));
  return (
    <section class="card figures-form" aria-labelledby="figures-title">
      <h2 id="figures-title">Figures of a quarter</h2>
      <div class="figures-choice">
        <div class="field">
          <label for="figures-year">Tax year</label>
          <select
            id="figures-year"
            value={start}
            onChange={({ currentTarget }) => onChoose({ ...choice, start: Number(currentTarget.value) })}
          >
            {years.map((year) => (
              <option key={year} value={year}>
                {taxYearLabel(year)}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="figures-quarter">Quarter</label>
          <select
            id="figures-quarter"
            value={quarter}
            onChange={({ currentTarget }) =>
              onChoose({ ...choice, quarter: Number(currentTarget.value) as Quarter })
            }
          >
            {QUARTERS.map((each) => {
              const { from, to } = quarterDays(start, each, quarters, lastYear);
              return (
                <option key={each} value={each}>
                  {each}: {periodText(from, to)}
                </option>
              );
            })}
          </select>
        </div>
        <label class="figures-calendar">
          <input
            type="checkbox"
            checked={quarters === 'calendar'}
            onChange={({ currentTarget }) =>
              onChoose({ ...choice, quarters: currentTarget.checked ? 'calendar' : 'standard' })
            }
          />
          Calendar quarters, from 1 April
        </label>
        <button type="button" class="primary" onClick={onRead}>
          Show figures
        </button>
      </div>
      <p class="hint">
        Nothing is submitted from here. You confirm and send quarterly updates in the app. Press a figure to
        see its entries.
      </p>
    </section>
  );
}
