/** The Check step: totals, chart and rules, then the rows with their problems. */
import { useMemo, useState } from 'preact/hooks';
import { type Totals, totalsOf } from '../../../typescript/export/totals.ts';
import { newEntries } from '../../../typescript/match/compare.ts';
import type { ComparedEntry } from '../../../typescript/match/compared-entry.ts';
import { Chart } from '../../chart/chart.tsx';
import { monthsOf } from '../../chart/months.ts';
import { Announcement } from '../../page/announcement.tsx';
import { count, counted, daysText, poundsText } from '../../page/format.ts';
import { StepHeading } from '../../page/step-heading.tsx';
import { IncomeAndExpense, TotalLine } from '../../page/total.tsx';
import { needsBooks, readFilesOf } from '../derived-state.ts';
import type { ViewProps } from '../importer.ts';
import { canPush, type InvalidRows, invalidRows, nameOfFiles, rowLabel, targetOf } from '../selectors.ts';
import { workbooksOf } from '../sheets.ts';
import type { FileState, ImportState } from '../state.ts';
import { CheckedBalances } from './balances.tsx';
import { LeftOutInBooks, LeftOutSums } from './left-out.tsx';
import { OtherSheets } from './other-sheets.tsx';
import { Rates } from './rates.tsx';
import { confirmSecondStore, RowQuestions } from './row-questions.tsx';
import { type CheckRow, countsOfRows, type Filter, tableRows } from './rows.ts';
import { RowsSection } from './rows-section.tsx';
import { RulesEditor } from './rules.tsx';
import { type SuggestionsProps, suggestedText } from './suggestions.tsx';
import { Warnings } from './warnings.tsx';

const CHANGED_SHOWN_MAX = 20;

export function CheckStep({ importer, state, suggestions }: SuggestionsProps) {
  const { files, merged, compared, isBusy } = state;
  const { rules } = state.categorising;
  const [filter, setFilter] = useState<Filter>('all');
  // Whatever changes the corrections is followed by another result.
  const rows = useMemo(
    () => tableRows({ files: files.flatMap(fileRows), compared, rules }),
    [files, compared],
  );
  const counts = useMemo(() => countsOfRows(rows), [rows]);
  const totals = useMemo(() => totalsOf(merged.entries.map(({ entry }) => entry)), [merged]);
  const show = (filter: Filter) => {
    setFilter(filter);
    document.getElementById('rows-title')?.scrollIntoView();
    document.getElementById(`filter-${filter}`)?.focus({ preventScroll: true });
  };
  const problemText = useMemo(() => problemTextOf(invalidRows(files.map(({ result }) => result))), [files]);
  const probableText = probableTextOf(rows, counts.probable);
  return (
    <div class="stack">
      <Summary importer={importer} state={state} suggestions={suggestions} totals={totals} />
      <Rates importer={importer} state={state} />
      <RowsSection
        importer={importer}
        state={state}
        rows={rows}
        counts={counts}
        filter={filter}
        onFilter={setFilter}
      />
      <Announcement
        text={isBusy ? '' : `${problemText || 'No problems'}. ${counted(counts.leftOut, 'row')} left out.`}
      />
      <Announcement text={isBusy || probableText === '' ? '' : `${probableText}.`} />
      <Announcement text={suggestedText(suggestions)} />
      <BottomBar
        importer={importer}
        state={state}
        totals={totals}
        problemText={problemText}
        probableText={probableText}
        isFiltered={filter === 'problem'}
        onShow={show}
      />
    </div>
  );
}

const fileRows = ({ file, result, read, corrections }: FileState) =>
  result ? [{ name: file.name, result, original: read?.original, corrections }] : [];

/** The number of rows to correct, as a text; empty if every row can be sent. */
function problemTextOf({ toCorrect, withoutProperty }: InvalidRows): string {
  const texts = [
    toCorrect > 0 && `${counted(toCorrect, 'row')} to correct or leave out`,
    withoutProperty > 0 && `${counted(withoutProperty, 'row needs', 'rows need')} a property`,
  ];
  return texts.filter(Boolean).join(', ');
}

/** Empty if no row waits for a decision. */
function probableTextOf(rows: readonly CheckRow[], probable: number): string {
  if (probable === 0) return '';
  const corrections = rows.filter(({ isCorrection }) => isCorrection).length;
  if (corrections === 0) return `${counted(probable, 'row is', 'rows are')} probably in the books: decide`;
  const are = counted(probable, 'row is', 'rows are');
  return corrections === probable
    ? `${are} probably ${probable === 1 ? 'a correction' : 'corrections'}: decide`
    : `${are} probably in the books, or corrections: decide`;
}

interface BottomBarProps extends ViewProps {
  totals: Totals;
  /** Names the rows to correct; empty without any. */
  problemText: string;
  /** Names the rows to decide about; empty without any. */
  probableText: string;
  /** Whether only rows with problems are shown. */
  isFiltered: boolean;
  onShow: (filter: Filter) => void;
}

