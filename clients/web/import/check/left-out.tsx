/** Rows that the rules or a person leave out today, and that the books have: an earlier import had others. */

import { totalsOf } from '../../../typescript/export/totals.ts';
import { groupBy } from '../../../typescript/group-by.ts';
import type { LeftOutAndStored } from '../../../typescript/match/compared.ts';
import { counted, pounds } from '../../page/format.ts';
import { ruleText } from './rule-text.ts';

interface Props {
  leftOut: readonly LeftOutAndStored[];
  rules: string;
}

const SHOWN_MAX = 10;

export function LeftOutInBooks({ leftOut, rules }: Props) {
  if (leftOut.length === 0) return null;
  const texts = leftOutTexts(leftOut, rules);
  return (
    <div class="note warning">
      <p>{counted(leftOut.length, 'row is', 'rows are')} left out, and in the books:</p>
      <ul>
        {texts.slice(0, SHOWN_MAX).map((text) => (
          <li key={text}>{text}</li>
        ))}
        {texts.length > SHOWN_MAX && <li>{counted(texts.length - SHOWN_MAX, 'more rule')}.</li>}
      </ul>
      <p>
        If that is right, these entries have to be removed in the app: the reconciliation in the last step
        lists them as corrections. If not, change the rules, or do not leave the rows out.
      </p>
    </div>
  );
}

/** One for each rule: `description is "COUNCIL TAX" -> leave out: 18 rows, expense £3,213.00` */
export function leftOutTexts(leftOut: readonly LeftOutAndStored[], rules: string): string[] {
  return [...groupBy(leftOut, ({ rule }) => rule)].map(([line, rows]) => {
    const totals = totalsOf(rows.flatMap(({ stored }) => stored.map((each) => each.stored)));
    const sums = (['income', 'expense'] as const)
      .filter((type) => totals[type].count > 0)
      .map((type) => `${type} ${pounds(totals[type].pence)}`);
    const by = line === undefined ? 'By hand' : ruleText(rules, line);
    return `${by || `Line ${line} of the rules`}: ${counted(rows.length, 'row')}, ${sums.join(', ')}`;
  });
}
