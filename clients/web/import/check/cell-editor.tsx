/** The editor in a cell: Enter and leaving it keep the value, Escape does not. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CorrectedField } from '../../../typescript/import/index.ts';
import type { CategorySet, Source } from '../../../typescript/index.ts';
import { NO_CATEGORY } from '../../books/labels.ts';
import { Options } from '../../page/select.tsx';
import { editText, FIELD_LABELS, rowType } from './field-texts.ts';
import type { CheckRow } from './rows.ts';

interface Props {
  row: CheckRow;
  /** The number of the row, with its file if there are several. */
  rowLabel: string;
  field: CorrectedField;
  categories: CategorySet | undefined;
  /** The properties and businesses to choose from. */
  sources: readonly Source[];
  /** The first typed characters: they replace the text. */
  typed: string | undefined;
  /** Without a value, nothing changes. With `isLeft`, the focus has moved already. */
  onFinish: (value: string | undefined, isLeft: boolean) => void;
}

export function CellEditor({ row, rowLabel, field, categories, sources, typed, onFinish }: Props) {
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const isFinished = useRef(false);
  const isChoice =
    field === 'type' || field === 'source' || (field === 'category' && categories !== undefined);
  const start = (isChoice ? undefined : typed) ?? editText(row, field);
  const [value, setValue] = useState(start);
  // Before the browser takes the next key, so that none is lost.
  useLayoutEffect(() => {
    input.current?.focus();
    if (typed === undefined) input.current?.select?.();
    const element = input.current;
    // A row that is scrolled out of sight is removed.
    return () => finish(element?.value, true);
  }, []);
  const finish = (value: string | undefined, isLeft: boolean) => {
    // Removing the editor also takes the focus away.
    if (isFinished.current) return;
    isFinished.current = true;
    onFinish(value, isLeft);
  };
  const common = {
    ref: input,
    'aria-label': `${FIELD_LABELS[field]}${field === 'amount' ? ' in pounds' : ''} of row ${rowLabel}`,
    'aria-invalid': row.problems[field] !== undefined,
    value,
    onInput: () => setValue(input.current?.value ?? ''),
    onBlur: ({ relatedTarget }: FocusEvent) => {
      // Another window has the focus.
      if (document.activeElement === input.current) return;
      finish(input.current?.value, relatedTarget !== null);
    },
    onKeyDown: (event: KeyboardEvent) => {
      event.stopPropagation();
      if (event.key === 'Enter') finish(input.current?.value, false);
      if (event.key === 'Escape') finish(undefined, false);
      if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault();
    },
  };
  if (isChoice) {
    return (
      <select {...common}>
        <Options of={cellChoices(row, field, value, sources, categories)} />
      </select>
    );
  }
  const mode = field === 'amount' ? 'decimal' : 'text';
  return <input {...common} type="text" inputMode={mode} autocomplete="off" />;
}

/** @param value the chosen one */
function cellChoices(
  row: CheckRow,
  field: CorrectedField,
  value: string,
  sources: readonly Source[],
  categories: CategorySet | undefined,
): [value: string, name: string][] {
  if (field === 'type') {
    return [
      ['income', 'Income'],
      ['expense', 'Expense'],
    ];
  }
  if (field === 'source') {
    const isNamed = sources.some(({ name }) => name === value);
    return [
      ...(isNamed ? [] : [[value, value || 'Choose one…'] satisfies [string, string]]),
      ...sources.map(({ name }): [string, string] => [name, name]),
    ];
  }
  const type = rowType(row);
  const { income, expense } = categories ?? { income: [], expense: [] };
  const ofType = type ? { income, expense }[type] : [...income, ...expense];
  return [['', NO_CATEGORY], ...ofType.map(({ key, label }): [string, string] => [key, label])];
}
