/** The selection of rows in the table. */
import { expect, test } from 'bun:test';
import {
  allToggled,
  extended,
  NOTHING_SELECTED,
  toggled,
} from '../../../clients/web/import/check/selection.ts';

const SHOWN = [2, 5, 9, 12].map((row) => ({ row }));

const one = (row: number) => toggled(NOTHING_SELECTED, row);
const all = allToggled(one(7), SHOWN);

test.each([
  ['a row', one(5), [5]],
  ['a row, selected again, is none', toggled(one(5), 5), []],
  ['a range has the shown rows from the last selected one on', extended(one(5), SHOWN, 12), [5, 9, 12]],
  ['a range in the other direction', extended(one(9), SHOWN, 2), [2, 5, 9]],
  ['a range without a beginning is the row alone', extended(NOTHING_SELECTED, SHOWN, 9), [9]],
  ['a range whose beginning is not shown is the row alone', extended(one(7), SHOWN, 9), [7, 9]],
  ['all are the shown rows and no others', all, [2, 5, 9, 12]],
  ['all once more are none', allToggled(all, SHOWN), []],
])('%s', (_, selection, expected) => {
  expect([...selection.rows].sort((a, b) => a - b)).toEqual(expected);
});
