/** Rows that the rules or a person leave out: their sums, and a warning if the books have them by an earlier import. */

import { type SummedEntry, sumsText } from '../../../typescript/export/totals.ts';
import { groupBy } from '../../../typescript/group-by.ts';
import type { LeftOutAndStored } from '../../../typescript/match/compared.ts';
import type { ReadFile } from '../../../typescript/match/row.ts';
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
export const leftOutTexts = (leftOut: readonly LeftOutAndStored[], rules: string): string[] =>
  textsByRule(leftOut, rules, ({ stored }) => stored.map((each) => each.stored));

interface Place {
  file: string;
  row: number;
  /** Undefined for a whole row. */
  part?: number | undefined;
  rule?: number | undefined;
}

const textsByRule = <Row extends Place>(
  leftOut: readonly Row[],
  rules: string,
  amountsOf: (row: Row) => readonly SummedEntry[],
): string[] =>
  [...groupBy(leftOut, ({ rule }) => rule)].map(([line, of]) => {
    const by = line === undefined ? 'By hand' : ruleText(rules, line) || `Line ${line} of the rules`;
    return `${by}: ${rowsText(of)}, ${sumsText(of.flatMap(amountsOf), pounds)}`;
  });

/** `3 rows and parts of 1 row` */
function rowsText(places: readonly Place[]): string {
  const rowsIn = (of: readonly Place[]) => new Set(of.map(({ file, row }) => `${row} ${file}`)).size;
  const [whole, parted] = [true, false].map((isWhole) =>
    rowsIn(places.filter(({ part }) => (part === undefined) === isWhole)),
  ) as [number, number];
  const ofParts = `parts of ${counted(parted, 'row')}`;
  if (parted === 0) return counted(whole, 'row');
  return whole === 0 ? ofParts : `${counted(whole, 'row')} and ${ofParts}`;
}

/** No amount disappears unseen: income and expenses that are left out, in all and by each rule. */
export function LeftOutSums({ files, rules }: { files: readonly ReadFile[]; rules: string }) {
  const leftOut = files.flatMap(({ name, statement }) =>
    statement.leftOut.map((each) => ({ ...each, file: name })),
  );
  if (leftOut.length === 0) return null;
  const texts = textsByRule(leftOut, rules, (row) => [row]);
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
