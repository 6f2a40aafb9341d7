/** The form to choose a tax year and a quarter. */
import { useState } from 'preact/hooks';
import { ukDay } from '../../../typescript/days.ts';
import { QUARTERS, type Quarter, quarterDays, taxYearOf } from '../../../typescript/figures/periods.ts';
import { periodText } from '../../page/format.ts';
import { Select } from '../../page/select.tsx';
import { taxYearLabel } from '../periods.ts';
import type { FiguresChoice } from './figures-of-choice.ts';

interface FiguresFormProps {
  choice: FiguresChoice;
  onChoose: (choice: FiguresChoice) => void;
  onRead: () => void;
}

export function FiguresForm({ choice, onChoose, onRead }: FiguresFormProps) {
  const { start, quarter, quarters } = choice;
  const [years] = useState(() => [0, 1].map((ago) => taxYearOf(ukDay()) - ago));
  return (
    <section class="card figures-form" aria-labelledby="figures-title">
      <h2 id="figures-title">Figures of a quarter</h2>
      <div class="figures-choice">
        <Select
          id="figures-year"
          label="Tax year"
          value={`${start}`}
          choices={years.map((year) => [`${year}`, taxYearLabel(year)])}
          onChange={(year) => onChoose({ ...choice, start: Number(year) })}
        />
        <Select
          id="figures-quarter"
          label="Quarter"
          value={`${quarter}`}
          choices={QUARTERS.map((each) => [`${each}`, quarterText(each, choice)])}
          onChange={(each) => onChoose({ ...choice, quarter: Number(each) as Quarter })}
        />
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

function quarterText(quarter: Quarter, { start, quarters, lastYear }: FiguresChoice): string {
  const { from, to } = quarterDays(start, quarter, quarters, lastYear);
  return `${quarter}: ${periodText(from, to)}`;
}
