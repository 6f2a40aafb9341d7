/** The entries as a table that renders only the rows in sight. On narrow screens each row is a card. */
// biome-ignore-all lint/a11y: a table element cannot lay its rows out as cards and stay a table for screen readers.
import { useCallback, useRef } from 'preact/hooks';
import type { CategoryLabels } from '../../typescript/figures/naming.ts';
import { dateText, poundsText } from '../page/format.ts';
import { useVirtual } from '../page/virtual.ts';
import { type BooksEntry, categoryText } from './labels.ts';

interface EntriesTableProps {
  entries: readonly BooksEntry[];
  labels: CategoryLabels;
  /** The entries are of several properties or businesses, so that each says of which. */
  isOfSeveral: boolean;
}

const ENTRY_COLUMNS = [
  'Date',
  'Description',
  'Property or business',
  'Category',
  'Reference',
  'Type',
  'Amount',
];
const ROW_HEIGHT = 45;

export function EntriesTable({ entries, labels, isOfSeveral }: EntriesTableProps) {
  const container = useRef<HTMLDivElement>(null);
  const virtual = useVirtual({
    count: entries.length,
    container,
    estimate: () => ROW_HEIGHT,
    keyOf: useCallback((index: number) => entries[index]?.id ?? index, [entries]),
  });
  const items = virtual.getVirtualItems();
  const above = items.at(0)?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  // The browser would stop before the end: rows that it has not seen are higher or lower than estimated.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    virtual.scrollToIndex(event.key === 'Home' ? 0 : entries.length - 1);
  };
  return (
    <div
      class={`entries${isOfSeveral ? ' several' : ''}`}
      role="table"
      tabIndex={0}
      aria-label="Entries"
      aria-rowcount={entries.length + 1}
      ref={container}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" class="entries-head">
        <div role="row" class="entry" aria-rowindex={1}>
          {ENTRY_COLUMNS.filter((_, index) => isOfSeveral || index !== 2).map((name) => (
            <div role="columnheader" key={name}>
              {name}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" style={{ paddingTop: `${above}px`, paddingBottom: `${below}px` }}>
        {items.map(({ index }) => {
          const entry = entries[index];
          if (!entry) return null;
          return (
            <div
              role="row"
              class="entry"
              key={entry.id}
              aria-rowindex={index + 2}
              data-index={index}
              ref={virtual.measureElement}
            >
              <EntryCells entry={entry} labels={labels} isOfSeveral={isOfSeveral} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function EntryCells({
  entry,
  labels,
  isOfSeveral,
}: Omit<EntriesTableProps, 'entries'> & { entry: BooksEntry }) {
  const { date, type, amountPence, category, description, externalRef, source } = entry;
  return (
    <>
      <div role="cell" class="entry-date">
        {dateText(date)}
      </div>
      <div role="cell" class="entry-description">
        {description ?? <span class="hint">No description</span>}
      </div>
      {isOfSeveral && (
        <div role="cell" class="entry-source">
          {source.name}
        </div>
      )}
      <div role="cell" class="entry-category">
        <span class={category === null ? 'badge queue' : ''}>{categoryText(entry, labels)}</span>
      </div>
      <div role="cell" class="entry-reference">
        {externalRef}
      </div>
      <div role="cell" class="entry-type">
        <span class={`chart-key ${type}`} aria-hidden="true">
          {type === 'income' ? '▲' : '▼'}
        </span>{' '}
        {type === 'income' ? 'Income' : 'Expense'}
      </div>
      <div role="cell" class="entry-amount">
        {poundsText(amountPence)}
      </div>
    </>
  );
}
