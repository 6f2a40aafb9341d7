/** Numbers with their names, in a list with the class `totals`. */

import type { ComponentChildren } from 'preact';
import type { Totals } from '../../typescript/export/totals.ts';
import type { EntryType } from '../../typescript/import/options.ts';
import { counted, poundsText } from './format.ts';

interface TotalProps {
  name: string;
  value: string;
  note: ComponentChildren;
  /** Gives the number the colour of the type. */
  type?: EntryType | undefined;
}

export const TotalLine = ({ name, value, note, type }: TotalProps) => (
  <div>
    <dt>{name}</dt>
    <dd class={type}>{value}</dd>
    <dd class="hint">{note}</dd>
  </div>
);

export const IncomeAndExpense = ({ income, expense }: Totals) => (
  <>
    <TotalLine name="Income" type="income" value={poundsText(income.pence)} note={entriesNote(income)} />
    <TotalLine name="Expense" type="expense" value={poundsText(expense.pence)} note={entriesNote(expense)} />
  </>
);

const entriesNote = ({ count }: Totals['income']) => counted(count, 'entry', 'entries');
