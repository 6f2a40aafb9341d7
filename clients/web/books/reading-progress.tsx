/** How far the reading is, with a button that ends it, and what went wrong. */

import { ProblemNote } from '../page/announcement.tsx';
import { count, counted, timeText } from '../page/format.ts';
import type { BooksState } from './books-reader.ts';

interface ProgressProps {
  state: BooksState;
  onCancel: () => void;
}

export function Progress({ state, onCancel }: ProgressProps) {
  return (
    <>
      <p class="sr-only" role="status">
        {announcementOf(state)}
      </p>
      <ProblemNote text={state.problem} />
      {state.status === 'reading' && <Running state={state} onCancel={onCancel} />}
    </>
  );
}

function Running({ state: { progress, expected, pause }, onCancel }: ProgressProps) {
  const isKnown = expected !== undefined && expected >= progress;
  const read = isKnown
    ? `${count(progress)} of ${counted(expected, 'entry', 'entries')}`
    : counted(progress, 'entry', 'entries');
  return (
    <div class="card books-progress">
      <div>
        <p id="books-progress">Reading: {read}</p>
        <progress aria-labelledby="books-progress" {...(isKnown && { value: progress, max: expected })} />
        {pause && (
          <p class="hint">
            {pause.reason === 'minute_limit'
              ? `A key may make 120 requests in a minute. Reading goes on by itself at ${timeText(pause.until)}.`
              : 'The service cannot be reached. Reading goes on by itself when it can.'}
          </p>
        )}
      </div>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

const ANNOUNCED_STEP = 5_000;

/** Changes seldom, so that a screen reader can read it out. */
function announcementOf({ status, entries, progress, isComplete }: BooksState): string {
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
      return isComplete ? `All read: ${all}.` : `The newest were read: ${all}.`;
    case 'cancelled':
      return `Reading was cancelled. ${all} read.`;
  }
}
