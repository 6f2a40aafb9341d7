/** A statement with as many rows and rules as wanted, and the entries that the rules make of it. */
import { random } from '../../faults/random.ts';
import { type BankFile, nationwide } from './bank-files.ts';
import { ACACIA, MILL_LANE, STATION_ROAD, WEB_DESIGN } from './landlord.ts';
import { type Expected, type Payment, percentOf } from './year-model.ts';

interface Kind {
  sign: 1 | -1;
  /** The rule for a payee. */
  rule(payee: string): string;
  /** What a payment of so many pence, without its sign, becomes. */
  entries(pence: number): [source: string, type: Expected['type'], category: string | null, pence: number][];
}

const KINDS: Kind[] = [
  {
    sign: 1,
    rule: (payee) => `description contains "${payee}" -> ${ACACIA} / periodAmount`,
    entries: (pence) => [[ACACIA, 'income', 'periodAmount', pence]],
  },
  {
    sign: -1,
    rule: (payee) => `description ends with "${payee}" -> ${MILL_LANE} / premisesRunningCosts`,
    entries: (pence) => [[MILL_LANE, 'expense', 'premisesRunningCosts', pence]],
  },
  {
    sign: 1,
    rule: (payee) =>
      `description contains "${payee}" -> ${STATION_ROAD} / split: expense professionalFees 12 % of gross, rest periodAmount`,
    entries: (pence) => {
      const fee = percentOf(pence, 12, 88);
      return [
        [STATION_ROAD, 'expense', 'professionalFees', fee],
        [STATION_ROAD, 'income', 'periodAmount', pence + fee],
      ];
    },
  },
  {
    sign: -1,
    rule: (payee) =>
      `description contains "${payee}" -> ${ACACIA} / split: residentialFinancialCost 4.12, rest leave out`,
    entries: () => [[ACACIA, 'expense', 'residentialFinancialCost', 412]],
  },
  {
    sign: -1,
    rule: (payee) => `description contains "${payee}" -> leave out`,
    entries: () => [],
  },
  {
    sign: 1,
    rule: (payee) =>
      `description contains "${payee}" and type is income -> ${ACACIA} / refund of repairsAndMaintenance`,
    entries: (pence) => [[ACACIA, 'income', null, pence]],
  },
  {
    sign: -1,
    rule: (payee) => `description contains "${payee}" and amount over 9.99 -> ${WEB_DESIGN} / adminCosts`,
    entries: (pence) => [[WEB_DESIGN, 'expense', 'adminCosts', pence]],
  },
  {
    sign: -1,
    rule: (payee) =>
      `description contains "${payee}" -> ${WEB_DESIGN} / split: adminCosts 45 % of payment, rest costOfGoods`,
    entries: (pence) => {
      const part = percentOf(pence, 45, 100);
      return [
        [WEB_DESIGN, 'expense', 'adminCosts', part],
        [WEB_DESIGN, 'expense', 'costOfGoods', pence - part],
      ];
    },
  },
];

/** Of 14 months from March 2026, with at least two rules. A fifth of the rows matches the last rule alone, which leaves them out. */
export function manyRows(rowCount: number, ruleCount: number, seed: number | string = 1) {
  const chance = random(seed);
  const payeeOf = (number: number) => `PAYEE ${String(number).padStart(4, '0')}`;
  const kindOf = (number: number) => KINDS[number % KINDS.length] as Kind;
  const numbers = [...Array(ruleCount - 1).keys()];
  const payments = [...Array(rowCount).keys()].map((row): Payment => {
    const day = new Date(Date.UTC(2026, 2, 1) + Math.floor((row * 425) / rowCount) * 86_400_000);
    const [date, pence] = [day.toISOString().slice(0, 10), chance.int(1_000, 250_000)];
    const common = { bank: 'nationwide', date, reference: '' } as const;
    if (chance.chance(0.2)) return { ...common, text: `SHOP ${row % 500}`, pence: -pence, entries: [] };
    const number = chance.pick(numbers);
    const { sign, entries } = kindOf(number);
    const expected = entries(pence).map(
      ([source, type, category, pence]): Expected => ({ source, type, category, pence }),
    );
    return { ...common, text: payeeOf(number), pence: sign * pence, entries: expected };
  });
  const rules = [...numbers.map((number) => kindOf(number).rule(payeeOf(number))), 'otherwise -> leave out'];
  const file: BankFile = nationwide(payments);
  return { payments, rules: rules.join('\n'), file };
}
