/** The truth: the bank accounts of a landlord, and the payments that really happened. All of it follows from the seed. */
import { type Random, random } from '../../faults/random.ts';

/** A payment as the bank shows it at one time. */
export interface Version {
  date: string;
  /** Money out has a minus. */
  pence: number;
  description: string;
}

export interface Payment {
  id: number;
  account: number;
  kind: Kind;
  first: Version;
}

export interface World {
  seed: number;
  random: Random;
  /** The middle of the days: a month, a quarter or a tax year ends here, or it is Easter. */
  middle: string;
  payments: Payment[];
  accounts: number;
}

export type Kind = keyof typeof KINDS;

/** Amounts and texts that are easily taken for one another. `step` makes amounts of a kind differ: its payments can be split by rules. */
const KINDS = {
  rentA: { pence: 95_000, texts: ['RENT FLAT A'] },
  rentB: { pence: 95_000, texts: ['RENT FLAT B'] },
  rentC: { pence: 95_000, texts: ['RENT FLAT C'] },
  // 3 % of a rent, with the text of the rent.
  fee: { pence: -2_850, texts: ['RENT FLAT A', 'RENT FLAT B'] },
  parking: { pence: -300, texts: ['PARKING'] },
  coffee: { pence: -300, texts: ['COFFEE', 'PARKING CARD 0412'] },
  boiler: { pence: -12_000, texts: ['BOILERCO', 'BOILERCO REPAIR'] },
  roof: { pence: -12_000, texts: ['ROOF AND SONS'] },
  fuel: { pence: -100, texts: ['SHELL PAY AT PUMP AUTH'] },
  shop: { pence: -12_000, step: -200, texts: ['AMZN MKTP PENDING'] },
  insurance: { pence: -30_000, step: -200, texts: ['AVIVA INSURANCE'] },
  agent: { pence: 83_600, step: 880, texts: ['HUNTERS LETTINGS'] },
  savings: { pence: -50_000, texts: ['TRANSFER TO SAVINGS'] },
} as const;

const CHARGES: readonly Kind[] = ['parking', 'parking', 'coffee', 'fuel'];
const COSTS: readonly Kind[] = ['boiler', 'roof', 'boiler', 'insurance', 'shop', 'shop', 'agent', 'savings'];
const RENTS: readonly Kind[] = ['rentA', 'rentB', 'rentC', 'rentA'];

/** The end of a tax year, Good Friday, and the ends of months and of quarters. */
const MIDDLES = ['2026-04-05', '2025-04-05', '2026-04-03', '2026-06-30', '2026-05-31', '2026-07-05'] as const;
/** Days before and after the middle. */
export const REACH = 24;

export const isSplittable = (kind: Kind) => 'step' in KINDS[kind];

export const plusDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

export const daysBetween = (one: string, other: string) =>
  Math.round((Date.parse(other) - Date.parse(one)) / 86_400_000);

/** The first day of the standard quarter of a day: the 6th of April, July, October or January. */
export function quarterOf(date: string): string {
  const begins = ['01-06', '04-06', '07-06', '10-06'].map((day) => `${date.slice(0, 4)}-${day}`);
  const begun = begins.filter((day) => day <= date).at(-1);
  return begun ?? `${Number(date.slice(0, 4)) - 1}-10-06`;
}

export function worldOf(seed: number): World {
  const chance = random(`coverage ${seed}`);
  const accounts = chance.chance(0.2) ? 2 : 1;
  const middle = chance.pick(MIDDLES);
  const payments = Array.from({ length: accounts }, (_, account) =>
    paymentsOf(chance, account, middle),
  ).flat();
  return {
    seed,
    random: chance,
    middle,
    accounts,
    payments: payments.map((payment, id) => withAmount({ ...payment, id })),
  };
}

/** Amounts of one kind differ by its step, so that parts of two payments are never equal. */
function withAmount(payment: Payment): Payment {
  const kind = KINDS[payment.kind];
  if (!('step' in kind)) return payment;
  return { ...payment, first: { ...payment.first, pence: kind.pence + kind.step * payment.id } };
}

function paymentsOf(chance: Random, account: number, middle: string): Omit<Payment, 'id'>[] {
  const day = (from: number, to: number) => plusDays(middle, chance.int(from, to));
  const make = (kind: Kind, date: string): Omit<Payment, 'id'> => {
    const { pence, texts } = KINDS[kind];
    return { account, kind, first: { date, pence, description: chance.pick<string>(texts) } };
  };
  const made: Omit<Payment, 'id'>[] = [];
  // The same rents in two months, near the edge, so that a later one looks like the earlier one.
  for (const kind of new Set([chance.pick(RENTS), chance.pick(RENTS)])) {
    for (const date of [day(-22, -18), day(-1, 4)]) {
      made.push(make(kind, date));
      if (chance.chance(0.2)) made.push(make('fee', date));
    }
  }
  // Equal charges of one day and of days nearby.
  const day0 = day(-4, 4);
  const charge = chance.pick(CHARGES);
  for (let count = chance.int(2, 4); count > 0; count--) {
    made.push(
      make(chance.chance(0.6) ? charge : chance.pick(CHARGES), chance.chance(0.6) ? day0 : day(-8, 8)),
    );
  }
  for (let count = chance.int(2, 5); count > 0; count--) made.push(make(chance.pick(COSTS), day(-20, 20)));
  made.push(make(chance.pick(COSTS), day(-2, 2)));
  // Something at both ends, so that a statement has a first and a last row.
  made.push(make('parking', plusDays(middle, -REACH)), make('coffee', plusDays(middle, REACH)));
  return made.sort((one, other) => (one.first.date < other.first.date ? -1 : 1));
}
