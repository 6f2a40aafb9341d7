/** The Books tab: the entries of the account's properties and businesses, with their sums, and the figures of a quarter. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ukDay } from '../../typescript/days.ts';
import { taxYearOf } from '../../typescript/figures/periods.ts';
import type { Ledger, Period, Source } from '../../typescript/index.ts';
import { Chips } from '../page/chips.tsx';
import { count, counted, dateText, periodText } from '../page/format.ts';
import { type BooksState, createReader, type Query, sourceIds, sourcesName } from './books-reader.ts';
import { Download } from './entries-download.tsx';
import { EntriesTable } from './entries-table.tsx';
import { Figures } from './figures/figures-view.tsx';
import type { KeptRules } from './kept-rules.ts';
import { ALL_DATES, taxYear } from './periods.ts';
import { QueryForm } from './query-form.tsx';
import { Progress } from './reading-progress.tsx';
import { search } from './search-entries.ts';
import { BooksTotals } from './totals.tsx';

interface BooksProps {
  ledger: Ledger;
  sources: readonly Source[];
  /** The last import is shown first; without an import, this tax year. */
  pushed: Query | undefined;
  /** Refunds are set against their category, and the lines about shares count. */
  rules: KeptRules;
  /** Nothing is read before the tab is shown. */
  isShown: boolean;
}

const VIEWS = [
  { choice: 'entries', content: 'Entries' },
  { choice: 'figures', content: 'Figures of a quarter' },
] as const;

export function BooksView(props: BooksProps) {
  const [view, setView] = useState<(typeof VIEWS)[number]['choice']>('entries');
  const { pushed } = props;
  // After an import, people want to see its entries.
  useEffect(() => {
    if (pushed) setView('entries');
  }, [pushed]);
  if (props.sources.length === 0) {
    return (
      <p class="card narrow">This account has no properties or businesses yet. You set them up in the app.</p>
    );
  }
  return (
    <div class="stack">
      <Chips legend="View" group="books-view" choices={VIEWS} chosen={view} onChoose={setView} />
      <div class="stack" hidden={view !== 'entries'}>
        <Entries {...props} isShown={props.isShown && view === 'entries'} />
      </div>
      <div class="stack" hidden={view !== 'figures'}>
        <Figures {...props} isShown={props.isShown && view === 'figures'} />
      </div>
    </div>
  );
}

function Entries({ ledger, sources, pushed, isShown }: BooksProps) {
  const reader = useMemo(() => createReader(ledger), [ledger]);
  const state = reader.state.value;
  useEffect(() => reader.cancel, [reader]);
  const [thisTaxYear] = useState(() => ({ sources, ...taxYear(taxYearOf(ukDay())) }));
  const [opened, setOpened] = useState<Query>();
  const opening = pushed ?? thisTaxYear;
  useEffect(() => {
    if (!isShown || opening === opened) return;
    setOpened(opening);
    void reader.read(opening);
  }, [isShown, opening]);
  const { status, query = opening, entries } = state;
  return (
    <>
      <QueryForm sources={sources} query={query} onRead={reader.read} />
      <Progress state={state} onCancel={reader.cancel} />
      {status === 'read' && entries.length === 0 && (
        <Nothing query={query} onReadAll={() => void reader.read({ ...query, ...ALL_DATES })} />
      )}
      {entries.length > 0 && <FoundEntries key={sourceIds(query)} state={state} query={query} />}
    </>
  );
}

function Nothing({ query, onReadAll }: { query: Query; onReadAll: () => void }) {
  const isOfPeriod = query.from !== undefined || query.to !== undefined;
  return (
    <section class="card">
      <p>
        There are no entries{isOfPeriod ? ' in this period' : ' yet'}: {sourcesName(query)},{' '}
        {daysOfQuery(query)}.
      </p>
      {isOfPeriod && (
        <div class="actions">
          <button type="button" onClick={onReadAll}>
            Show all dates
          </button>
        </div>
      )}
    </section>
  );
}

function FoundEntries({ state, query }: { state: BooksState; query: Query }) {
  const { entries, labels, status, isComplete } = state;
  const [text, setText] = useState('');
  const found = useMemo(() => search(entries, text, labels), [entries, text, labels]);
  const isOfSeveral = query.sources.length > 1;
  const isIncomplete = !isComplete && status !== 'reading';
  return (
    <>
      <section class="card" aria-labelledby="books-source-title">
        <div class="books-heading">
          <h2 id="books-source-title">{sourcesName(query)}</h2>
          <p class="hint">{daysOfQuery(query)}</p>
        </div>
        {isIncomplete && (
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
              placeholder={`Description, category${isOfSeveral ? ', property or business' : ''} or reference`}
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
      <BooksTotals entries={found} labels={labels} />
      <section class="card entries-card">
        {found.length > 0 ? (
          <EntriesTable entries={found} labels={labels} isOfSeveral={isOfSeveral} />
        ) : (
          <p>No entry has this text.</p>
        )}
      </section>
    </>
  );
}

function daysOfQuery({ from, to }: Period): string {
  if (from && to) return periodText(from, to);
  if (from) return `from ${dateText(from)}`;
  return to ? `until ${dateText(to)}` : 'all dates';
}