/** Stays in sight below the rows: the totals, the rows with problems or questions, and the way on. */
function BottomBar(props: BottomBarProps) {
  const { importer, state, totals, problemText, probableText, isFiltered, onShow } = props;
  return (
    <div class="actions end sticky">
      <p class="bar-totals">
        <span>
          Income <b class="income">{poundsText(totals.income.pence)}</b>
        </span>
        <span>
          Expense <b class="expense">{poundsText(totals.expense.pence)}</b>
        </span>
        {problemText !== '' && !isFiltered ? (
          <button type="button" class="quiet small bad" onClick={() => onShow('problem')}>
            {problemText}
          </button>
        ) : (
          <span class="hint">{problemText || 'No problems'}</span>
        )}
        {probableText !== '' && (
          <button type="button" class="quiet small bad" onClick={() => onShow('probable')}>
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
        aria-disabled={!canPush(state)}
        onClick={() => importer.go('push')}
      >
        {goOnText(state)}
      </button>
    </div>
  );
}

function Summary({ importer, state, suggestions, totals }: SuggestionsProps & { totals: Totals }) {
  const { files, merged, books, compared } = state;
  const { entries } = merged;
  const months = useMemo(() => monthsOf(entries.map(({ entry }) => entry)), [entries]);
  const known = compared?.entries.filter(isInBooks).length ?? 0;
  const booksText = {
    due: 'not compared yet',
    reading: 'comparing with the books…',
    read: `${count(known)} already in the books`,
    failed: 'the books could not be read',
  }[needsBooks(readFilesOf(files)) ? books.status : 'due'];
  return (
    <section class="card check-summary" aria-labelledby="step-title">
      <StepHeading>Check what goes into {targetOf(state)}</StepHeading>
      <p class="hint">
        {nameOfFiles(files.map(({ file }) => file))}
        {entries.length > 0 && `, ${daysText(entries)}`}
        {merged.repeated.length > 0 &&
          `. ${counted(merged.repeated.length, 'row is', 'rows are')} in two files and counted once`}
      </p>
      <Changed state={state} />
      <WrongSourceQuestion importer={importer} state={state} />
      <RowQuestions importer={importer} state={state} />
      <OtherSheets workbooks={workbooksOf(files)} pushedFiles={state.pushedFiles} importer={importer} />
      <CheckedBalances state={state} />
      <Warnings state={state} compared={compared} />
      <LeftOutInBooks leftOut={compared?.leftOutAndStored ?? []} rules={state.categorising.rules} />
      <LeftOutSums files={readFilesOf(files)} rules={state.categorising.rules} />
      <div class="summary">
        <div>
          <dl class="totals">
            <IncomeAndExpense {...totals} />
            <TotalLine
              name="New entries"
              value={compared ? count(newEntries(compared).length) : '–'}
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
          {months.length > 0 && <Chart months={months} isStrip />}
        </div>
        <RulesEditor importer={importer} state={state} suggestions={suggestions} />
      </div>
    </section>
  );
}

/** Whether the entry is stored, by its reference or by the decision of a person. */
const isInBooks = ({ matchStatus }: ComparedEntry): boolean =>
  matchStatus === 'known' || matchStatus === 'joined';

/** After an import whose last comparison differs from the one on the screen. */
function Changed({ state }: Pick<ViewProps, 'state'>) {
  const { changed, created } = state;
  if (!changed) return null;
  const rows = [...new Set(changed.map((read) => rowLabel(state, read)))];
  const more = rows.length - CHANGED_SHOWN_MAX;
  return (
    <p class="note warning" role="alert">
      The books have changed since they were shown: {counted(changed.length, 'entry was', 'entries were')} not
      sent ({rows.length === 1 ? 'row' : 'rows'} {rows.slice(0, CHANGED_SHOWN_MAX).join(', ')}
      {more > 0 && ` and ${count(more)} more`}). {counted(created.size, 'entry was', 'entries were')} created.
      Look at these rows again, then go on.
    </p>
  );
}

/** The file seems to be one of another property: which one is right is for the person to say. */
function WrongSourceQuestion({ importer, state }: ViewProps) {
  const { compared, source, isSourceConfirmed } = state;
  const wrong = compared?.wrongSource;
  if (!wrong || isSourceConfirmed) return null;
  const found = `${wrong.source.name} has ${counted(wrong.equal, 'row')} of these files.`;
  return (
    <div class="note warning" role="alert">
      <p>
        {count(wrong.equal)} of these {counted(wrong.entries, 'row')} are already in{' '}
        <b>{wrong.source.name}</b>. This looks like a file of {wrong.source.name}, not of {source?.name}.
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => importer.chooseSource(wrong.source.id)}>
          Import into {wrong.source.name}
        </button>
        <button type="button" onClick={() => confirmSecondStore(found) && importer.confirmSource()}>
          Import here all the same
        </button>
      </div>
    </div>
  );
}

/** The text of the button to the step that sends: only entries that are new are sent. */
function goOnText({ compared }: Pick<ImportState, 'compared'>): string {
  if (!compared) return 'Go on';
  const { length } = newEntries(compared);
  return `Go on with ${counted(length, 'new entry', 'new entries')}`;
}
