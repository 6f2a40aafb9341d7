/** A text for screen readers. It changes at most every four seconds, so that it can be read out. */
import { useEffect, useRef, useState } from 'preact/hooks';

const PAUSE_MS = 4_000;

export function Announcement({ text }: { text: string }) {
  const [shown, setShown] = useState('');
  const shownAt = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, shownAt.current + PAUSE_MS - Date.now());
    const timer = setTimeout(() => {
      if (text !== '') shownAt.current = Date.now();
      setShown(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p class="sr-only" role="status" aria-live="polite">
      {shown}
    </p>
  );
}
