/** Sums of the shown entries: in all, by month and by category. */
import { useMemo } from 'preact/hooks';
import type { CategoryLabels } from '../../typescript/figures/naming.ts';
import { Chart } from '../chart/chart.tsx';
import { monthsOf, sumOfPeriods } from '../chart/months.ts';
import { count, poundsText } from '../page/format.ts';
import { CategoryTable } from './category-table.tsx';
import { categoryTotals } from './category-totals.ts';
import type { BooksEntry } from './labels.ts';

interface TotalsProps {
  entries: readonly BooksEntry[];
  labels: CategoryLabels;
}

export function BooksTotals({ entries, labels }: TotalsProps) {
  const months = useMemo(() => monthsOf(entries), [entries]);
  const { income, expense } = sumOfPeriods(months);
  return (
    <>
      <dl class="tiles">
        <Tile name="Income" value={poundsText(income)} />
        <Tile name="Expense" value={poundsText(expense)} />
        <Tile name="Net" value={poundsText(income - expense)} />
        <Tile name="Entries" value={count(entries.length)} />
      </dl>
      <div class="books-sums">
        <div class="card">
          <Chart months={months} />
        </div>
        <div class="card">
          <CategorySums entries={entries} labels={labels} />
        </div>
      </div>
    </>
  );
}

function Tile({ name, value }: { name: string; value: string }) {
  return (
    <div class="card tile">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function CategorySums({ entries, labels }: TotalsProps) {
  const totals = useMemo(() => categoryTotals(entries, labels), [entries, labels]);
  return (
    <CategoryTable caption="By category" class="sums" columns={['Entries', 'Sum']} rows={totals}>
      {(total) => (
        <tr key={total.name}>
          <th scope="row">{total.name}</th>
          <td>{count(total.count)}</td>
          <td>{poundsText(total.pence)}</td>
        </tr>
      )}
    </CategoryTable>
  );
}
