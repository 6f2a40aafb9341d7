/** The Import step: the plan, then the progress, the reason for a wait, and the way to pause. */
import { useEffect, useState } from 'preact/hooks';
import { totalsOf } from '../../../typescript/export/totals.ts';
import { keyProblem } from '../../key/session.ts';
import { Announcement } from '../../page/announcement.tsx';
import { count, counted, daysText, durationText, timeText } from '../../page/format.ts';
import { StepHeading } from '../../page/step-heading.tsx';
import { TextList } from '../../page/text-list.tsx';
import { IncomeAndExpense } from '../../page/total.tsx';
import { LeftOutInBooks, LeftOutSums } from '../check/left-out.tsx';
import { Warnings } from '../check/warnings.tsx';
import type { ViewProps } from '../importer.ts';
import { countsOfPush, type PushState, rateOf, unlikelyIn } from '../push-state.ts';
import { type InvalidRows, invalidRows, nameOfFiles, rowLabel, targetOf } from '../selectors.ts';
import type { ImportState } from '../state.ts';
import { SumsTable } from './sums.tsx';

const CREATED_PER_DAY = 5_000;

export function PushStep({ importer, state }: ViewProps) {
  const { push } = state;
  const [areDatesConfirmed, setDatesConfirmed] = useState(false);
  const dates = [...new Set(unlikelyIn(push).map(({ value }) => value))];
  if (!push) return null;
  const { status, newEntries } = push;
  const isStarted = status !== 'ready';
  return (
    <section class="card medium" aria-labelledby="step-title">
      <StepHeading>
        {newEntries.length === 0
          ? `Nothing new for ${targetOf(state)}`
          : `${isStarted ? 'Importing' : 'Import'} ${counted(newEntries.length, 'entry', 'entries')} into ${targetOf(state)}`}
      </StepHeading>
      {isStarted ? <PushBar push={push} /> : <BeforePush state={state} push={push} />}
      {!isStarted && dates.length > 0 && (
        <label class="confirm-dates">
          <input
            type="checkbox"
            checked={areDatesConfirmed}
            onChange={({ currentTarget }) => setDatesConfirmed(currentTarget.checked)}
          />
          <span>
            {dates.length === 1 ? 'This date is' : 'These dates are'} right: {dates.join(', ')}
          </span>
        </label>
      )}
      {status === 'failed' && <Failure state={state} push={push} />}
      {status === 'paused' && <p class="note">Paused. {storedText(push)}; going on sends the rest.</p>}
      <p class="hint">Importing again is safe: a row that is in the books is not created again.</p>
      <PushActions
        importer={importer}
        push={push}
        canStart={dates.length === 0 || areDatesConfirmed}
        onStart={() => importer.startPush(areDatesConfirmed)}
      />
    </section>
  );
}

/** The entries that will be sent, and the rows that will not. */
function BeforePush({ state, push }: Pick<ViewProps, 'state'> & { push: PushState }) {
  const { shown, newEntries } = push;
  const { rules } = state.categorising;
  return (
    <>
      {newEntries.length > 0 && (
        <p class="hint">
          {nameOfFiles(shown.files)}, {daysText(newEntries)}
        </p>
      )}
      <Warnings state={state} compared={shown} />
      <LeftOutInBooks leftOut={shown.leftOutAndStored} rules={rules} />
      <LeftOutSums files={shown.files} rules={rules} />
      <Plan push={push} invalid={invalidRows(shown.files.map(({ result }) => result))} />
      <SumsTable state={state} shown={shown} />
    </>
  );
}

interface ActionsProps extends Pick<ViewProps, 'importer'> {
  push: PushState;
  canStart: boolean;
  onStart: () => void;
}

/** The buttons: one status offers others than the next. */
function PushActions({ importer, push, canStart, onStart }: ActionsProps) {
  const { status, newEntries, settled } = push;
  const isRunning = status === 'running' || status === 'pausing';
  const isStopped = status === 'paused' || status === 'failed';
  return (
    <div class="actions">
      {status === 'ready' && (
        <button type="button" class="primary" aria-disabled={!canStart} onClick={onStart}>
          {newEntries.length > 0
            ? `Import ${counted(newEntries.length, 'entry', 'entries')}`
            : 'Show the result'}
        </button>
      )}
      {isRunning && (
        <button type="button" aria-disabled={status === 'pausing'} onClick={importer.pausePush}>
          {status === 'pausing' ? 'Pausing after this request…' : 'Pause'}
        </button>
      )}
      {isStopped && (
        <button type="button" class="primary" onClick={() => importer.startPush(true)}>
          Go on
        </button>
      )}
      {isStopped && settled > 0 && (
        <button type="button" onClick={() => importer.go('result')}>
          Cancel the rest
        </button>
      )}
      {!isRunning && (
        <button type="button" onClick={() => importer.go('check')}>
          Back to the rows
        </button>
      )}
    </div>
  );
}

