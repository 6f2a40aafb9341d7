/** Rows that the rules or a person leave out: their sums, and a warning if the books have them by an earlier import. */

import { sumsText } from '../../../typescript/export/totals.ts';
import type { LeftOutAndStored } from '../../../typescript/match/compared.ts';
import type { FileResult } from '../../../typescript/match/row.ts';
import { leftOutTexts, rowsText } from '../../../typescript/send/left-out-texts.ts';
import { counted, pounds } from '../../page/format.ts';
import { ShortList } from '../../page/short-list.tsx';

interface Props {
  leftOut: readonly LeftOutAndStored[];
  rules: string;
}

const SHOWN_MAX = 10;

export function LeftOutInBooks({ leftOut, rules }: Props) {
  if (leftOut.length === 0) return null;
  const texts = storedTexts(leftOut, rules);
  return (
    <div class="note warning">
      <p>{counted(leftOut.length, 'row is', 'rows are')} left out, and in the books:</p>
      <ShortList texts={texts} max={SHOWN_MAX} more="more rule" />
      <p>
        If that is right, these entries have to be removed in the app: the reconciliation in the last step
        lists them as corrections. If not, change the rules, or do not leave the rows out.
      </p>
    </div>
  );
}

const storedTexts = (leftOut: readonly LeftOutAndStored[], rules: string): string[] =>
  leftOutTexts(leftOut, rules, ({ storedEntries }) => storedEntries.map((each) => each.stored), pounds);

/** No amount disappears unseen: income and expenses that are left out, in all and by each rule. */
export function LeftOutSums({ files, rules }: { files: readonly FileResult[]; rules: string }) {
  const leftOut = files.flatMap(({ name, result }) =>
    result.leftOut.map((each) => ({ ...each, file: name })),
  );
  if (leftOut.length === 0) return null;
  const texts = leftOutTexts(leftOut, rules, (row) => [row], pounds);
  return (
    <details open={texts.length <= SHOWN_MAX}>
      <summary>
        Left out: {rowsText(leftOut)}, {sumsText(leftOut, pounds)}
      </summary>
      <ul class="warnings left-out">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}
