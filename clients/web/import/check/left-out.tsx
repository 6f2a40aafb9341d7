/** Rows that the rules or a person leave out: their sums, and a warning if the books have them by an earlier import. */

import { sumsText } from '../../../typescript/export/totals.ts';
import type { LeftOutAndStored } from '../../../typescript/match/compare.ts';
import type { FileResult } from '../../../typescript/match/row.ts';
import { leftOutTexts, rowsText } from '../../../typescript/push/rule-texts.ts';
import { counted, poundsText } from '../../page/format.ts';
import { TextList } from '../../page/text-list.tsx';

const RULES_SHOWN_MAX = 10;

export function LeftOutInBooks({ leftOut, rules }: { leftOut: readonly LeftOutAndStored[]; rules: string }) {
  if (leftOut.length === 0) return null;
  const storedOf = ({ storedEntries }: LeftOutAndStored) => storedEntries.map(({ stored }) => stored);
  const storedTexts = leftOutTexts(leftOut, rules, storedOf, poundsText);
  return (
    <div class="note warning">
      <p>{counted(leftOut.length, 'row is', 'rows are')} left out, and in the books:</p>
      <TextList texts={storedTexts} max={RULES_SHOWN_MAX} more="more rule" />
      <p>
        If that is right, these entries have to be removed in the app: the reconciliation in the last step
        lists them as corrections. If not, change the rules, or do not leave the rows out.
      </p>
    </div>
  );
}

/** No amount disappears unseen: income and expenses that are left out, in all and by each rule. */
export function LeftOutSums({ files, rules }: { files: readonly FileResult[]; rules: string }) {
  const leftOut = files.flatMap(({ name, result }) =>
    result.leftOut.map((each) => ({ ...each, file: name })),
  );
  if (leftOut.length === 0) return null;
  const texts = leftOutTexts(leftOut, rules, (row) => [row], poundsText);
  return (
    <details open={texts.length <= RULES_SHOWN_MAX}>
      <summary>
        Left out: {rowsText(leftOut)}, {sumsText(leftOut, poundsText)}
      </summary>
      <TextList class="warnings left-out" texts={texts} />
    </details>
  );
}
