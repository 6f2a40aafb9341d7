/** The Check step: totals, chart and categories in short, then the rows with their problems. */
import { useMemo, useState } from 'preact/hooks';
import type { Suggestion } from '../../../typescript/books/suggestions.ts';
import { totalsOf } from '../../../typescript/books/totals.ts';
import { Chart } from '../../chart/chart.tsx';
import { monthsOf } from '../../chart/months.ts';
import { Announcement } from '../../page/announcement.tsx';
import { count, counted, pounds } from '../../page/format.ts';
import { StepHeading } from '../../page/step-heading.tsx';
import { IncomeAndExpense, Total } from '../../page/total.tsx';
import { type Importer, invalidRows } from '../importer.ts';
import { canSend, type ImportState, targetOf } from '../state.ts';
import { CheckedBalances } from './balances.tsx';
import { Categories } from './categories.tsx';
import { daysText } from './period.ts';
import { Repeated } from './repeated.tsx';
import { type Counts, countsOfRows, type Filter, rowsOf } from './rows.ts';
import { RowsSection } from './rows-section.tsx';
import { suggestedText } from './suggestions.tsx';
import { Warnings } from './warnings.tsx';

interface Props {
  importer: Importer;
  state: ImportState;
}

interface CheckProps extends Props {
  suggestions: readonly Suggestion[];
}

export function CheckStep({ importer, state, suggestions }: CheckProps) {
  const { result, original, corrections, comparison, isBusy } = state;
  const [filter, setFilter] = useState<Filter>('all');
  // Whatever changes the corrections is followed by another result.
  const rows = useMemo(
    () => (result ? rowsOf({ result, original, corrections, comparison }) : []),
    [result, comparison],
  );
  const counts = useMemo(() => countsOfRows(rows), [rows]);
  const totals = useMemo(() => totalsOf(result?.entries.map(({ entry }) => entry) ?? []), [result]);
  const show = (filter: Filter) => {
    setFilter(filter);
    document.getElementById('rows-title')?.scrollIntoView();
    document.getElementById(`filter-${filter}`)?.focus({ preventScroll: true });
  };
  if (!result) return null;
  const invalid = invalidRows(result);
  const problemText = invalid > 0 ? `${counted(invalid, 'row')} to correct or leave out` : 'No problems';
  const { probable } = counts;
  const probableText = `${counted(probable, 'row is', 'rows are')} probably in the books: decide`;
  return (
    <div class="stack">
      <Summary importer={importer} state={state} suggestions={suggestions} counts={counts} totals={totals} />
      <RowsSection
        importer={importer}
        state={state}
        rows={rows}
        counts={counts}
        filter={filter}
        onFilter={setFilter}
      />
      <Announcement text={isBusy ? '' : `${problemText}. ${counted(counts.leftOut, 'row')} left out.`} />
      <Announcement text={isBusy || probable === 0 ? '' : `${probableText}.`} />
      <Announcement text={suggestedText(suggestions)} />
      <div class="actions end sticky">
        <p class="bar-totals">
          <span>
            Income <b class="income">{pounds(totals.income.pence)}</b>
          </span>
          <span>
            Expense <b class="expense">{pounds(totals.expense.pence)}</b>
          </span>
          {invalid > 0 && filter !== 'problem' ? (
            <button type="button" class="quiet small bad" onClick={() => show('problem')}>
              {problemText}
            </button>
          ) : (
            <span class="hint">{problemText}</span>
          )}
          {probable > 0 && (
            <button type="button" class="quiet small bad" onClick={() => show('probable')}>
              {probableText}
            </button>
          )}
        </p>
        <button type="button" onClick={() => importer.go('file')}>
          Back
        </button>
        <button
          type="button"
          class="primary"
          aria-disabled={!canSend(state)}
          onClick={() => importer.go('send')}
        >
          Go on with {counted(result.entries.length, 'entry', 'entries')}
        </button>
      </div>
    </div>
  );
}

interface SummaryProps extends CheckProps {
  counts: Counts;
  totals: ReturnType<typeof totalsOf>;
}

function Summary({ importer, state, suggestions, counts, totals }: SummaryProps) {
  const { result, books, file, comparison, balances } = state;
  const entries = result?.entries ?? [];
  const months = useMemo(() => monthsOf(entries.map(({ entry }) => entry)), [entries]);
  const booksText = {
    unread: 'not compared yet',
    reading: 'comparing with the books…',
    read: `${count(counts.known)} already in the books`,
    failed: 'the books could not be read',
  }[entries.length === 0 ? 'unread' : books.status];
  return (
    <section class="card" aria-labelledby="step-title">
      <StepHeading>Check what goes into {targetOf(state)}</StepHeading>
      <p class="hint">
        {file?.name}, {daysText(entries)}
      </p>
      <WrongSource importer={importer} state={state} />
      <Repeated importer={importer} state={state} />
      <CheckedBalances balances={balances} />
      {result && <Warnings result={result} comparison={comparison} />}
      <div class="summary">
        <div>
          <dl class="totals">
            <IncomeAndExpense {...totals} />
            <Total
              name="New"
              value={comparison ? count(counts.new) : '–'}
              note={
                <>
                  {booksText}
                  {books.status === 'failed' && (
                    <button type="button" class="quiet small" onClick={importer.retryNow}>
                      Try again
                    </button>
                  )}
                </>
              }
            />
          </dl>
          <Categories importer={importer} state={state} suggestions={suggestions} />
        </div>
        {months.length > 0 && <Chart months={months} isStrip />}
      </div>
    </section>
  );
}

/** The file seems to be one of another property: which one is right is for the person to say. */
function WrongSource({ importer, state }: Props) {
  const { comparison, source, isSourceConfirmed } = state;
  const wrong = comparison?.wrongSource;
  if (!wrong || isSourceConfirmed) return null;
  return (
    <div class="note warning" role="alert">
      <p>
        {count(wrong.rows)} of these {counted(wrong.of, 'row')} are already in <b>{wrong.source.name}</b>.
        This looks like a file of {wrong.source.name}, not of {source?.name}.
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => importer.chooseSource(wrong.source.id)}>
          Import into {wrong.source.name}
        </button>
        <button type="button" onClick={importer.confirmSource}>
          Import here all the same
        </button>
      </div>
    </div>
  );
}
