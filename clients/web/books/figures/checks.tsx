/** Entries to compare with the originals before the figures are used. */
import type { Check } from '../../../typescript/figures/checks.ts';
import { counted, withDays } from '../../page/format.ts';
import { FigureButton, type FiguresPlace } from './opened-figure.tsx';

export function Checks({ checks, ...place }: FiguresPlace & { checks: readonly Check[] }) {
  return (
    <>
      <h2>Check first</h2>
      <ul class="figures-notes">
        {checks.map(({ message, entries }) => {
          const name = withDays(message);
          const show = `Show ${counted(entries.length, 'entry', 'entries')}`;
          const ids = entries.map(({ stored }) => stored.id);
          return (
            <li key={name}>
              {name}{' '}
              <FigureButton {...place} name={name} ids={ids} label={`${show}: ${name}`}>
                {show}
              </FigureButton>
            </li>
          );
        })}
      </ul>
    </>
  );
}
