/** The entries behind a figure. The heading takes the focus, so that the keyboard and screen readers go on from there. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { CategoryLabels } from '../../../typescript/figures/naming.ts';
import { counted } from '../../page/format.ts';
import { EntriesTable } from '../entries-table.tsx';
import type { BooksEntry } from '../labels.ts';
import { entriesWithIds } from './figures-of-choice.ts';

export interface Figure {
  /** The card that it is in. */
  part: string;
  /** Says of all figures on the page which one it is. */
  name: string;
  ids: readonly string[];
}

/** A place of the page with figures that open. */
export interface FiguresPlace {
  part: string;
  opened: Figure | undefined;
  onOpen: (figure: Figure) => void;
}

interface FigureButtonProps extends FiguresPlace, Pick<Figure, 'name' | 'ids'> {
  label: string;
  children: string;
}

/** Shows the entries behind a figure, or hides them. */
export const FigureButton = ({ part, name, ids, label, opened, onOpen, children }: FigureButtonProps) => (
  <button
    type="button"
    class="quiet small"
    aria-expanded={opened?.name === name}
    aria-label={label}
    onClick={() => onOpen({ part, name, ids })}
  >
    {children}
  </button>
);

interface OpenedFigureProps {
  figure: Figure;
  entries: readonly BooksEntry[];
  labels: CategoryLabels;
  onClose: () => void;
}

export function OpenedFigure({ figure, entries, labels, onClose }: OpenedFigureProps) {
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useMemo(() => entriesWithIds(entries, figure.ids), [entries, figure]);
  useLayoutEffect(() => {
    const [before, own] = [document.activeElement, section.current];
    heading.current?.focus();
    return () => {
      // Closing puts the focus back on the figure, unless it is on another one.
      if (before instanceof HTMLElement && own?.contains(document.activeElement)) before.focus();
    };
  }, [figure]);
  return (
    <section class="figures-opened" aria-labelledby="figures-opened" ref={section}>
      <div class="books-heading">
        <h3 id="figures-opened" ref={heading} tabIndex={-1}>
          {figure.name}
        </h3>
        <p class="hint">{counted(found.length, 'entry', 'entries')}</p>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <EntriesTable entries={found} labels={labels} isOfSeveral />
    </section>
  );
}
