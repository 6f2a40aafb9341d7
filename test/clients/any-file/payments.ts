/** The meaning of a file: payments of a landlord. */
import type { Random } from '../../faults/random.ts';

type Direction = 'in' | 'out';

export interface Payment {
  /** Stays the same in a later file of the kind. */
  id: number;
  /** YYYY-MM-DD. */
  day: string;
  text: string;
  /** Above 0. */
  pence: number;
  direction: Direction;
  /** False for a payment that is not to be stored: it is planned, or was declined. */
  happened: boolean;
  category: string;
  property: string;
}

interface Kind {
  direction: Direction;
  category: string;
  texts: readonly string[];
  pounds: readonly [number, number];
}

const RECEIPTS: readonly Kind[] = [
  {
    direction: 'in',
    category: 'Rent',
    texts: ['Tenant A', 'Tenant B', 'J Patel', 'M Okafor'],
    pounds: [450, 1400],
  },
  { direction: 'in', category: 'Rent', texts: ['Flat 2 rent', 'S Lindqvist', 'B Osei'], pounds: [450, 1400] },
  { direction: 'in', category: 'Laundry', texts: ['Coin laundry', 'Parking space'], pounds: [10, 80] },
];
const COSTS: readonly Kind[] = [
  {
    direction: 'out',
    category: 'Repairs',
    texts: ['Wickes', 'Screwfix', 'Argos', 'R Dean plumbing'],
    pounds: [5, 400],
  },
  { direction: 'out', category: 'Insurance', texts: ['Aviva', 'Direct Line'], pounds: [15, 300] },
  {
    direction: 'out',
    category: 'Utilities',
    texts: ['British Gas', 'Thames Water', 'Octopus'],
    pounds: [20, 150],
  },
  { direction: 'out', category: 'Mortgage', texts: ['Nationwide', 'Skipton'], pounds: [200, 700] },
  { direction: 'out', category: 'Travel', texts: ['Trainline', 'Fuel', 'Paper Shop'], pounds: [3, 60] },
];
const PROPERTIES = ['12 Acacia Avenue', '9 Mill Lane'];

/** The receipts among the payments: all, none, a share, or enough of either. */
export type Mix = 'all in' | 'all out' | 'mostly in' | 'mostly out' | 'mixed';
const SHARE_IN: Record<Mix, number> = {
  'all in': 1,
  'all out': 0,
  'mostly in': 0.75,
  'mostly out': 0.25,
  mixed: 0.5,
};

export function drawPayments(random: Random, mix: Mix, count: number): Payment[] {
  const month = random.int(1, 8);
  const days = Array.from({ length: count }, () => random.int(0, 58)).sort((one, other) => one - other);
  // A day above 12 settles the order of day and month.
  if (days.every((day) => (day % 28) + 1 <= 12)) days[count - 1] = 27 + random.int(0, 1) * 28;
  return days.map((day, index) => {
    const forced = mix === 'mixed' && index < 2;
    const isIn = forced ? index === 0 : random.chance(SHARE_IN[mix]);
    const kind = random.pick(isIn ? RECEIPTS : COSTS);
    return {
      id: random.int(0, 1_000_000),
      day: dayOf(2026, month + Math.floor(day / 28), (day % 28) + 1),
      text: random.pick(kind.texts),
      pence: drawPence(random, ...kind.pounds),
      direction: kind.direction,
      happened: true,
      category: kind.category,
      property: random.pick(PROPERTIES),
    };
  });
}

const dayOf = (year: number, month: number, day: number) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** Often whole pounds, because rents and sums are. */
export const drawPence = (random: Random, least: number, most: number) =>
  random.int(least, most) * 100 + (random.chance(0.5) ? 0 : random.int(1, 99));

export const signed = ({ pence, direction }: Payment) => (direction === 'in' ? pence : -pence);

/** A cost that came back: it has the category of the cost, and is money in. */
export function asRefund(payment: Payment, random: Random): Payment {
  return {
    ...payment,
    text: `${payment.text} refund`,
    pence: Math.min(payment.pence, drawPence(random, 2, 30)),
    direction: 'in',
  };
}
