/** Entries to compare with the originals before the figures are used. */
import type { Check } from '../../../typescript/figures/checks.ts';
import { counted, dateText } from '../../page/format.ts';
import type { Figure } from './opened-figure.tsx';

interface ChecksProps {
  checks: readonly Check[];
  part: string;
  opened: Figure | undefined;
  onOpen: (figure: Figure) => void;
}

export function Checks({ checks, part, opened, onOpen }: ChecksProps) {
  return (
    <>
      <h2>Check first</h2>
      <ul class="figures-notes">
        {withDays(checks).map(({ message, entries }) => (
          <li key={message}>
            {message}{' '}
            <button
              type="button"
              class="quiet small"
              aria-expanded={opened?.name === message}
              aria-label={`Show ${counted(entries.length, 'entry', 'entries')}: ${message}`}
              onClick={() => onOpen({ part, name: message, ids: entries.map(({ stored }) => stored.id) })}
            >
              Show {counted(entries.length, 'entry', 'entries')}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** With the days as the page writes them. */
const withDays = (checks: readonly Check[]) =>
  checks.map((check) => ({
    ...check,
    message: check.message.replace(/\d{4}-\d{2}-\d{2}/g, dateText),
  }));
