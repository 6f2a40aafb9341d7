/** The Books tab: the entries of a source, read from the ledger, with their sums. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Ledger, Source } from '../../typescript/index.ts';
import { count, counted, dateText } from '../format.ts';
import { useStore } from '../use-store.ts';
import { Download } from './download.tsx';
import { EntriesTable } from './entries-table.tsx';
import { Progress } from './progress.tsx';
import { QueryForm } from './query-form.tsx';
import { type BooksState, createReader, type Query } from './reading.ts';
import { search } from './search.ts';
import { Totals } from './totals.tsx';

export interface BooksProps {
  ledger: Ledger;
  sources: readonly Source[];
}

export function Books({ ledger, sources }: BooksProps) {
  const reader = useMemo(() => createReader(ledger), [ledger]);
  const state = useStore(reader.store);
  useEffect(() => reader.cancel, [reader]);
  const { status, query, entries, problem } = state;
  const isEmpty = status === 'read' && entries.length === 0;
  return (
    <div class="stack">
      <QueryForm sources={sources} onRead={reader.read} />
      <p class="sr-only" role="status">
        {announcementOf(state)}
      </p>
      {problem && (
        <p class="note bad" role="alert">
          {problem}
        </p>
      )}
      {status === 'reading' && <Progress state={state} onCancel={reader.cancel} />}
      {isEmpty && query && (
        <p class="card">
          {query.source.name} has no entries{query.from || query.to ? ' in this period' : ' yet'}.
        </p>
      )}
      {query && entries.length > 0 && <Found key={query.source.id} state={state} query={query} />}
    </div>
  );
}

function Found({ state, query }: { state: BooksState; query: Query }) {
  const { entries, labels, status, isComplete } = state;
  const [text, setText] = useState('');
  const found = useMemo(() => search(entries, text, labels), [entries, text, labels]);
  const isPart = !isComplete && status !== 'reading';
  return (
    <>
      <section class="card" aria-labelledby="books-source-title">
        <div class="books-heading">
          <h2 id="books-source-title">{query.source.name}</h2>
          <p class="hint">{periodOf(query)}</p>
        </div>
        {isPart && (
          <p class="note warning">
            Not all entries were read: the sums and the file are of{' '}
            {counted(entries.length, 'entry', 'entries')} only, the newest ones.
          </p>
        )}
        <div class="books-tools">
          <div class="field">
            <label for="books-search">Search</label>
            <input
              id="books-search"
              type="search"
              placeholder="Description, category or reference"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </div>
          <Download entries={found} query={query} />
        </div>
        <p class="hint" role="status">
          {found.length < entries.length
            ? `${count(found.length)} of ${counted(entries.length, 'entry', 'entries')}: the sums and the file are of these.`
            : ''}
        </p>
      </section>
      <Totals entries={found} labels={labels} />
      <section class="card entries-card">
        {found.length > 0 ? <EntriesTable entries={found} labels={labels} /> : <p>No entry has this text.</p>}
      </section>
    </>
  );
}

function periodOf({ from, to }: Query): string {
  if (from && to) return `${dateText(from)} to ${dateText(to)}`;
  if (from) return `From ${dateText(from)}`;
  return to ? `Until ${dateText(to)}` : 'All dates';
}

const ANNOUNCED_STEP = 5_000;

/** Changes seldom, so that a screen reader can read it out. */
function announcementOf({ status, entries, progress }: BooksState): string {
  const all = counted(entries.length, 'entry', 'entries');
  switch (status) {
    case 'empty':
    case 'failed':
      return '';
    case 'reading': {
      const step = Math.floor(progress / ANNOUNCED_STEP) * ANNOUNCED_STEP;
      return step === 0 ? 'Reading the entries.' : `${count(step)} entries read.`;
    }
    case 'read':
      return `All read: ${all}.`;
    case 'cancelled':
      return `Reading was cancelled. ${all} read.`;
  }
}
