/** Draws files of OFX and QIF: an amount in each row, and a type or a category. */
import type { Random } from '../../faults/random.ts';
import { dateColumn, descriptionColumn } from './columns.ts';
import { WAYS, type Way, type WayName } from './directions.ts';
import type { Column, DrawnFile } from './drawn-file.ts';
import { asRefund, drawPayments } from './payments.ts';
import { RELATIONS, rowOf } from './relations.ts';
import { Names } from './words.ts';
import { styleOf } from './wrapping.ts';

const RELATED = [
  'total at the end',
  'parts beside their whole',
  'a payment equal to a sum',
  'two payments that cancel',
];

export function drawPlain(random: Random): DrawnFile {
  const format = random.pick(['ofx', 'qif'] as const);
  const names = new Names(random);
  const wayNames = (Object.entries(WAYS) as [WayName, Way][])
    .filter(([name, way]) => way.isPlain && isOf(format, name))
    .map(([name]) => name);
  const wayName = random.pick(wayNames);
  const way: Way = WAYS[wayName];
  const isCard =
    ['signed spending', 'no sign, all out', 'signed bank'].includes(wayName) && random.chance(0.4);
  let payments = drawPayments(random, random.pick(way.mix), random.int(3, 10));
  if (way.refund === 'one' || (way.refund === 'maybe' && random.chance(0.5))) {
    const at = payments.findLastIndex(({ direction }) => direction === 'out');
    payments = payments.map((payment, index) => (index === at ? asRefund(payment, random) : payment));
  }
  const relationName = random.pick(RELATED);
  const relation = RELATIONS[relationName];
  const isRelated =
    random.chance(0.25) &&
    relation?.signs.includes(way.sign) === true &&
    (!relation.needsTotals || way.hasTotals) &&
    payments.length >= 3;
  const drawn = relation && isRelated ? relation.items(payments, random, way.sign) : payments.map(rowOf);
  const items = drawn.map((item) => (item.kind === 'total' ? { ...item, isDated: true } : item));
  const certain = { certainty: 'usual', cost: 0 } as const;
  const columns = [dateColumn(names), descriptionColumn(names), ...way.columns(names)].map(
    (column): Column => {
      const isAsked = column.meaning !== undefined;
      return { ...column, ...certain, cost: isAsked ? 1 : 0, name: FIELD_NAMES[format][column.role] ?? '' };
    },
  );
  const types = {
    ofx: isCard ? 'card' : 'bank',
    qif: random.pick(isCard ? ['CCard'] : ['Bank', 'Cash', 'Bank']),
  };
  const isExpenses = format === 'qif' && way.mix.includes('all out') && random.chance(0.2);
  return {
    ...styleOf(random),
    features: [
      `direction: ${wayName}`,
      ...(isRelated ? [`rows: ${relationName}`] : []),
      ...(isCard ? ['card: named'] : []),
    ],
    items,
    columns,
    sign: way.sign,
    format,
    fileName: `april.${format}`,
    dateStyle: random.pick(['d/m/y', 'd/m/y', 'm/d/y'] as const),
    minus: '-',
    account: { type: types[format], ...(isExpenses ? { name: 'Expenses' } : {}) },
    isCardNamed: isCard,
    isNewestFirst: items.every(({ kind }) => kind === 'payments') && random.chance(0.3),
  };
}

/** OFX has types of payments, which are words that it defines; QIF has categories. */
function isOf(format: 'ofx' | 'qif', way: WayName): boolean {
  if (way === 'words: known') return format === 'ofx';
  if (way.startsWith('categories')) return format === 'qif';
  return !way.startsWith('words') && !way.startsWith('suffix');
}

/** The fields by which questions and options name what has no column. */
const FIELD_NAMES: Record<'ofx' | 'qif', Partial<Record<Column['role'], string>>> = {
  ofx: { date: 'DTPOSTED', amount: 'TRNAMT', description: 'NAME', type: 'TRNTYPE' },
  qif: { date: 'D', amount: 'T', description: 'P', category: 'L' },
};
