/**
 * A made-up landlord from March 2026 to April 2027: three properties, a joint one and a business, four bank accounts. What must be in the
 * books, and the figures, follow from the payments here by plain arithmetic, never from the files.
 */

export type Bank = 'barclays' | 'monzo' | 'starling' | 'nationwide';

/** Signed pence by source, category and type of the entry; a refund is set against its category in the figures. */
export interface Expected {
  source: string;
  type: 'income' | 'expense';
  category: string | null;
  pence: number;
  refundOf?: string;
}

export interface Payment {
  bank: Bank;
  /** `YYYY-MM-DD` */
  date: string;
  /** As the bank writes it. */
  text: string;
  /** Signed. */
  pence: number;
  /** Empty: left out. */
  entries: Expected[];
}

export const ACACIA = '12 Acacia Avenue';
export const MILL_LANE = 'Flat 3, Mill Lane';
export const STATION_ROAD = '27 Station Road';
export const HARBOUR = 'Harbour Cottage';
export const WEB_DESIGN = 'Web design';

export const SOURCES = [
  { name: ACACIA, type: 'uk-property', sharePercent: 100 },
  { name: MILL_LANE, type: 'uk-property', sharePercent: 100 },
  { name: STATION_ROAD, type: 'uk-property', sharePercent: 100 },
  { name: HARBOUR, type: 'uk-property', sharePercent: 50 },
  { name: WEB_DESIGN, type: 'self-employment', sharePercent: 100 },
] as const;

/** One rules file for all four banks. */
export const RULES = `
# Barclays
description contains "MILL LANE MANAGEMENT"      -> Flat 3, Mill Lane / premisesRunningCosts
description contains "MILL LANE"                 -> Flat 3, Mill Lane / periodAmount
description contains "RENT 12 ACACIA"            -> 12 Acacia Avenue / periodAmount
description starts with "HUNTERS LETTINGS"       -> 27 Station Road / split: expense professionalFees 12 % of gross incl. VAT, rest income periodAmount
description contains "NATIONWIDE MORTGAGE 4471"  -> 12 Acacia Avenue / split: residentialFinancialCost 412.50, rest leave out
description contains "AVIVA"                     -> Flat 3, Mill Lane / premisesRunningCosts
description contains "BOILERCO" and type is income -> 12 Acacia Avenue / refund of repairsAndMaintenance
description contains "BOILERCO"                  -> 12 Acacia Avenue / repairsAndMaintenance
description contains "COUNTER CREDIT"            -> 12 Acacia Avenue
description contains "SAVINGS"                   -> leave out    # in both directions
# Monzo
description contains "Screwfix"                  -> Flat 3, Mill Lane / repairsAndMaintenance
# Starling
description contains "NORTH LTD"                 -> Web design / turnover
description starts with "AWS"                    -> Web design / adminCosts
description contains "EE Limited"                -> Web design / split: adminCosts 60 % of payment, rest leave out
# Nationwide
description contains "Harbour"                   -> Harbour Cottage / periodAmount
description contains "Roofer"                    -> Harbour Cottage / repairsAndMaintenance
otherwise                                        -> leave out
`;

const MONTHS = [
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((month) => ({ year: 2026, month })),
  ...[1, 2, 3, 4].map((month) => ({ year: 2027, month })),
];
/** The penny that is half of one or more goes up. */
const percentOf = (pence: number, percent: number, of: number) =>
  Math.floor((2 * pence * percent + of) / (2 * of));

/** In the order of the days, within a day as the bank has them. */
export function paymentsOfYear(): Payment[] {
  const payments = MONTHS.flatMap(({ year, month }, index) => {
    const on = (day: number) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
    return [...barclays(on, index), ...monzo(on, index), ...starling(on, index), ...nationwide(on, index)];
  });
  return payments.sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
}

type On = (day: number) => string;

/** One entry of the whole payment; without a category it is for the review queue. */
const whole = (source: string, pence: number, category: string | null): Expected => ({
  ...{ source, category, type: pence > 0 ? 'income' : 'expense', pence: Math.abs(pence) },
});

