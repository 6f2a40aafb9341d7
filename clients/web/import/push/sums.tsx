/** The sums of the files before they are sent: by source and category, all and the new ones, refunds by name, and the rows of each rule. */
import { useMemo } from 'preact/hooks';
import type { Total } from '../../../typescript/export/totals.ts';
import { groupBy } from '../../../typescript/group-by.ts';
import type { RuleUse } from '../../../typescript/import/index.ts';
import { OTHER_TYPE } from '../../../typescript/import/rules/category.ts';
import { shownRule } from '../../../typescript/import/rules/rules-text.ts';
import type { ComparedFiles } from '../../../typescript/match/compare.ts';
import { type CategorySum, pushSummary, type RefundSum } from '../../../typescript/push/push-summary.ts';
import { shadowText } from '../../../typescript/push/rule-texts.ts';
import { capitalised, count, counted, poundsText } from '../../page/format.ts';
import { HeadRow } from '../../page/table.tsx';
import { shownCategory } from '../categories.ts';
import type { ImportState } from '../state.ts';

/** More rows than these are shown on request. */
const SHOWN_MAX = 10;

export function SumsTable({ state, shown }: { state: ImportState; shown: ComparedFiles }) {
  const { source } = state;
  const { categories, refunds, rules } = useMemo(() => pushSummary({ ...shown, source }), [shown]);
  if (categories.length === 0) return null;
  return (
    <div class="import-sums">
      <Categories state={state} categories={categories} />
      <Refunds state={state} refunds={refunds} />
      <RuleUses uses={rules} />
    </div>
  );
}

function Categories({ state, categories }: { state: ImportState; categories: readonly CategorySum[] }) {
  return (
    <details open={categories.length <= SHOWN_MAX}>
      <summary>Sums by category</summary>
      <table>
        <HeadRow names={['Category', 'In the files', 'New']} />
        {[...groupBy(categories, ({ source }) => source)].map(([source, sums]) => (
          <tbody key={source}>
            <tr>
              <th colSpan={3} scope="rowgroup">
                {source}
              </th>
            </tr>
            {sums.map((sum) => (
              <tr key={`${sum.type} ${sum.category}`}>
                <th scope="row">
                  {shownCategory(state, sum.source, sum.type, sum.category)}
                  <span class="hint">{capitalised(sum.type)}</span>
                </th>
                <SumCell total={sum} />
                <SumCell total={sum.new} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </details>
  );
}

const SumCell = ({ total }: { total: Total | undefined }) => (
  <td>
    {total && poundsText(total.pence)}
    <span class="hint">{total && counted(total.count, 'entry', 'entries')}</span>
  </td>
);

function Refunds({ state, refunds }: { state: ImportState; refunds: readonly RefundSum[] }) {
  if (refunds.length === 0) return null;
  return (
    <details open={refunds.length <= SHOWN_MAX}>
      <summary>{counted(refunds.length, 'refund')}</summary>
      <ul class="plan">
        {refunds.map((refund) => (
          <li key={JSON.stringify([refund.source, refund.description, refund.type, refund.refundOf])}>
            {refund.description}, {refund.source}: {poundsText(refund.pence)}
            {refund.count > 1 && ` (${counted(refund.count, 'entry', 'entries')})`}, set against{' '}
            {shownCategory(state, refund.source, OTHER_TYPE[refund.type], refund.refundOf)}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Rules that may be wrong come first: the rows of some go to earlier rules, others match no row. */
function RuleUses({ uses }: { uses: readonly RuleUse[] }) {
  if (uses.length === 0) return null;
  const shadowed = uses.filter(({ shadowedBy }) => shadowedBy.length > 0);
  const unused = uses.filter((use) => use.rows === 0 && !use.isForAll && !shadowed.includes(use));
  const others = uses.filter((use) => !shadowed.includes(use) && !unused.includes(use));
  const texts = [
    `${count(others.filter(({ rows }) => rows > 0).length)} used`,
    shadowed.length > 0 && `${count(shadowed.length)} covered by earlier rules`,
    unused.length > 0 && `${count(unused.length)} without a row`,
  ];
  return (
    <details>
      <summary>Rules: {texts.filter(Boolean).join(', ')}</summary>
      <table>
        <HeadRow names={['Rule', 'Rows']} />
        <tbody>
          {[...shadowed, ...unused, ...others].map((use) => (
            <tr key={use.line}>
              <th scope="row">
                {shownRule(use.text)}
                <span class="hint">{capitalised(shadowText(use, uses))}</span>
              </th>
              <td>{count(use.rows)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
