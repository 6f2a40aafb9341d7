/** Which entries to read: the property or business, and the period. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ukDay } from '../../typescript/days.ts';
import { taxYearOf } from '../../typescript/figures/periods.ts';
import type { Period, Source } from '../../typescript/index.ts';
import { sourceTypeName } from '../key/session.ts';
import { dateText } from '../page/format.ts';
import { Options } from '../page/options.tsx';
import type { Query } from './books-reader.ts';
import { ALL_DATES, quartersOf, taxYear, taxYearLabel } from './periods.ts';

interface QueryFormProps {
  sources: readonly Source[];
  /** The choice on the screen. */
  query: Query;
  onRead: (query: Query) => void;
}

type DateName = 'from' | 'to';
const OTHER = 'other';
const periodKey = ({ from = '', to = '' }: Period) => `${from}/${to}`;

export function QueryForm({ sources, query, onRead }: QueryFormProps) {
  const [sourceId, setSourceId] = useState('');
  const [chosen, setChosen] = useState(OTHER);
  const [problem, setProblem] = useState<{ field: DateName; text: string }>();
  const [years] = useState(() => [0, 1].map((ago) => taxYearOf(ukDay()) - ago));
  const presets = [...years.map(taxYear), ...years.flatMap(quartersOf), ALL_DATES];
  // The fields are read when they are needed: a date that is half typed has no value yet.
  const fields = { from: useRef<HTMLInputElement>(null), to: useRef<HTMLInputElement>(null) };
  const show = (period: Period) => {
    for (const name of ['from', 'to'] as const) {
      const field = fields[name].current;
      if (field) field.value = period[name] ?? '';
    }
    const isPreset = presets.some((preset) => periodKey(preset) === periodKey(period));
    setChosen(isPreset ? periodKey(period) : OTHER);
    setProblem(undefined);
  };
  useLayoutEffect(() => {
    setSourceId((query.sources.length === 1 && query.sources[0]?.id) || '');
    show(query);
  }, [query]);

  const read = (id = sourceId) => {
    const found = problemOf(fields.from.current, fields.to.current);
    setProblem(found);
    if (found) return fields[found.field].current?.focus();
    const [from, to] = [fields.from.current?.value || undefined, fields.to.current?.value || undefined];
    onRead({ sources: id === '' ? sources : sources.filter((source) => source.id === id), from, to });
  };
  const chooseSource = (id: string) => {
    setSourceId(id);
    read(id);
  };
  const choosePeriod = (key: string) => {
    const preset = presets.find((each) => periodKey(each) === key);
    if (!preset) return fields.from.current?.focus();
    show(preset);
    read();
  };

  const date = (name: DateName, label: string) => (
    <div class="field">
      <label for={`books-${name}`}>{label}</label>
      <input
        id={`books-${name}`}
        type="date"
        min="0001-01-01"
        max="9999-12-31"
        ref={fields[name]}
        aria-invalid={problem?.field === name}
        aria-describedby="books-problem"
        onInput={() => {
          setChosen(OTHER);
          setProblem(undefined);
        }}
        onKeyDown={(event) => event.key === 'Enter' && read()}
      />
    </div>
  );
  return (
    <section class="card" aria-labelledby="books-title">
      <h2 id="books-title">Your books</h2>
      <div class="books-query">
        <div class="field books-source">
          <label for="books-source">Property or business</label>
          <select
            id="books-source"
            value={sourceId}
            onChange={({ currentTarget }) => chooseSource(currentTarget.value)}
          >
            {sources.length > 1 && <option value="">All</option>}
            <Options of={sources.map(({ id, name, type }) => [id, `${name} (${sourceTypeName(type)})`])} />
          </select>
        </div>
        <div class="field books-period">
          <label for="books-period">Period</label>
          <select
            id="books-period"
            value={chosen}
            onChange={({ currentTarget }) => choosePeriod(currentTarget.value)}
          >
            <Options
              of={years.map((year, ago) => [
                periodKey(taxYear(year)),
                `${ago === 0 ? 'This' : 'Last'} tax year, ${taxYearLabel(year)}`,
              ])}
            />
            {years.map((year) => (
              <optgroup key={year} label={`Quarters of ${taxYearLabel(year)}`}>
                <Options
                  of={quartersOf(year).map(({ from = '', to = '' }) => [
                    periodKey({ from, to }),
                    `${dateText(from)} to ${dateText(to)}`,
                  ])}
                />
              </optgroup>
            ))}
            <option value={periodKey(ALL_DATES)}>All dates</option>
            <option value={OTHER}>Other dates</option>
          </select>
        </div>
        {date('from', 'From')}
        {date('to', 'To')}
        <button type="button" class="primary" onClick={() => read()}>
          Show entries
        </button>
      </div>
      <p id="books-problem" class="problem" aria-live="polite">
        {problem?.text}
      </p>
    </section>
  );
}

function problemOf(from: HTMLInputElement | null, to: HTMLInputElement | null) {
  for (const [field, input] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (input && !input.validity.valid) return { field, text: 'Enter a whole date, or clear the field.' };
  }
  return from?.value && to?.value && from.value > to.value
    ? { field: 'to' as const, text: 'The last day is before the first one. Change one of the two.' }
    : undefined;
}
