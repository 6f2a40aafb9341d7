/** The selection of rows in the table. */
import { expect, test } from 'bun:test';
import {
  allToggled,
  extended,
  NOTHING_SELECTED,
  toggled,
} from '../../../clients/web/import/check/selection.ts';

const SHOWN = [2, 5, 9, 12].map((row) => ({ row }));
const rows = ({ rows: selected }: { rows: ReadonlySet<number> }) => [...selected].sort((a, b) => a - b);

test('a row is selected, and selected again it is not', () => {
  const one = toggled(NOTHING_SELECTED, 5);
  expect(rows(one)).toEqual([5]);
  expect(rows(toggled(one, 5))).toEqual([]);
});

test('a range has the shown rows between the last selected one and this one, in either direction', () => {
  expect(rows(extended(toggled(NOTHING_SELECTED, 5), SHOWN, 12))).toEqual([5, 9, 12]);
  expect(rows(extended(toggled(NOTHING_SELECTED, 9), SHOWN, 2))).toEqual([2, 5, 9]);
});

test('a range without a beginning in sight is the row alone', () => {
  expect(rows(extended(NOTHING_SELECTED, SHOWN, 9))).toEqual([9]);
  expect(rows(extended(toggled(NOTHING_SELECTED, 7), SHOWN, 9))).toEqual([7, 9]);
});

test('all are the shown rows and no others; once more, none', () => {
  const all = allToggled(toggled(NOTHING_SELECTED, 7), SHOWN);
  expect(rows(all)).toEqual([2, 5, 9, 12]);
  expect(rows(allToggled(all, SHOWN))).toEqual([]);
});
