/** The rows of the import page where rules have decided: parts, properties, and what is left out. */
import { expect, test } from 'bun:test';
import {
  broughtBack,
  countsOfRows,
  editText,
  rowsOf,
  searchIn,
  textOf,
} from '../../../clients/web/import/check/rows.ts';
import { plan } from '../typescript/import/plan.ts';

const RULES = [
  'description contains "AGENT" -> 27 Station Road / split: expense professionalFees 12 % of gross, leave out 100, rest periodAmount',
  'description is "OWN" -> leave out',
  'otherwise -> Web design / turnover',
];
const ROWS = ['2026-03-02,AGENT,836', '2026-03-04,OWN,-7', '2026-03-05,CLIENT,6'];

async function rows() {
  const result = await plan(RULES, ROWS);
  return rowsOf({ result, original: undefined, corrections: new Map(), comparison: undefined });
}

test('a row that is split is one row, with its whole amount and its parts', async () => {
  const [agent] = await rows();
  expect(agent?.entry).toMatchObject({ type: 'income', amountPence: 83_600 });
  expect(agent && textOf(agent, 'category', undefined)).toBe(
    '-£100.36 professional fees, £100.00 left out, £836.36 rent received',
  );
  expect(
    agent && [
      textOf(agent, 'amount', undefined),
      textOf(agent, 'source', undefined),
      editText(agent, 'category'),
    ],
  ).toEqual([...['£836.00', '27 Station Road', '']]);
});

test('a row that a rule leaves out is in the count of those, with the line of the rule, and can be brought back', async () => {
  const all = await rows();
  expect(countsOfRows(all)).toMatchObject({ all: 3, leftOut: 1 });
  const [own] = all.filter(({ standing }) => standing === 'leftOut');
  expect(own).toMatchObject({ row: 3, rule: 2, note: 'Line 2 of the rules leaves it out.' });
  expect([own && broughtBack(own), broughtBack()]).toEqual([{ isLeftOut: false }, { isLeftOut: undefined }]);
});

test('the search finds a row by its property and by the categories of its parts', async () => {
  const find = searchIn(await rows(), undefined);
  expect(find('station').map(({ row }) => row)).toEqual([2]);
  expect(find('professional').map(({ row }) => row)).toEqual([2]);
  expect(find('web design').map(({ row }) => row)).toEqual([4]);
});
