/** A bar chart of income and expense by month, with a table of the same numbers for screen readers. */
import { monthText, pounds } from '../format.ts';

export interface Month {
  /** `YYYY-MM` */
  month: string;
  /** In pence. */
  income: bigint;
  expense: bigint;
}

export interface ChartProps {
  months: readonly Month[];
}

export function Chart({ months }: ChartProps) {
  return (
    <table class="months">
      <caption>Income and expense by month</caption>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Income</th>
          <th scope="col">Expense</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, income, expense }) => (
          <tr key={month}>
            <th scope="row">{monthText(month)}</th>
            <td>{pounds(income)}</td>
            <td>{pounds(expense)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
