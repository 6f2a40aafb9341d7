/** The use of one column: a choice among all of them, and the category and the property of an amount. */
import { pounds } from '../../../typescript/pounds.ts';
import { Select } from '../../page/select.tsx';
import { categoriesOfAmount } from '../categories.ts';
import { FIELD_NAMES, type FileColumn, isMoneyInOrOut } from '../column-uses.ts';
import type { ColumnUse, ImportState } from '../state.ts';

interface Props {
  column: FileColumn;
  state: ImportState;
  /** Begins the ids of the fields: each file has its own. */
  id: string;
  /** @param use undefined: the reader finds it. @returns false: the column stays as it is */
  onUse: (use: ColumnUse | undefined) => boolean;
}

export function UseOf({ column, id, onUse }: Omit<Props, 'state'>) {
  const { index, label, use, chosen, questions } = column;
  const open = chosen ? 'As the file says' : { open: 'Choose…', other: 'Other details' }[use as string];
  return (
    <Select
      id={`${id}-column-${index}`}
      label={label}
      value={use in FIELD_NAMES || use === 'ignore' ? use : ''}
      choices={[
        ...(open ? [['', open] as const] : []),
        ...Object.entries(FIELD_NAMES),
        ['ignore', 'Not used'],
      ]}
      problem={questions.length > 0 && `${id}-problem`}
      onChange={(value) => onUse(value === '' ? undefined : { use: value as ColumnUse['use'] })}
    />
  );
}

const NOT_SAID = ['', 'Not destination here'] as const;

/** A column without open questions: its use, examples, and what its amounts become. */
export function ColumnRead(props: Props) {
  const { column, id, state, onUse } = props;
  const { use, chosen, destination, values, sum, index, joinable, oneEntryWith } = column;
  const { sources } = state;
  const categories = categoriesOfAmount(state, use === 'moneyIn' ? 'income' : 'expense', destination.source);
  const set = (change: Partial<ColumnUse>) =>
    isMoneyInOrOut(use) &&
    onUse({ with: chosen?.with, category: destination.category, source: destination.source, use, ...change });
  return (
    <li>
      <UseOf {...props} />
      <p class="hint">{values.slice(0, 3).join(' · ')}</p>
      {use === 'ignore' && sum !== null && sum > 0 && <p class="hint">{pounds(sum)} in all is left out.</p>}
      {joinable.length > 0 && (
        <Select
          id={`${id}-joined-${index}`}
          label={`Entry of ${column.label}`}
          value={oneEntryWith ?? ''}
          choices={[
            ['', 'An entry of its own'],
            ...joinable.map(({ name, label }) => [name, `One entry with ${label}`] as const),
          ]}
          onChange={(to) => set({ with: to })}
        />
      )}
      {isMoneyInOrOut(use) && oneEntryWith === undefined && (
        <>
          <Select
            id={`${id}-category-${index}`}
            label={`Category of ${column.label}`}
            value={destination.category ?? ''}
            choices={[NOT_SAID, ...categories.map(({ key, label }) => [key, label] as const)]}
            onChange={(category) => set({ category })}
          />
          {sources.length > 1 && (
            <Select
              id={`${id}-property-${index}`}
              label={`Property or business of ${column.label}`}
              value={destination.source ?? ''}
              choices={[NOT_SAID, ...sources.map(({ id, name }) => [id, name] as const)]}
              onChange={(source) => set({ source, category: '' })}
            />
          )}
        </>
      )}
    </li>
  );
}
