/** The quarterly updates of the tax year with their deadlines, and the question about last year's quarters. */
import { type Quarters, STATE_TEXTS } from '../../../typescript/figures/periods.ts';
import { dateText, periodText } from '../../page/format.ts';
import { Select } from '../../page/select.tsx';
import { taxYearLabel } from '../periods.ts';
import type { FiguresChoice, FiguresOfChoice } from './figures-of-choice.ts';

const QUARTER_CHOICES = [
  ['', 'Not answered'],
  ['standard', 'Standard, from 6 April'],
  ['calendar', 'Calendar, from 1 April'],
] as const;

interface UpdatesProps {
  figures: FiguresOfChoice;
  choice: FiguresChoice;
  onChoose: (choice: FiguresChoice) => void;
}

export function Updates({ figures: { year, question }, choice, onChoose }: UpdatesProps) {
  const { start, quarter, lastYear } = choice;
  const { updates, notes } = year;
  const matters = question !== undefined || notes.length > 0 || lastYear !== undefined;
  return (
    <section class="card figures-updates" aria-label="Quarterly updates">
      <h2>
        Tax year {taxYearLabel(start)}: quarter {quarter}
      </h2>
      <ol>
        {updates.map(({ from, to, deadline, state }) => (
          <li key={to} aria-current={state === 'open' ? 'date' : undefined}>
            {periodText(from, to)}, deadline {dateText(deadline)}: {STATE_TEXTS[state]}
          </li>
        ))}
      </ol>
      {question !== undefined && <p class="note warning">{question}</p>}
      {matters && (
        <Select
          class="figures-last-year"
          id="figures-last-year"
          label={`Quarters of ${taxYearLabel(start - 1)}`}
          value={lastYear ?? ''}
          choices={QUARTER_CHOICES}
          onChange={(value) =>
            onChoose({ ...choice, lastYear: (value || undefined) as Quarters | undefined })
          }
        />
      )}
      {notes.map((note) => (
        <p class="hint" key={note}>
          {note}
        </p>
      ))}
    </section>
  );
}
