/** Rows that are no further payments: totals, balances, parts, opposites, headings; and payments that only look like them. */
import type { Meaning } from '../../../clients/typescript/import/questions-and-answers.ts';
import type { Random } from '../../faults/random.ts';
import { accountColumn, kindColumn, parentColumn } from './columns.ts';
import { type Payment, signed } from './payments.ts';
import type { Column, Item, Plan } from './plan.ts';
import { inventedWord, type Names } from './words.ts';

interface Relation {
  /** The signs with which it is decidable. */
  signs: readonly Plan['sign'][];
  /** Only where the sign alone says the direction. */
  needsTotals?: boolean;
  items(payments: Payment[], random: Random, sign: Plan['sign']): Item[];
  columns?(names: Names): Column[];
  cost: number;
  /** All rows are payments that happened once. */
  isPlain?: boolean;
  /** The latest row may be the first one: a total is then above its rows. */
  isEitherWay?: boolean;
}

const ALL = ['bank', 'spending', 'none', 'columns'] as const;
const TOTALS = [
  'Total',
  'Rents',
  'Costs',
  'Subtotal',
  'Sum',
  'Amount due to you',
  'Amount due to landlord',
  'Net',
];

export const rowOf = (payment: Payment): Item => ({ kind: 'payments', payments: [payment] });

function totalRow(random: Random): Item {
  const text = random.pick([random.pick(TOTALS), inventedWord(random), '']);
  return { kind: 'total', text, isDated: random.chance(0.7) };
}

export const RELATIONS: Record<string, Relation> = {
  'total at the end': {
    signs: ALL,
    needsTotals: true,
    items: (payments, random) => [...payments.map(rowOf), totalRow(random)],
    cost: 1,
    isEitherWay: true,
  },
  'totals between': {
    signs: ALL,
    needsTotals: true,
    items: (payments, random) => {
      const half = Math.max(2, Math.floor(payments.length / 2));
      const rows = payments.map(rowOf);
      return [...rows.slice(0, half), totalRow(random), ...rows.slice(half), totalRow(random)];
    },
    cost: 1,
    isEitherWay: true,
  },
  'a grand total': {
    signs: ALL,
    needsTotals: true,
    items: (payments, random) => {
      const half = Math.max(2, Math.floor(payments.length / 2));
      const rows = payments.map(rowOf);
      const grand = {
        kind: 'total',
        text: random.pick(['Grand total', 'Total', inventedWord(random)]),
        isDated: true,
        isGrand: true,
      } as const;
      return [...rows.slice(0, half), totalRow(random), ...rows.slice(half), totalRow(random), grand];
    },
    cost: 1,
    isEitherWay: true,
  },
  'opening and closing': {
    signs: ['bank'],
    needsTotals: true,
    items: (payments, random) => {
      const opening = random.pick([
        'Balance brought forward',
        'Opening balance',
        'Float brought forward',
        'b/f',
      ]);
      const closing = random.pick(['Balance carried forward', 'Closing balance', inventedWord(random), '']);
      const day = payments[0]?.day ?? '';
      return [
        { kind: 'opening', text: opening, pence: random.int(100, 900) * 100, day },
        ...payments.map(rowOf),
        { kind: 'total', text: closing, isDated: true },
      ];
    },
    cost: 1,
  },
  'a payout with a minus': {
    signs: ['bank'],
    needsTotals: true,
    items: (payments, random) => [
      ...payments.map(rowOf),
      {
        kind: 'payout',
        text: random.pick(['Paid to you', 'Transfer', inventedWord(random)]),
        day: payments.at(-1)?.day ?? '',
      },
    ],
    columns: (names) => [kindColumn(names)],
    cost: 1,
  },
  'parts beside their whole': { signs: ALL, items: withParts, cost: 1 },
  'parts with a column': {
    signs: ALL,
    items: withParts,
    columns: (names) => [parentColumn(names)],
    cost: 1,
  },
  'double entry': {
    signs: ['bank'],
    needsTotals: true,
    items: (payments, random) => {
      const isBankFirst = random.chance(0.5);
      return payments.map((payment) => ({ kind: 'double', payment, isBankFirst }));
    },
    columns: (names) => [accountColumn(names)],
    cost: 1,
  },
  'a payment equal to a sum': {
    signs: ALL,
    items: (payments, random, sign) => {
      const at = random.int(2, payments.length - 1);
      const before = payments
        .slice(0, at)
        .reduce((sum, each) => sum + (sign === 'none' ? each.pence : signed(each)), 0);
      const direction = before < 0 ? 'out' : 'in';
      return payments.map((payment, index) => {
        if (index !== at || before === 0) return rowOf(payment);
        const same = sign === 'none' || payment.direction === direction;
        return rowOf(same ? { ...payment, pence: Math.abs(before) } : payment);
      });
    },
    cost: 1,
    isPlain: true,
  },
  'two payments that cancel': {
    signs: ['bank', 'columns'],
    items: (payments, random) => {
      const at = random.int(0, payments.length - 1);
      const [payment] = payments.slice(at);
      if (!payment) return [];
      const isIn = payment.direction === 'in';
      const other = {
        ...payment,
        text: isIn ? 'Skipton' : 'Tenant B',
        category: isIn ? 'Mortgage' : 'Rent',
      } as const;
      const opposite = { ...other, direction: isIn ? 'out' : 'in' } as const;
      const all = [...payments.slice(0, at), payment, opposite, ...payments.slice(at + 1)];
      return all.map(rowOf);
    },
    cost: 1,
    isPlain: true,
  },
  'headings that say nothing': {
    signs: ALL,
    items: (payments, random) => {
      const texts = [random.pick(['12 Acacia Avenue', 'April 2026', inventedWord(random)]), '9 Mill Lane'];
      return under(
        payments,
        texts.map((text) => ({ text, meaning: 'keep' })),
      );
    },
    cost: 2,
  },
  'a heading of payments to come': {
    signs: ALL,
    items: (payments, random) => {
      const words = [
        'Upcoming payments',
        'Budget for May',
        'Forecast',
        'Planned',
        'Not yet paid',
        'Standing orders due',
      ];
      const half = Math.ceil(payments.length / 2);
      const text = random.chance(0.3) ? inventedWord(random) : random.pick(words);
      const planned = payments.slice(half).map((payment) => rowOf({ ...payment, happened: false }));
      return [...payments.slice(0, half).map(rowOf), { kind: 'heading', text, meaning: 'skip' }, ...planned];
    },
    cost: 1,
  },
  'twice under two headings': {
    signs: ['bank', 'none'],
    items: (payments, random) => {
      const [one, other] = random.pick([
        ['Rental income', 'Current account'],
        [inventedWord(random), inventedWord(random)],
      ] as const);
      const heading = (text: string, meaning: Meaning): Item => ({ kind: 'heading', text, meaning });
      const again = payments.map((payment): Item => ({ kind: 'again', payment }));
      return [heading(one ?? '', 'keep'), ...payments.map(rowOf), heading(other ?? '', 'skip'), ...again];
    },
    cost: 2,
  },
};

