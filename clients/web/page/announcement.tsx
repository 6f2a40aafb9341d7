/** What screen readers read out: announcements and problems. */
import { useEffect, useRef, useState } from 'preact/hooks';

const PAUSE_MS = 4_000;
const READ_MS = 1_000;

/**
 * A text for screen readers. It changes at most every four seconds, so that it can be read out. A text that is out of date is removed after a
 * second: it would contradict the page.
 */
export function Announcement({ text }: { text: string }) {
  const [shown, setShown] = useState('');
  const shownAt = useRef(0);
  useEffect(() => {
    const after = (ms: number, run: () => void) =>
      setTimeout(run, Math.max(0, shownAt.current + ms - Date.now()));
    const removing = after(READ_MS, () => setShown((before) => (before === text ? before : '')));
    const showing = after(PAUSE_MS, () => {
      if (text !== '') shownAt.current = Date.now();
      setShown(text);
    });
    return () => {
      clearTimeout(removing);
      clearTimeout(showing);
    };
  }, [text]);
  return (
    <p class="sr-only" role="status" aria-live="polite">
      {shown}
    </p>
  );
}

/** A problem, which screen readers read out at once. Nothing without a text. */
export const ProblemNote = ({ text }: { text: string | undefined }) =>
  text ? (
    <p class="note bad" role="alert">
      {text}
    </p>
  ) : null;
