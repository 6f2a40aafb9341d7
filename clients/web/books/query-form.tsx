/** Which entries to read: a source and two dates. */
import { useRef, useState } from 'preact/hooks';
import type { Source } from '../../typescript/index.ts';
import { sourceTypeName } from '../session.ts';
import type { Query } from './reading.ts';

export interface QueryFormProps {
  sources: readonly Source[];
  onRead: (query: Query) => void;
}

type DateName = 'from' | 'to';

export function QueryForm({ sources, onRead }: QueryFormProps) {
  const [sourceId, setSourceId] = useState(sources[0]?.id);
  const [problem, setProblem] = useState<{ field: DateName; text: string }>();
  // The fields are read when they are needed: a date that is half typed has no value yet.
  const fields = { from: useRef<HTMLInputElement>(null), to: useRef<HTMLInputElement>(null) };

  const read = () => {
    const source = sources.find(({ id }) => id === sourceId);
    if (!source) return;
    const found = problemOf(fields.from.current, fields.to.current);
    setProblem(found);
    if (found) return fields[found.field].current?.focus();
    const [from, to] = [fields.from.current?.value || undefined, fields.to.current?.value || undefined];
    onRead({ source, from, to });
  };

  if (sources.length === 0) {
    return <p class="card narrow">This account has no sources yet. You set sources up in the app.</p>;
  }
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
        onInput={() => setProblem(undefined)}
        onKeyDown={(event) => event.key === 'Enter' && read()}
      />
    </div>
  );
  return (
    <section class="card" aria-labelledby="books-title">
      <h2 id="books-title">Your books</h2>
      <div class="books-query">
        <div class="field books-source">
          <label for="books-source">Source</label>
          <select
            id="books-source"
            value={sourceId}
            onChange={({ currentTarget }) => setSourceId(currentTarget.value)}
          >
            {sources.map(({ id, name, type }) => (
              <option key={id} value={id}>
                {name} ({sourceTypeName(type)})
              </option>
            ))}
          </select>
        </div>
        {date('from', 'From')}
        {date('to', 'To')}
        <button type="button" class="primary" onClick={read}>
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
