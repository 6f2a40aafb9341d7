/** Texts about rows that rules or a person leave out, and about rules that decide no row. */

import { type SummedEntry, sumsText } from '../export/totals.ts';
import { groupBy } from '../group-by.ts';
import type { RuleUse } from '../import/result.ts';
import { ruleAt, shownRule } from '../import/rules/rules-text.ts';
import { countedRows, rowKey } from '../match/row.ts';

interface LeftOutPlace {
  file: string;
  row: number;
  /** Undefined for a whole row. */
  part?: number | undefined;
  /** Undefined for a row that a person leaves out. */
  rule?: number | undefined;
}

/**
 * One for each rule: `description is "COUNCIL TAX" -> leave out: 18 rows, expense 3,213.00`
 * @param rules their text
 * @param pounds the text of an amount
 */
export const leftOutTexts = <Row extends LeftOutPlace>(
  leftOut: readonly Row[],
  rules: string,
  amountsOf: (row: Row) => readonly SummedEntry[],
  pounds: (pence: bigint) => string,
): string[] =>
  [...groupBy(leftOut, ({ rule }) => rule)].map(([line, rows]) => {
    const by = line === undefined ? 'By hand' : shownRule(ruleAt(rules, line)) || `Line ${line} of the rules`;
    return `${by}: ${rowsText(rows)}, ${sumsText(rows.flatMap(amountsOf), pounds)}`;
  });

/** `3 rows and parts of 1 row` */
export function rowsText(places: readonly LeftOutPlace[]): string {
  const rowsIn = (all: readonly LeftOutPlace[]) => new Set(all.map(rowKey)).size;
  const [whole, parted] = [true, false].map((isWhole) =>
    rowsIn(places.filter(({ part }) => (part === undefined) === isWhole)),
  ) as [number, number];
  const ofParts = `parts of ${countedRows(parted)}`;
  if (parted === 0) return countedRows(whole);
  return whole === 0 ? ofParts : `${countedRows(whole)} and ${ofParts}`;
}

/** For a rule whose rows earlier rules decide: `its 3 rows go to an earlier rule: RULE and 1 more`. Otherwise empty. */
export function shadowText({ shadowedBy }: RuleUse, uses: readonly RuleUse[]): string {
  const [earliest, ...others] = shadowedBy;
  if (!earliest) return '';
  const rows = shadowedBy.reduce((sum, each) => sum + each.rows, 0);
  const earlier = uses.find(({ line }) => line === earliest.line)?.text ?? '';
  const also = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${rows === 1 ? 'its row goes' : `its ${rows} rows go`} to an earlier rule: ${shownRule(earlier)}${also}`;
}
