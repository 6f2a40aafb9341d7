/** The editor in a cell: Enter and leaving it keep the value, Escape does not. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CorrectedField } from '../../typescript/import/index.ts';
import type { CategorySet } from '../../typescript/index.ts';
import { editText, type Row } from './rows.ts';

interface Props {
  row: Row;
  field: CorrectedField;
  categories: CategorySet | undefined;
  /** What was typed to begin with: it replaces the text. */
  typed: string | undefined;
  /** Undefined: nothing changes. */
  onFinish: (value: string | undefined) => void;
}

const LABELS: Record<CorrectedField, string> = {
  date: 'Date',
  amount: 'Amount in pounds',
  type: 'Type',
  description: 'Description',
  category: 'Category',
};

export function CellEditor({ row, field, categories, typed, onFinish }: Props) {
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const isFinished = useRef(false);
  // Before the browser takes the next key, so that none is lost.
  useLayoutEffect(() => {
    input.current?.focus();
    if (typed === undefined) input.current?.select?.();
  }, []);
  const finish = (value: string | undefined) => {
    // Removing the editor also takes the focus away.
    if (isFinished.current) return;
    isFinished.current = true;
    onFinish(value);
  };
  const common = {
    ref: input,
    'aria-label': `${LABELS[field]} of row ${row.row}`,
    'aria-invalid': row.problems[field] !== undefined,
    onBlur: () => finish(input.current?.value),
    onKeyDown: (event: KeyboardEvent) => {
      event.stopPropagation();
      if (event.key === 'Enter') finish(input.current?.value);
      if (event.key === 'Escape') finish(undefined);
      if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault();
    },
  };
  if (field === 'type') {
    return (
      <select {...common} value={editText(row, 'type')}>
        <option value="income">Income</option>
        <option value="expense">Expense</option>
      </select>
    );
  }
  if (field === 'category' && categories) {
    const type = row.entry?.type ?? row.texts.type;
    const choices =
      type === 'income' || type === 'expense'
        ? categories[type]
        : [...categories.income, ...categories.expense];
    return (
      <select {...common} value={editText(row, 'category')}>
        <option value="">Review queue</option>
        {choices.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  const mode = field === 'amount' ? 'decimal' : 'text';
  return (
    <input
      {...common}
      type="text"
      inputMode={mode}
      defaultValue={typed ?? editText(row, field)}
      autocomplete="off"
    />
  );
}
