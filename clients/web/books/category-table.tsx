/** A table of categories, income before expense. */
import type { ComponentChildren } from 'preact';
import { capitalised } from '../page/format.ts';
import { HeadRow } from '../page/table.tsx';

interface CategoryTableProps<Row> {
  caption: string;
  class: string;
  /** The heads of the columns after the category. */
  columns: readonly [string, string];
  rows: readonly Row[];
  /** The content below the rows of the table. */
  foot?: ComponentChildren;
  /** The row of the table, a `tr` with a key. */
  children: (row: Row) => ComponentChildren;
}

export function CategoryTable<Row extends { type: 'income' | 'expense' }>(props: CategoryTableProps<Row>) {
  return (
    <table class={props.class}>
      <caption>{props.caption}</caption>
      <HeadRow names={['Category', ...props.columns]} />
      {(['income', 'expense'] as const).map((type) => {
        const rows = props.rows.filter((row) => row.type === type);
        if (rows.length === 0) return null;
        return (
          <tbody key={type}>
            <tr class="sums-group">
              <th scope="rowgroup" colSpan={3}>
                {capitalised(type)}
              </th>
            </tr>
            {rows.map(props.children)}
          </tbody>
        );
      })}
      {props.foot}
    </table>
  );
}
