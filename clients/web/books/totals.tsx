/** Sums of the shown entries: in all, by month and by category. */
import { useMemo } from 'preact/hooks';
import { Chart } from '../chart/chart.tsx';
import { monthsOf, sumOf } from '../chart/months.ts';
import { count, pounds } from '../page/format.ts';
import { categoryTotals } from './category-totals.ts';
import type { BooksEntry, CategoryLabels } from './labels.ts';

export interface TotalsProps {
  entries: readonly BooksEntry[];
  labels: CategoryLabels;
}

export function Totals({ entries, labels }: TotalsProps) {
  const months = useMemo(() => monthsOf(entries), [entries]);
  const { income, expense } = sumOf(months);
  return (
    <>
      <dl class="tiles">
        <Tile name="Income" value={pounds(income)} />
        <Tile name="Expense" value={pounds(expense)} />
        <Tile name="Net" value={pounds(income - expense)} />
        <Tile name="Entries" value={count(entries.length)} />
      </dl>
      <div class="books-sums">
        <div class="card">
          <Chart months={months} />
        </div>
        <div class="card">
          <CategoryTable entries={entries} labels={labels} />
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

function CategoryTable({ entries, labels }: TotalsProps) {
  const totals = useMemo(() => categoryTotals(entries, labels), [entries, labels]);
  return (
    <table class="sums">
      <caption>By category</caption>
      <thead>
        <tr>
          <th scope="col">Category</th>
          <th scope="col">Entries</th>
          <th scope="col">Sum</th>
        </tr>
      </thead>
      {(['income', 'expense'] as const).map((type) => {
        const ofType = totals.filter((total) => total.type === type);
        if (ofType.length === 0) return null;
        return (
          <tbody key={type}>
            <tr class="sums-group">
              <th scope="rowgroup" colSpan={3}>
                {type === 'income' ? 'Income' : 'Expense'}
              </th>
            </tr>
            {ofType.map((total) => (
              <tr key={total.name}>
                <th scope="row">{total.name}</th>
                <td>{count(total.count)}</td>
                <td>{pounds(total.pence)}</td>
              </tr>
            ))}
          </tbody>
        );
      })}
    </table>
  );
}
