/** The workbook of figures: its formulas alone, worked out here, give their values, of entries, stated sums, shares and totals. */
import { expect, test } from 'bun:test';
import { categoryLabels } from '../../../../clients/typescript/figures/naming.ts';
import { figuresSheets } from '../../../../clients/typescript/figures/sheets.ts';
import { snapshotOf } from '../../../../clients/typescript/figures/snapshot.ts';
import { yearFigures } from '../../../../clients/typescript/figures/year.ts';
import { CATEGORIES } from '../../../../proto/domain.ts';
import { sourceOf, storedIn } from '../sources.ts';
import { worked } from './formulas.ts';

const SOURCES = [
  sourceOf('flat'),
  sourceOf('joint', { sharePercent: 33.3333 }),
  sourceOf('shop', { type: 'self-employment' }),
];
const AMOUNTS: [source: number, type: 'income' | 'expense', category: string | null, pence: number][] = [
  [0, 'income', 'periodAmount', 100_01],
  [0, 'income', 'taxDeducted', 20_00],
  [0, 'expense', 'premisesRunningCosts', 30_10],
  [0, 'expense', 'residentialFinancialCost', 40_00],
  [0, 'expense', null, 7_77],
  [1, 'income', 'rentARoomRentsReceived', 10_01],
  [1, 'expense', 'other', 50_02],
  [1, 'expense', 'rentARoomAmountClaimed', 3],
  [2, 'income', 'turnover', 10],
  [2, 'income', 'other', 20],
  [2, 'income', 'seTaxDeducted', 5],
];
const STATED = [
  { type: 'expense', category: 'other', pence: -1_03n },
  { type: 'income', category: 'periodAmount', pence: 2_000_000_00n },
] as const;

function sheets(isStated: boolean) {
  const byId = new Map(
    AMOUNTS.map(([source, type, category, amountPence]) => {
      const entry = storedIn(SOURCES[source] ?? sourceOf('none'), { type, category, amountPence });
      return [entry.stored.id, entry] as const;
    }),
  );
  const of = { quarter: 1, quarters: 'standard', lastYear: undefined } as const;
  const year = yearFigures(
    { sources: SOURCES, byId },
    { ...of, start: 2026, today: '2026-05-02' },
    {
      refundOf: ({ source: { id } }) =>
        id === 'flat' ? { type: 'income', category: 'periodAmount' } : undefined,
      sumsOf: ({ id }) => (isStated && id === 'joint' ? { to: '2026-04-30', sums: [...STATED] } : undefined),
    },
  );
  return figuresSheets(year, snapshotOf(year, byId), categoryLabels(CATEGORIES));
}

test.each([false, true])('every formula gives its value, with stated sums: %p', (isStated) => {
  const all = sheets(isStated);
  const values = Object.entries(all).flatMap(([name, rows]) =>
    rows.flat().flatMap((cell) => {
      if (typeof cell !== 'object' || cell.formula === undefined) return [];
      return [[`${name} ${cell.formula}`, worked(cell.formula, name, all), Number(cell.value)] as const];
    }),
  );
  expect(values.length).toBeGreaterThan(100);
  expect(values.filter(([, is, wanted]) => Math.abs(is - wanted) > 1e-6)).toEqual([]);
});

/** The columns of each row of a kind, as text. */
function shown(
  isStated: boolean,
  sheet: 'Figures' | 'Update',
  isOfKind: (cells: readonly unknown[]) => boolean,
) {
  const { [sheet]: rows } = sheets(isStated);
  const [header = []] = rows;
  const columns = sheet === 'Figures' ? ['pence', 'share pence'] : ['amount', 'your share'];
  return rows.filter(isOfKind).map((cells) => {
    const amounts = columns.map((column) => {
      const cell = cells[header.indexOf(column)];
      return typeof cell === 'object' ? Number(cell.value) : Number.NaN;
    });
    return [cells[3], cells[5], ...amounts].join(' ');
  });
}
/** HMRC's fields of the totals, by business. */
const fieldsOf = (sheet: 'Figures' | 'Update', isStated: boolean) =>
  sheets(isStated)[sheet].flatMap((cells) =>
    cells[4] === 'total' && cells[6] !== '' ? `${cells[3]} ${cells[5]} ${cells[6]}` : [],
  );

test('the total of the expenses is the one sum that HMRC takes in their place, unless the turnover is too high', () => {
  const ofShop = 'Self-employment: shop Total expenses consolidatedExpenses';
  expect(fieldsOf('Update', false)).toEqual(['UK property Total expenses consolidatedExpenses', ofShop]);
  // The stated rent is 2,000,000.00.
  expect(fieldsOf('Update', true)).toEqual([ofShop]);
  expect(fieldsOf('Figures', false)).toEqual([]);
});

const isTotal = (cells: readonly unknown[]) => cells[4] === 'total';

test('totals are of each property and business, and of all together', () => {
  expect(shown(false, 'Update', isTotal)).toEqual([
    'UK property Total income 102.25 95.58',
    'UK property Total expenses 80.12 46.77',
    'UK property Profit before tax adjustments 22.13 48.81',
    'Self-employment: shop Total income 0.3 0.3',
    'Self-employment: shop Total expenses 0 0',
    'Self-employment: shop Profit before tax adjustments 0.3 0.3',
  ]);
  expect(shown(false, 'Figures', isTotal)).toEqual(
    expect.arrayContaining([
      'joint Total income 1001 334',
      'joint Total expenses 5002 1667',
      'joint Profit before tax adjustments -4001 -1333',
    ]),
  );
});

test('a stated sum is added to the share, and is no part of it', () => {
  const isOfJoint = (cells: readonly unknown[]) => cells[3] === 'joint' && cells[0] !== 'quarter 1';
  expect(shown(true, 'Figures', isOfJoint)).toEqual([
    'joint Rent received 200000000 200000000',
    'joint Rent-a-room rents received 1001 334',
    'joint Other allowable expenses 4899 1564',
    'joint Rent-a-room amount claimed 3 1',
    'joint Total income 200001001 200000334',
    'joint Total expenses 4899 1564',
    'joint Profit before tax adjustments 199996102 199998770',
  ]);
});