/** The entries that are sent, the ones that are not, and a warning: nothing can be taken back. */
function Plan({ push, invalid }: { push: PushState; invalid: InvalidRows }) {
  const { newEntries } = push;
  const { toCorrect, withoutProperty } = invalid;
  const { created, known, conflicts, elsewhere, taken } = countsOfPush(push);
  const without = newEntries.filter(({ entry }) => entry.category === undefined).length;
  const days = Math.ceil(newEntries.length / CREATED_PER_DAY);
  const isAre = (number: number) => counted(number, 'entry is', 'entries are');
  const left: [number: number, text: string][] = [
    [without, 'without a category, to be sorted in the app.'],
    [created + known, 'already in the books and will not be created again.'],
    [conflicts, 'in the books with other content, which stays.'],
    [elsewhere, 'in another property or business and will not be created.'],
    [taken, 'not created: other entries have the references.'],
  ];
  return (
    <>
      {newEntries.length > 0 && (
        <dl class="totals">
          <IncomeAndExpense {...totalsOf(newEntries.map(({ entry }) => entry))} />
        </dl>
      )}
      <ul class="plan">
        {toCorrect + withoutProperty > 0 && (
          <li>
            <strong>{counted(toCorrect + withoutProperty, 'row is', 'rows are')} not imported:</strong> go
            back to correct them or to leave them out.
          </li>
        )}
        {left.map(([number, text]) => number > 0 && <li key={text}>{`${isAre(number)} ${text}`}</li>)}
        {days > 1 && (
          <li>
            <strong>This takes {counted(days - 1, 'day')} or more:</strong> an account may create{' '}
            {count(CREATED_PER_DAY)} entries in 24 hours. The import waits for the rest while this tab is
            open, or you import the file again later.
          </li>
        )}
      </ul>
      {newEntries.length > 0 && (
        <p class="note">
          <strong>An entry cannot be changed or deleted through this service afterwards.</strong> Look at the
          rows once more if you are not sure.
        </p>
      )}
    </>
  );
}

function PushBar({ push }: { push: PushState }) {
  const { newEntries, settled, status } = push;
  const rate = rateOf(push);
  const isMoving = status === 'running' && !push.wait;
  const waitText = useWaitText(push);
  const rateText =
    rate && isMoving
      ? `${count(Math.round(rate.perSecond))} a second, ${durationText(rate.leftMs)} left`
      : '';
  const text = `${count(settled)} of ${counted(newEntries.length, 'entry', 'entries')}`;
  return (
    <div class="progress">
      <progress max={newEntries.length} value={settled} aria-label="Entries sent" />
      <div class="row-between">
        <strong>{text}</strong>
        <span class="hint">{rateText}</span>
      </div>
      <p class={`note${waitText ? ' warning' : ' hidden'}`}>{waitText}</p>
      <Announcement text={waitText || text} />
    </div>
  );
}

/** Why it waits and until when; it counts down. */
function useWaitText({ wait, status }: PushState): string {
  const [now, setNow] = useState(Date.now);
  const isWaiting = wait !== undefined && status !== 'paused' && status !== 'failed';
  useEffect(() => {
    if (!isWaiting) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  if (!wait || !isWaiting) return '';
  const inTime = durationText(Math.max(wait.until.getTime() - now, 0));
  switch (wait.reason) {
    case 'minute_limit':
      return `The key has used its 120 requests of the minute. The import goes on in ${inTime}.`;
    case 'daily_cap':
      return `The account has created ${count(CREATED_PER_DAY)} entries in 24 hours. The import goes on at ${timeText(wait.until)}, if this tab stays open.`;
    case 'unavailable':
      return navigator.onLine
        ? `The service cannot be reached. The next attempt is in ${inTime}.`
        : 'There is no connection. The import goes on as soon as there is one.';
  }
}

function storedText({ settled, unknownIndexes }: PushState): string {
  const stored = `${counted(settled, 'entry is', 'entries are')} in the books`;
  return unknownIndexes.length === 0 ? stored : `At least ${stored}, ${count(unknownIndexes.length)} may be`;
}

function Failure({ state, push }: { state: ImportState; push: PushState }) {
  const { error, shown } = push;
  if (!error) return null;
  const { remaining, unknown } = countsOfPush(push);
  const issues = error.issues.slice(0, 10).map(({ index, message }) => {
    const read = index === undefined ? undefined : shown.entries[index];
    return read ? `Row ${rowLabel(state, read)}: ${message}` : message;
  });
  const isKey = error.status === 401 || error.status === 403;
  return (
    <div class="note bad" role="alert">
      <p>
        {isKey ? `The key has stopped working. ${keyProblem(error)}` : error.message} {storedText(push)},{' '}
        {count(remaining - unknown)} not sent.
      </p>
      {issues.length > 0 && <TextList texts={issues} />}
    </div>
  );
}
