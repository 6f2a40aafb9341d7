/**
 * A made-up landlord from March 2025 to April 2026, in two bank accounts. What must be in the books follows from the
 * payments here by plain arithmetic, never from the files.
 */
import { type Random, random } from '../../faults/random.ts';
import { ACACIA, HARBOUR, MILL_LANE, STATION_ROAD, WEB_DESIGN } from './landlord.ts';

export type Bank = 'barclays' | 'starling';

interface Expected {
  source: string;
  type: 'income' | 'expense';
  /** null: for the review queue. */
  category: string | null;
  pence: number;
}

export interface Payment {
  bank: Bank;
  date: string;
  /** The other party as the bank writes it. */
  text: string;
  reference: string;
  pence: number;
  /** Empty: left out. */
  entries: Expected[];
}

/** The penny that is half of one or more goes up. */
const percentOf = (pence: number, percent: number, of: number) =>
  Math.floor((2 * pence * percent + of) / (2 * of));

const MONTHS = [
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((month) => ({ year: 2025, month })),
  ...[1, 2, 3, 4].map((month) => ({ year: 2026, month })),
];

/** In the order of the days, within a day as the bank has them. */
export function paymentsOfYear(): Payment[] {
  const payments = MONTHS.flatMap(({ year, month }, index) => {
    const two = (number: number) => String(number).padStart(2, '0');
    const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
    const on = (day: number) => `${year}-${two(month)}-${two(Math.min(day, lastDay))}`;
    return [
      ...barclays(on, index, random(`1/barclays ${index}`)),
      ...starling(on, index, random(`1/starling ${index}`)),
      ...harbour(on, index),
    ];
  });
  return payments.sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
}

/** The day of the month, or its last one. */
type On = (day: number) => string;

/** Makes the payments of one account: with the entries that are given, or as one entry that has its sign. */
function account(bank: Bank, on: On) {
  const pay = (
    day: number,
    text: string,
    reference: string,
    pence: number,
    entries: Expected[] = [],
  ): Payment => ({ bank, date: on(day), text, reference, pence, entries });
  const own = (
    day: number,
    text: string,
    reference: string,
    pence: number,
    source: string,
    category: string | null,
  ) => {
    const type = pence > 0 ? 'income' : 'expense';
    return pay(day, text, reference, pence, [{ source, type, category, pence: Math.abs(pence) }]);
  };
  return { pay, own };
}

const expense = (source: string, category: string, pence: number): Expected => ({
  source,
  type: 'expense',
  category,
  pence,
});

/** `payments` in the months whose numbers are given; the first month, March 2025, is 0. */
const only = (index: number, months: number[], ...payments: Payment[]) =>
  months.includes(index) ? payments : [];