function barclays(on: On, index: number): Payment[] {
  const pay = (day: number, text: string, pence: number, entries: Expected[]): Payment => ({
    ...{ bank: 'barclays', date: on(day), text, pence, entries },
  });
  const own = (day: number, text: string, pence: number, source: string, category: string | null) =>
    pay(day, text, pence, [whole(source, pence, category)]);
  // The agent's net payment, from which fee and rent follow.
  const net = 96_800 + index * 37;
  const fee = percentOf(net, 12, 88);
  return [
    // Equal rents of two properties on one day.
    own(1, 'A PATEL RENT 12 ACACIA', 95_000, ACACIA, 'periodAmount'),
    own(1, 'J OKAFOR FLAT 3 MILL LANE', 95_000, MILL_LANE, 'periodAmount'),
    // On both sides of the end of a quarter.
    pay(index % 2 === 0 ? 5 : 6, `HUNTERS LETTINGS 0${index}`, net, [
      { source: STATION_ROAD, type: 'expense', category: 'professionalFees', pence: fee },
      { source: STATION_ROAD, type: 'income', category: 'periodAmount', pence: net + fee },
    ]),
    pay(12, 'NATIONWIDE MORTGAGE 4471', -61_250, [
      { source: ACACIA, type: 'expense', category: 'residentialFinancialCost', pence: 41_250 },
    ]),
    ...(index % 3 === 0 ? [own(15, 'AVIVA INSURANCE', -6_500, MILL_LANE, 'premisesRunningCosts')] : []),
    ...(index % 4 === 1
      ? [own(20, `BOILERCO ${700 + index}`, -18_000, ACACIA, 'repairsAndMaintenance')]
      : []),
    ...(index === 6
      ? [
          pay(21, 'BOILERCO REFUND', 4_000, [
            {
              source: ACACIA,
              type: 'income',
              category: null,
              pence: 4_000,
              refundOf: 'repairsAndMaintenance',
            },
          ]),
        ]
      : []),
    ...(index % 5 === 2 ? [own(22, 'COUNTER CREDIT', 1_234, ACACIA, null)] : []),
    pay(25, 'TRANSFER TO SAVINGS', -50_000, []),
    ...(index % 6 === 3 ? [pay(26, 'FROM SAVINGS 42', 30_000, [])] : []),
    own(28, 'MILL LANE MANAGEMENT', -9_500, MILL_LANE, 'premisesRunningCosts'),
  ];
}

function monzo(on: On, index: number): Payment[] {
  const pay = (day: number, text: string, pence: number, entries: Expected[] = []): Payment => ({
    ...{ bank: 'monzo', date: on(day), text, pence, entries },
  });
  return [
    ...[2, 9, 16, 23].map((day) => pay(day, 'Tesco', -(4_000 + index * 11 + day))),
    // Two equal coffees on one day.
    pay(9, 'Coffee House', -320),
    pay(9, 'Coffee House', -320),
    ...(index % 2 === 1
      ? [pay(11, 'Screwfix', -2_349, [whole(MILL_LANE, -2_349, 'repairsAndMaintenance')])]
      : []),
    ...(index % 4 === 3 ? [pay(18, 'Amazon', 1_999)] : []),
  ];
}

function starling(on: On, index: number): Payment[] {
  const pay = (day: number, text: string, pence: number, entries: Expected[]): Payment => ({
    ...{ bank: 'starling', date: on(day), text, pence, entries },
  });
  const invoice = 120_000 + index * 1_501;
  const phone = 2_999;
  return [
    pay(5, 'NORTH LTD', invoice, [whole(WEB_DESIGN, invoice, 'turnover')]),
    pay(6, 'AWS EMEA', -(1_800 + index), [whole(WEB_DESIGN, -(1_800 + index), 'adminCosts')]),
    pay(6, 'EE Limited', -phone, [whole(WEB_DESIGN, -percentOf(phone, 60, 100), 'adminCosts')]),
    pay(19, 'Lunch', -1_050, []),
  ];
}

function nationwide(on: On, index: number): Payment[] {
  const pay = (day: number, text: string, pence: number, entries: Expected[]): Payment => ({
    ...{ bank: 'nationwide', date: on(day), text, pence, entries },
  });
  return [
    pay(3, 'Harbour Cottage rent', 70_001, [whole(HARBOUR, 70_001, 'periodAmount')]),
    ...(index % 3 === 2
      ? [pay(4, 'Roofer', -(12_345 + index), [whole(HARBOUR, -(12_345 + index), 'repairsAndMaintenance')])]
      : []),
    pay(27, 'Groceries', -8_800, []),
  ];
}

export interface ModelFigure {
  pence: number;
  sharePence: number;
}

/** `type category` to the sums of a period, of all sources of a type; `without` has what has no category and is no refund. */
export function figuresOf(payments: readonly Payment[], sourceType: string, from: string, to: string) {
  const lines = new Map<string, ModelFigure>();
  const without = { count: 0, pence: 0 };
  for (const { name, type, sharePercent } of SOURCES) {
    if (type !== sourceType) continue;
    const own = new Map<string, number>();
    const add = (line: string, pence: number) => own.set(line, (own.get(line) ?? 0) + pence);
    for (const { date, entries } of payments) {
      if (date < from || date > to) continue;
      for (const { source, type, category, pence, refundOf } of entries) {
        if (source !== name) continue;
        if (refundOf !== undefined) add(`expense ${refundOf}`, -pence);
        else if (category !== null) add(`${type} ${category}`, pence);
        else {
          without.count++;
          without.pence += pence;
        }
      }
    }
    for (const [line, pence] of own) {
      const before = lines.get(line) ?? { pence: 0, sharePence: 0 };
      const share =
        sharePercent === 100 ? pence : Math.sign(pence) * percentOf(Math.abs(pence), sharePercent, 100);
      lines.set(line, { pence: before.pence + pence, sharePence: before.sharePence + share });
    }
  }
  return { lines, without };
}
