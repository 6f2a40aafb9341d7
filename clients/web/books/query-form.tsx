/** Which entries to read: the property or business, and the period. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ukDay } from '../../typescript/days.ts';
import { taxYearOf } from '../../typescript/figures/periods.ts';
import type { Period, Source } from '../../typescript/index.ts';
import { sourceTypeName } from '../key/session.ts';
import { dateText } from '../page/format.ts';
import { Options } from '../page/select.tsx';
import type { Query } from './books-reader.ts';
import { ALL_DATES, quartersOf, taxYear, taxYearLabel } from './periods.ts';

interface QueryFormProps {
  sources: readonly Source[];
  /** The query whose entries are on the screen. */
  query: Query;
  onRead: (query: Query) => void;
}

type DateName = 'from' | 'to';
interface DateProblem {
  field: DateName;
  text: string;
}

const OTHER = 'other';
const periodKey = ({ from = '', to = '' }: Period) => `${from}/${to}`;

export function QueryForm({ sources, query, onRead }: QueryFormProps) {
  const [sourceId, setSourceId] = useState('');
  const [chosen, setChosen] = useState(OTHER);
  const [problem, setProblem] = useState<DateProblem>();
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
    const found = periodProblem(fields.from.current, fields.to.current);
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
  const onDateInput = () => {
    setChosen(OTHER);
    setProblem(undefined);
  };
  const ofDate = { fields, problem, onInput: onDateInput, onEnter: () => read() };
  return (
    <section class="card" aria-labelledby="books-title">
      <h2 id="books-title">Your books</h2>
      <div class="books-query">
        <SourceField sources={sources} chosen={sourceId} onChoose={chooseSource} />
        <PeriodField years={years} chosen={chosen} onChoose={choosePeriod} />
        <DateField name="from" label="From" {...ofDate} />
        <DateField name="to" label="To" {...ofDate} />
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

interface ChoiceProps {
  chosen: string;
  onChoose: (key: string) => void;
}

/** @param props `chosen`: the id of a source, or empty for all of them */
function SourceField({ sources, chosen, onChoose }: ChoiceProps & Pick<QueryFormProps, 'sources'>) {
  return (
    <div class="field books-source">
      <label for="books-source">Property or business</label>
      <select
        id="books-source"
        value={chosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {sources.length > 1 && <option value="">All</option>}
        <Options of={sources.map(({ id, name, type }) => [id, `${name} (${sourceTypeName(type)})`])} />
      </select>
    </div>
  );
}

/** @param props `chosen`: the `periodKey` of a period that is offered, or `OTHER` */
function PeriodField({ years, chosen, onChoose }: ChoiceProps & { years: readonly number[] }) {
  return (
    <div class="field books-period">
      <label for="books-period">Period</label>
      <select
        id="books-period"
        value={chosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
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
  );
}

interface DateFieldProps {
  name: DateName;
  label: string;
  fields: Record<DateName, RefObject<HTMLInputElement | null>>;
  problem: DateProblem | undefined;
  onInput: () => void;
  onEnter: () => void;
}

function DateField({ name, label, fields, problem, onInput, onEnter }: DateFieldProps) {
  return (
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
        onInput={onInput}
        onKeyDown={(event) => event.key === 'Enter' && onEnter()}
      />
    </div>
  );
}

/** A date that is no whole date, or the end of a period before its start. */
function periodProblem(from: HTMLInputElement | null, to: HTMLInputElement | null) {
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
