/** The rows of the file with their search, their filters and the selection. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Announcement } from '../../page/announcement.tsx';
import { onWindow, useSize } from '../../page/browser.ts';
import { counted } from '../../page/format.ts';
import { withRuleText } from '../../page/words.ts';
import { chosenCategories } from '../categories.ts';
import type { Importer, ViewProps } from '../importer.ts';
import { searchIn } from './field-texts.ts';
import { type CheckRow, type Filter, type FilterCounts, isShown } from './rows.ts';
import { RowsTable } from './rows-table.tsx';
import { RowsToolbar } from './rows-toolbar.tsx';
import { allToggled, extended, NOTHING_SELECTED, type Selection, toggled } from './selection.ts';

interface Props extends ViewProps {
  rows: readonly CheckRow[];
  counts: FilterCounts;
  filter: Filter;
  onFilter: (filter: Filter) => void;
}

export function RowsSection({ importer, state, rows, counts, filter, onFilter }: Props) {
  const { files, sources, isByRules, isBusy, history } = state;
  const failed = files.find(({ problem }) => problem);
  const categories = chosenCategories(state);
  // One source needs no column.
  const isOfSeveral = isByRules || rows.some(({ source }) => source && source.id !== state.source?.id);
  const section = useRef<HTMLElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const { height: barHeight } = useSize(bar);
  const [search, setSearch] = useState('');
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED);
  const find = useMemo(() => searchIn(rows, categories), [rows, categories]);
  const shown = useMemo(() => find(search).filter((row) => isShown(row, filter)), [find, search, filter]);
  // A row that is not shown is not changed.
  const selected = useMemo(() => shown.filter(({ id }) => selection.rows.has(id)), [shown, selection]);
  useEffect(() => undoByKey(importer), [importer]);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    setSelection(NOTHING_SELECTED);
    const top = section.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) scrollBy(0, top);
  }, [search, filter]);
  return (
    <section class="rows" ref={section} aria-labelledby="rows-title" aria-busy={isBusy}>
      <RowsToolbar
        importer={importer}
        bar={bar}
        filter={filter}
        counts={counts}
        search={search}
        shown={shown}
        selected={selected}
        categories={categories}
        sources={isOfSeveral ? sources : []}
        canUndo={history.length > 0}
        onFilter={onFilter}
        onSearch={setSearch}
        onSelectAll={() => setSelection(allToggled(selection, shown))}
      />
      <Announcement text={search === '' ? '' : `${counted(shown.length, 'row')} found.`} />
      {failed?.problem && (
        <p class="note bad" role="alert">
          {files.length > 1 && failed.problem.option !== 'rules' && `${failed.file.name}: `}
          {withRuleText(failed.problem.message, state.categorising.rules)}
        </p>
      )}
      <RowsTable
        importer={importer}
        rows={shown}
        selected={selection.rows}
        categories={categories}
        sources={isOfSeveral ? sources : []}
        isOfFiles={files.length > 1}
        coveredTop={barHeight}
        onSelect={(row, isRange) =>
          setSelection(isRange ? extended(selection, shown, row) : toggled(selection, row))
        }
        onSelectAll={() => setSelection(allToggled(NOTHING_SELECTED, shown))}
      />
    </section>
  );
}

/** Ctrl+Z or Cmd+Z, except where a text is typed: there the browser undoes. @returns ends it */
const undoByKey = ({ undo }: Importer) =>
  onWindow('keydown', (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
    const isText = event.target instanceof Element && event.target.matches(TEXT_FIELDS);
    if (!isUndo || isText) return;
    event.preventDefault();
    void undo();
  });

const TEXT_FIELDS = 'textarea, input:not([type=checkbox], [type=radio])';
