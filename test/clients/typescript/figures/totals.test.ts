/** The totals in the workbook: their formulas alone, worked out here, give their values. */
import { expect, test } from 'bun:test';
import type { Cell } from '../../../../clients/typescript/export/workbook.ts';
import { figuresSheets } from '../../../../clients/typescript/figures/sheets.ts';
import { snapshotOf } from '../../../../clients/typescript/figures/snapshot.ts';
import { yearFigures } from '../../../../clients/typescript/figures/year.ts';
import type { StoredEntry } from '../../../../clients/typescript/match/stored-books.ts';
import { sourceOf } from '../sources.ts';

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

function sheets() {
  const byId = new Map(
    AMOUNTS.map(([source, type, category, amountPence], index): [string, StoredEntry] => {
      const content = { type, category, amountPence, description: null, externalRef: null };
      const stored = { id: `e${index}`, date: '2026-05-01', ...content };
      return [stored.id, { stored, source: SOURCES[source] ?? sourceOf('none') }];
    }),
  );
  const of = { quarter: 1, quarters: 'standard', lastYear: undefined } as const;
  const year = yearFigures({ sources: SOURCES, byId }, { ...of, start: 2026, today: '2026-05-02' });
  return figuresSheets(year, snapshotOf(year, byId));
}

const amountIn = (cell: Cell | undefined) => (typeof cell === 'object' ? Number(cell.value) : Number.NaN);

/** The value of a sum such as `ROUND(0+H2-H3,2)`, by the values of the cells that it names. */
function evaluated(formula: string, rows: readonly Cell[][]): number {
  const terms = Array.from(formula.matchAll(/([+-])([A-Z])(\d+)/g), ([, sign, letter = '', row]) => {
    const value = amountIn(rows[Number(row) - 1]?.[letter.charCodeAt(0) - 65]);
    return sign === '-' ? -value : value;
  });
  const sum = terms.reduce((total, each) => total + each, 0);
  return formula.startsWith('ROUND(') ? Number(sum.toFixed(2)) : sum;
}

test.each(['Figures', 'Update'] as const)(
  'every total of the sheet %s is the sum of the cells that it names',
  (name) => {
    const rows = sheets()[name];
    const [header = []] = rows;
    const columns = name === 'Figures' ? ['pence', 'share pence'] : ['amount', 'your share'];
    const totals = rows.filter((cells) => cells[4] === 'total');
    const shown = totals.map((cells) => {
      const amounts = columns.map((column) => {
        const cell = cells[header.indexOf(column)];
        if (typeof cell !== 'object' || cell.formula === undefined) return Number.NaN;
        expect(evaluated(cell.formula, rows)).toBe(Number(cell.value));
        return Number(cell.value);
      });
      return [cells[3], cells[5], ...amounts].join(' ');
    });
    const ofUpdate = [
      'UK property Total income 110.02 103.35',
      'UK property Total expenses 80.12 46.77',
      'UK property Profit before tax adjustments 29.9 56.58',
      'Self-employment: shop Total income 0.3 0.3',
      'Self-employment: shop Total expenses 0 0',
      'Self-employment: shop Profit before tax adjustments 0.3 0.3',
    ];
    const ofJoint = [
      'joint Total income 1001 334',
      'joint Total expenses 5002 1667',
      'joint Profit before tax adjustments -4001 -1333',
    ];
    if (name === 'Update') expect(shown).toEqual(ofUpdate);
    else expect(shown).toEqual(expect.arrayContaining(ofJoint));
  },
);
