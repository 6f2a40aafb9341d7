/** How far the reading is, with a button that ends it. */
import { count, counted, timeText } from '../page/format.ts';
import type { BooksState } from './reading.ts';

export interface ProgressProps {
  state: BooksState;
  onCancel: () => void;
}

export function Progress({ state: { progress, expected, pause }, onCancel }: ProgressProps) {
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