function barclays(on: On, index: number, chance: Random): Payment[] {
  const { pay, own } = account('barclays', on);
  // In the fifth month the fee is 108.555: half a penny goes up.
  const net = index === 0 ? 83_600 : index === 4 ? 79_607 : chance.int(70_000, 99_999);
  const fee = percentOf(net, 12, 88);
  const handyman = chance.int(4_000, 25_000);
  const handymanAt = handyman >= 15_000 ? ACACIA : STATION_ROAD;
  // A Patel until August, nobody in September, then L Nowak.
  const acaciaRent =
    index === 6
      ? []
      : [
          index < 6
            ? own(1, 'A PATEL', 'RENT 12 ACACIA', 95_000, ACACIA, 'periodAmount')
            : own(1, 'L NOWAK', 'RENT 12 ACACIA', 98_000, ACACIA, 'periodAmount'),
        ];
  const millLaneRent = (day: number, pence: number) =>
    own(day, 'J OKAFOR', 'FLAT 3 MILL LANE', pence, MILL_LANE, 'periodAmount');
  return [
    ...acaciaRent,
    // Equal to the other rent, on the same day, but in November, when it comes in two parts, and from February, when it goes up.
    ...(index === 8
      ? [millLaneRent(1, 50_000), millLaneRent(17, 45_000)]
      : [millLaneRent(1, index < 11 ? 95_000 : 97_500)]),
    pay(2, 'STANDING ORDER', 'MUM', -4_500),
    own(2, 'STANDING ORDER', 'GARAGE', 31_000, STATION_ROAD, 'otherIncome'),
    // On both sides of the end of a quarter. The agent keeps 12 % of the gross.
    pay(index % 2 === 0 ? 5 : 6, 'HUNTERS LETTINGS', `STMT 0${index}`, net, [
      expense(STATION_ROAD, 'professionalFees', fee),
      { source: STATION_ROAD, type: 'income', category: 'periodAmount', pence: net + fee },
    ]),
    ...only(
      index,
      [1, 4, 7, 10],
      ...[1, 2].map(() => own(8, 'STATION CAR PARK', 'ON 07', -250, STATION_ROAD, 'travelCosts')),
    ),
    // Of 612.50 and 498.20 the interest is an expense.
    pay(12, 'NATIONWIDE MORTGAGE', '4471', -61_250, [expense(ACACIA, 'residentialFinancialCost', 41_250)]),
    own(chance.int(13, 18), 'HANDYMAN STAN', `JOB ${index}`, -handyman, handymanAt, 'repairsAndMaintenance'),
    pay(14, 'MILL LANE BAKERY', 'CARD', -chance.int(200, 900)),
    ...only(
      index,
      [0, 3, 6, 9, 12],
      own(15, 'AVIVA', 'POLICY 12A', -8_125, ACACIA, 'premisesRunningCosts'),
      own(15, 'AVIVA', 'POLICY 3M', -6_500, MILL_LANE, 'premisesRunningCosts'),
    ),
    ...only(
      index,
      [1, 5, 9, 13],
      own(20, 'BOILERCO', `INV 70${index}`, -18_000, ACACIA, 'repairsAndMaintenance'),
    ),
    // Of the boiler in August, in the quarter after it.
    ...only(index, [7], own(21, 'BOILERCO', 'REFUND', 4_000, ACACIA, null)),
    // Part of a rent goes back to the tenant.
    ...only(index, [10], own(22, 'J OKAFOR', 'FLAT 3 MILL LANE', -4_750, MILL_LANE, null)),
    ...only(index, [2, 7, 12], own(22, 'COUNTER CREDIT', '', 1_234, ACACIA, null)),
    pay(25, 'TRANSFER TO', 'SAVINGS', -50_000),
    ...only(index, [3, 9], pay(26, 'FROM SAVINGS', '42', 30_000)),
    pay(28, 'MILL LANE MANAGEMENT', 'SERVICE CHARGE', -9_500, [
      expense(MILL_LANE, 'premisesRunningCosts', 7_000),
      expense(MILL_LANE, 'costOfServices', 2_500),
    ]),
    // On the last day of the month, and so of each calendar quarter.
    pay(31, 'HALIFAX MORTGAGE', '9902', -49_820, [expense(MILL_LANE, 'residentialFinancialCost', 30_177)]),
  ];
}

function starling(on: On, index: number, chance: Random): Payment[] {
  const { pay, own } = account('starling', on);
  const invoice = chance.int(90_000, 250_000);
  const phone = index < 10 ? 2_999 : 3_125;
  const supplies = chance.int(2_000, 40_000);
  return [
    own(chance.int(2, 28), 'NORTH LTD', `INV 10${index}`, invoice, WEB_DESIGN, 'turnover'),
    own(6, 'AWS EMEA', '', -chance.int(1_500, 2_500), WEB_DESIGN, 'adminCosts'),
    pay(6, 'EE Limited', 'PHONE', -phone, [expense(WEB_DESIGN, 'adminCosts', percentOf(phone, 60, 100))]),
    pay(13, 'City Supplies', '', -supplies, [
      expense(WEB_DESIGN, 'adminCosts', 1_250),
      expense(WEB_DESIGN, 'costOfGoods', supplies - 1_250),
    ]),
    ...only(index, [5], own(15, 'City Supplies', 'RETURN', 725, WEB_DESIGN, null)),
    own(18, 'Interest', '', 101 + index, WEB_DESIGN, 'other'),
    pay(19, 'Lunch', 'Deli', -1_050),
    ...(index % 6 === 2 ? [own(20, 'Post Office', '', -895, WEB_DESIGN, null)] : []),
    pay(27, 'Savings Space', '', index % 7 === 5 ? 45_000 : -10_000),
  ];
}

/** The joint property. Its payments are in the account of the business. */
function harbour(on: On, index: number): Payment[] {
  const { pay, own } = account('starling', on);
  return [
    own(3, 'Harbour Cottage rent', '', 70_001, HARBOUR, 'periodAmount'),
    ...only(index, [2, 5, 8, 11], own(4, 'Roofer', '', -(12_345 + index), HARBOUR, 'repairsAndMaintenance')),
    ...only(index, [6], own(9, 'Roofer', 'OVERPAID', 3_333, HARBOUR, null)),
    // 45 % of 123.10 is 55.395: half a penny goes up.
    ...only(
      index,
      [1, 7],
      pay(16, 'Quay Builders', '', -12_310, [
        expense(HARBOUR, 'repairsAndMaintenance', 5_540),
        expense(HARBOUR, 'professionalFees', 5_000),
      ]),
    ),
    ...only(index, [4, 9], own(19, 'Cottage sundries', '', -2_075, HARBOUR, null)),
    ...only(index, [0, 3, 6, 9, 12], own(17, 'Trainline', '', -4_185, HARBOUR, 'travelCosts')),
    // Two equal private payments on one day.
    ...[1, 2].map(() => pay(9, 'Coffee House', '', -320)),
  ];
}
