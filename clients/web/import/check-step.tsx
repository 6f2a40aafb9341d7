/** The Check step: totals, chart, categories, and the rows with their problems. */
import { useMemo, useState } from 'preact/hooks';
import { totalsOf } from '../../typescript/books/totals.ts';
import { Chart } from '../chart/chart.tsx';
import { monthsOf } from '../chart/months.ts';
import { count, counted, dateText, pounds } from '../format.ts';
import { Announcement } from './announcement.tsx';
import { Categories } from './categories.tsx';
import { type Importer, invalidRows } from './importer.ts';
import { periodOf } from './known.ts';
import { countsOfRows, type Filter, isShown, rowsOf } from './rows.ts';
import { RowsTable } from './rows-table.tsx';
import { canPush, type ImportState } from './state.ts';
import { StepHeading } from './step-heading.tsx';

interface Props {
  importer: Importer;
  state: ImportState;
}

const FILTERS: Record<Filter, string> = {
  all: 'All rows',
  problem: 'Problems only',
  new: 'New',
  known: 'Already in the books',
  conflict: 'Different in the books',
  leftOut: 'Left out',
};

export function CheckStep({ importer, state }: Props) {
  const { result, corrections, known, storedRows, categories, isBusy, problem } = state;
  const [filter, setFilter] = useState<Filter>('all');
  const rows = useMemo(
    () => (result ? rowsOf(result, corrections, known, storedRows) : []),
    [result, corrections, known, storedRows],
  );
  const counts = useMemo(() => countsOfRows(rows), [rows]);
  const shown = useMemo(() => rows.filter((row) => isShown(row, filter)), [rows, filter]);
  const showProblems = () => {
    setFilter('problem');
    document.getElementById('rows-title')?.scrollIntoView();
    document.getElementById('filter-problem')?.focus({ preventScroll: true });
  };
  if (!result) return null;
  const invalid = invalidRows(result);
  const problemText = invalid > 0 ? `${counted(invalid, 'row')} to correct or leave out` : 'No problems';
  return (
    <div class="stack">
      <Summary importer={importer} state={state} />
      <Categories importer={importer} state={state} />
      <section class="card" aria-labelledby="rows-title" aria-busy={isBusy}>
        <div class="row-between">
          <h3 id="rows-title">Rows</h3>
          <fieldset class="filters">
            <legend class="sr-only">Show</legend>
            {(Object.keys(FILTERS) as Filter[])
              .filter((name) => name === 'all' || name === 'problem' || counts[name] > 0)
              .map((name) => (
                <label key={name} class="chip">
                  <input
                    type="radio"
                    id={`filter-${name}`}
                    name="filter"
                    class="sr-only"
                    checked={filter === name}
                    onChange={() => setFilter(name)}
                  />
                  {FILTERS[name]} <span class="number">{count(counts[name])}</span>
                </label>
              ))}
          </fieldset>
        </div>
        {problem && (
          <p class="note bad" role="alert">
            {problem.message}
          </p>
        )}
        <RowsTable
          rows={shown}
          categories={categories}
          onCorrect={(row, change) => void importer.correct(row, change)}
          onUndo={(row) => void importer.undoCorrections([row])}
        />
      </section>
      <Announcement text={isBusy ? '' : `${problemText}.`} />
      <div class="actions end sticky">
        <span class="hint">{problemText}</span>
        {invalid > 0 && filter !== 'problem' && (
          <button type="button" onClick={showProblems}>
            Show problems
          </button>
        )}
        <button type="button" onClick={() => importer.go('file')}>
          Back
        </button>
        <button
          type="button"
          class="primary"
          aria-disabled={!canPush(state)}
          onClick={() => importer.go('push')}
        >
          Go on with {counted(result.entries.length, 'entry', 'entries')}
        </button>
      </div>
    </div>
  );
}

function Summary({ importer, state }: Props) {
  const { result, source, known, storedRows, file } = state;
  const entries = result?.entries ?? [];
  const months = useMemo(() => monthsOf(entries.map(({ entry }) => entry)), [entries]);
  const period = periodOf(entries);
  const totals = useMemo(() => totalsOf(entries.map(({ entry }) => entry)), [entries]);
  const inBooks = entries.filter(({ entry }) => known.byReference.has(entry.externalRef ?? '')).length;
  const booksText = {
    unread: 'not compared yet',
    reading: 'comparing with the books…',
    read: `${count(inBooks + storedRows.size)} already in the books`,
    failed: 'the books could not be read',
  }[known.status];
  return (
    <section class="card" aria-labelledby="step-title">
      <StepHeading>Check what goes into {source?.name}</StepHeading>
      <dl class="totals">
        <div>
          <dt>Income</dt>
          <dd class="income">{pounds(totals.income.pence)}</dd>
          <dd class="hint">{counted(totals.income.count, 'entry', 'entries')}</dd>
        </div>
        <div>
          <dt>Expense</dt>
          <dd class="expense">{pounds(totals.expense.pence)}</dd>
          <dd class="hint">{counted(totals.expense.count, 'entry', 'entries')}</dd>
        </div>
        <div>
          <dt>Period</dt>
          <dd>{period ? `${dateText(period.from)} – ${dateText(period.to)}` : 'none'}</dd>
          <dd class="hint">{file?.name}</dd>
        </div>
        <div>
          <dt>New</dt>
          <dd>{count(entries.length - inBooks)}</dd>
          <dd class="hint">
            {booksText}
            {known.status === 'failed' && (
              <button type="button" class="quiet small" onClick={importer.retryNow}>
                Try again
              </button>
            )}
          </dd>
        </div>
      </dl>
      {months.length > 0 && <Chart months={months} />}
    </section>
  );
}
