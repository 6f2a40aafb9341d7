/** The Push step: what will happen, then the progress, what it waits for, and the way to pause it. */
import { useEffect, useState } from 'preact/hooks';
import { count, counted, durationText, timeText } from '../format.ts';
import { keyProblem } from '../session.ts';
import { Announcement } from './announcement.tsx';
import type { Importer } from './importer.ts';
import { countsOf, type PushState, rateOf } from './push.ts';
import type { ImportState } from './state.ts';
import { StepHeading } from './step-heading.tsx';

interface Props {
  importer: Importer;
  state: ImportState;
}

const ENTRIES_PER_REQUEST = 500;
const CREATED_PER_DAY = 5_000;

export function PushStep({ importer, state }: Props) {
  const { push, source } = state;
  if (!push) return null;
  const { status, entries } = push;
  const isRunning = status === 'running' || status === 'pausing';
  const isStarted = status !== 'ready';
  return (
    <section class="card medium" aria-labelledby="step-title">
      <StepHeading>
        {isStarted ? 'Pushing' : 'Push'} {counted(entries.length, 'entry', 'entries')} to {source?.name}
      </StepHeading>
      {isStarted ? <Progress push={push} /> : <Plan state={state} />}
      {status === 'failed' && <Failure push={push} />}
      {status === 'paused' && (
        <p class="note">
          Paused. {counted(push.outcomes.length, 'entry is', 'entries are')} in the books; going on sends the
          rest.
        </p>
      )}
      <p class="hint">
        Pushing again is safe: every entry has a reference, and the ledger creates one entry for a reference.
      </p>
      <div class="actions">
        {status === 'ready' && (
          <button type="button" class="primary" onClick={importer.startPush}>
            Push to the books
          </button>
        )}
        {isRunning && (
          <button type="button" aria-disabled={status === 'pausing'} onClick={importer.pausePush}>
            {status === 'pausing' ? 'Pausing after this request…' : 'Pause'}
          </button>
        )}
        {(status === 'paused' || status === 'failed') && (
          <button type="button" class="primary" onClick={importer.startPush}>
            Go on
          </button>
        )}
        {(status === 'paused' || status === 'failed') && push.outcomes.length > 0 && (
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
    </section>
  );
}

function Plan({ state: { push, known } }: { state: ImportState }) {
  const entries = push?.entries ?? [];
  const inBooks = entries.filter(({ entry }) => known.byReference.has(entry.externalRef ?? '')).length;
  const fresh = entries.length - inBooks;
  const requests = Math.ceil(entries.length / ENTRIES_PER_REQUEST);
  const days = Math.ceil(fresh / CREATED_PER_DAY);
  return (
    <ul class="plan">
      <li>
        {counted(fresh, 'entry is', 'entries are')} new
        {inBooks > 0 &&
          `, ${counted(inBooks, 'is', 'are')} already in the books and will not be created again`}
        .
      </li>
      <li>
        {counted(requests, 'request')} of at most {ENTRIES_PER_REQUEST} entries. A key may send 120 requests a
        minute.
      </li>
      {days > 1 ? (
        <li>
          <strong>This takes {counted(days - 1, 'day')} or more:</strong> an account may create{' '}
          {count(CREATED_PER_DAY)} entries in 24 hours. The push waits for the rest while this tab is open, or
          you push the file again later.
        </li>
      ) : (
        <li>
          An account may create {count(CREATED_PER_DAY)} entries in 24 hours. At that limit the push waits.
        </li>
      )}
      <li>If the connection is lost, the push waits and goes on by itself.</li>
    </ul>
  );
}

function Progress({ push }: { push: PushState }) {
  const { entries, sent, status } = push;
  const rate = rateOf(push);
  const isMoving = status === 'running' && !push.wait;
  const waitText = useWaitText(push);
  const rateText =
    rate && isMoving
      ? `${count(Math.round(rate.perSecond))} a second, ${durationText(rate.leftMs)} left`
      : '';
  const text = `${count(sent)} of ${counted(entries.length, 'entry', 'entries')}`;
  return (
    <div class="progress">
      <progress max={entries.length} value={sent} aria-label="Entries sent" />
      <div class="row-between">
        <strong>{text}</strong>
        <span class="hint">{rateText}</span>
      </div>
      <p class={`note${waitText ? ' warning' : ' hidden'}`}>{waitText}</p>
      <Announcement text={waitText || text} />
    </div>
  );
}

/** Why the push waits and until when; it counts down. */
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
      return `The key has used its 120 requests of the minute. The push goes on in ${inTime}.`;
    case 'daily_cap':
      return `The account has created 5,000 entries in 24 hours. The push goes on at ${timeText(wait.until)}, if this tab stays open.`;
    case 'unavailable':
      return navigator.onLine
        ? `The service cannot be reached. The next attempt is in ${inTime}.`
        : 'There is no connection. The push goes on as soon as there is one.';
  }
}

function Failure({ push }: { push: PushState }) {
  const { error, outcomes, entries } = push;
  if (!error) return null;
  const { remaining } = countsOf(push);
  // The issues point into what the last call was given: the entries without an outcome.
  const issues = error.issues.slice(0, 10).flatMap(({ index, message, path }) => {
    const row = index === undefined ? undefined : entries[outcomes.length + index]?.row;
    return [{ path, text: row === undefined ? message : `Row ${row}: ${message}` }];
  });
  const isKey = error.status === 401 || error.status === 403;
  return (
    <div class="note bad" role="alert">
      <p>
        {isKey ? `The key has stopped working. ${keyProblem(error)}` : error.message}{' '}
        {counted(outcomes.length, 'entry is', 'entries are')} in the books, {count(remaining)} not sent.
      </p>
      {issues.length > 0 && (
        <ul>
          {issues.map(({ path, text }) => (
            <li key={path}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
