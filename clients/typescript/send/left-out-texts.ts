/** Texts about rows that rules or a person leave out. */

import { type SummedEntry, sumsText } from '../export/totals.ts';
import { groupBy } from '../group-by.ts';
import { ruleAt, shownRule } from '../import/rules/rules-text.ts';
import { rowKey } from '../match/row.ts';

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
  const counted = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`;
  const [whole, parted] = [true, false].map((isWhole) =>
    rowsIn(places.filter(({ part }) => (part === undefined) === isWhole)),
  ) as [number, number];
  const ofParts = `parts of ${counted(parted)}`;
  if (parted === 0) return counted(whole);
  return whole === 0 ? ofParts : `${counted(whole)} and ${ofParts}`;
}
