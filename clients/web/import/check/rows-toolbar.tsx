/** Above the rows: the search, the filters, and the actions on the selected rows. */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { sumsText } from '../../../typescript/export/totals.ts';
import type { CategorySet, Source } from '../../../typescript/index.ts';
import { NO_CATEGORY } from '../../books/labels.ts';
import { Chips } from '../../page/chips.tsx';
import { capitalised, count, counted, poundsText } from '../../page/format.ts';
import { Options } from '../../page/select.tsx';
import type { Importer } from '../importer.ts';
import { rowType } from './field-texts.ts';
import { confirmSecondStore } from './row-questions.tsx';
import {
  broughtBack,
  type CheckRow,
  canBeLeftOut,
  FILTERS,
  type Filter,
  type FilterCounts,
  type RowStatus,
} from './rows.ts';

interface Props {
  importer: Importer;
  bar: RefObject<HTMLDivElement | null>;
  filter: Filter;
  counts: FilterCounts;
  search: string;
  shown: readonly CheckRow[];
  selected: readonly CheckRow[];
  categories: CategorySet | undefined;
  /** The properties and businesses to choose from; empty if all rows are of one. */
  sources: readonly Source[];
  canUndo: boolean;
  onFilter: (filter: Filter) => void;
  onSearch: (text: string) => void;
  onSelectAll: () => void;
}

export function RowsToolbar(props: Props) {
  const { importer, bar, search, shown, selected, canUndo, onSearch, onSelectAll } = props;
  const all = useRef<HTMLInputElement>(null);
  const hadFocus = bar.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    // The controls of the selection go with it.
    if (hadFocus && !bar.current?.contains(document.activeElement)) all.current?.focus();
  });
  const isAll = selected.length > 0 && selected.length === shown.length;
  return (
    <div class="toolbar" ref={bar}>
      <h3 id="rows-title" class="sr-only">
        Rows
      </h3>
      <label class="select-all">
        <input
          ref={all}
          type="checkbox"
          checked={isAll}
          indeterminate={selected.length > 0 && !isAll}
          disabled={shown.length === 0}
          onChange={onSelectAll}
        />
        {selected.length > 0 ? `${count(selected.length)} selected` : `Select all ${count(shown.length)}`}
      </label>
      {selected.length > 0 ? <SelectionActions {...props} /> : <Filters {...props} />}
      <input
        type="search"
        aria-label="Search the rows"
        placeholder="Search the rows"
        value={search}
        onInput={(event) => onSearch(event.currentTarget.value)}
      />
      <button
        type="button"
        aria-disabled={!canUndo}
        title="Ctrl+Z takes the last change back"
        onClick={() => void importer.undo()}
      >
        Undo
      </button>
    </div>
  );
}

function Filters({ filter, counts, onFilter }: Props) {
  const names = (Object.keys(FILTERS) as Filter[]).filter(
    (name) => name === 'all' || name === 'problem' || name === filter || counts[name] > 0,
  );
  return (
    <Chips
      legend="Show"
      group="filter"
      choices={names.map((choice) => ({
        choice,
        content: [`${FILTERS[choice]} `, <span class="number">{count(counts[choice])}</span>],
      }))}
      chosen={filter}
      onChoose={onFilter}
    />
  );
}

const idsOfRows = (rows: readonly CheckRow[]) => rows.map(({ id }) => id);

function SelectionActions({ importer, selected, categories, sources }: Props) {
  const importable = selected.filter(canBeLeftOut);
  const withStatus = (status: RowStatus) => selected.filter((row) => row.status === status);
  const [leftOut, probable, joined] = [withStatus('leftOut'), withStatus('probable'), withStatus('joined')];
  const importAsOthers = () => {
    if (probable.length === 1 || confirmSecondStore(bookedText(probable)))
      importer.decide(idsOfRows(probable), 'separate');
  };
  return (
    <div class="filters">
      {importable.length > 0 && (
        <button type="button" onClick={() => void importer.leaveOut(idsOfRows(importable))}>
          Leave out {count(importable.length)}
        </button>
      )}
      {probable.length > 0 && (
        <button type="button" onClick={importAsOthers}>
          Import {count(probable.length)} as other payments
        </button>
      )}
      {leftOut.length > 0 && (
        <button
          type="button"
          onClick={() => void importer.correct(idsOfRows(leftOut), broughtBack(...leftOut))}
        >
          Bring back {count(leftOut.length)}
        </button>
      )}
      {joined.length > 0 && (
        <button type="button" onClick={() => importer.decide(idsOfRows(joined), undefined)}>
          Decide again about {count(joined.length)}
        </button>
      )}
      {sources.length > 0 && importable.length > 0 && (
        <SetSelect
          name="Property or business"
          prompt="Set property…"
          onChoose={(source) => void importer.correct(idsOfRows(importable), { source })}
        >
          <Options of={sources.map(({ id, name }) => [id, name])} />
        </SetSelect>
      )}
      {categories && <CategorySelect importer={importer} rows={importable} categories={categories} />}
    </div>
  );
}

interface CategorySelectProps extends Pick<Props, 'importer'> {
  rows: readonly CheckRow[];
  categories: CategorySet;
}

/** Sets the category of the rows of one type. A choice is the type and the key of a category, or the type alone for none. */
function CategorySelect({ importer, rows, categories }: CategorySelectProps) {
  const types = (['income', 'expense'] as const)
    .map((type) => ({ type, ofType: rows.filter((row) => rowType(row) === type) }))
    .filter(({ ofType }) => ofType.length > 0);
  if (types.length === 0) return null;
  const set = (choice: string) => {
    const [type, category = ''] = choice.split(':');
    const { ofType = [] } = types.find((each) => each.type === type) ?? {};
    void importer.correct(idsOfRows(ofType), { category });
  };
  return (
    <SetSelect name="Category" prompt="Set category…" onChoose={set}>
      {types.map(({ type, ofType }) => (
        <optgroup key={type} label={`${capitalised(type)}: ${counted(ofType.length, 'row')}`}>
          <Options of={categories[type].map(({ key, label }) => [`${type}:${key}`, label])} />
          <option value={type}>{NO_CATEGORY}</option>
        </optgroup>
      ))}
    </SetSelect>
  );
}

interface SetSelectProps {
  name: string;
  prompt: string;
  onChoose: (value: string) => void;
  children: ComponentChildren;
}

/** Sets a field of the selected rows, and shows its prompt again. */
const SetSelect = ({ name, prompt, onChoose, children }: SetSelectProps) => (
  <select
    aria-label={`${name} of the selected rows`}
    value=""
    onChange={({ currentTarget }) => {
      onChoose(currentTarget.value);
      currentTarget.value = '';
    }}
  >
    <option value="">{prompt}</option>
    {children}
  </select>
);

const bookedText = (rows: readonly CheckRow[]): string => {
  const entries = rows.flatMap(({ entry }) => entry ?? []);
  return `${counted(rows.length, 'row')}, ${sumsText(entries, poundsText)}: your books probably have these payments.`;
};