/** A payment and its two or three parts, beside each other. */
function withParts(payments: Payment[], random: Random): Item[] {
  const at = random.int(0, payments.length - 1);
  const keeps = random.pick(['whole', 'parts'] as const);
  return payments.map((payment, index) => {
    if (index !== at || payment.pence < 300) return rowOf(payment);
    const first = random.int(100, payment.pence - 150);
    const rest = payment.pence - first;
    const parts = [first, rest].map((pence, part) => ({ ...payment, pence, text: `part ${part + 1} of it` }));
    return { kind: 'whole', payment, parts, keeps, isFirst: random.chance(0.7) };
  });
}

/** The payments in groups below headings. */
function under(
  payments: readonly Payment[],
  headings: readonly { text: string; meaning: Meaning }[],
): Item[] {
  const size = Math.ceil(payments.length / headings.length);
  return headings.flatMap(({ text, meaning }, index) => [
    { kind: 'heading', text, meaning } as const,
    ...payments.slice(index * size, (index + 1) * size).map(rowOf),
  ]);
}

/** The direction of each payment is in the heading above it. */
export function underDirections(payments: readonly Payment[], random: Random): Item[] {
  const invented = random.chance(0.3);
  const word = (words: readonly string[]) => (invented ? inventedWord(random) : random.pick(words));
  const hasTotals = random.chance(0.3);
  const groups = [
    { text: word(['Rents', 'Deposits', 'Rent received', 'Receipts']), meaning: 'in' },
    { text: word(['Withdrawals', 'Mortgage', 'Deductions', 'Costs', 'Outgoings']), meaning: 'out' },
  ] as const;
  const ordered = random.chance(0.7) ? groups : groups.toReversed();
  return ordered.flatMap((heading): Item[] => {
    const rows = payments.filter(({ direction }) => direction === heading.meaning).map(rowOf);
    if (rows.length === 0) return [];
    const total = hasTotals && rows.length > 1 ? [totalRow(random)] : [];
    return [{ kind: 'heading', ...heading }, ...rows, ...total];
  });
}
