/** The statements of the made-up year as two banks would export them. */
import type { Bank, Payment } from './year-model.ts';

interface Line {
  text: string;
  /** undefined: the header. */
  payment?: Payment;
}

interface BankFile {
  name: string;
  lines: Line[];
}

export const textOf = ({ lines }: BankFile) => lines.map(({ text }) => `${text}\r\n`).join('');

/** Signed pence, before the first payment. */
const OPENING = 250_000;

/** Barclays in five files that overlap by whole days and have no balances, Starling in one. */
export function bankFiles(payments: readonly Payment[]): BankFile[] {
  const of = (bank: Bank) => payments.filter((payment) => payment.bank === bank);
  const quarters = [
    ['2025-03-01', '2025-06-30'],
    ['2025-06-25', '2025-09-30'],
    ['2025-09-25', '2025-12-31'],
    ['2025-12-25', '2026-03-31'],
    ['2026-03-25', '2026-04-30'],
  ] as const;
  return [
    ...quarters.map(([from, to], index) => {
      const days = of('barclays').filter(({ date }) => date >= from && date <= to);
      return barclays(`barclays-${index + 1}.csv`, days);
    }),
    starling(of('starling')),
  ];
}

const pounds = (pence: number) => `${pence < 0 ? '-' : ''}${(Math.abs(pence) / 100).toFixed(2)}`;
const withSlashes = (date: string) => date.split('-').reverse().join('/');

/** The newest first. */
function barclays(name: string, payments: readonly Payment[]): BankFile {
  const lines = payments.map((payment): Line => {
    const { date, text, reference, pence } = payment;
    const memo = `${text.padEnd(20)}\t${reference.padEnd(18)} ${pence > 0 ? 'BGC' : 'DDR'}`;
    const kind = pence > 0 ? 'DIRECTDEP' : 'DIRECTDEBIT';
    return { text: `\t ,${withSlashes(date)},20-00-00 12345678,${pounds(pence)},${kind},${memo}`, payment };
  });
  const header: Line = { text: 'Number,Date,Account,Amount,Subcategory,Memo' };
  return { name, lines: [header, ...lines.toReversed()] };
}

/** The oldest first, with a balance after each. */
function starling(payments: readonly Payment[]): BankFile {
  let balance = OPENING;
  const lines = payments.map((payment): Line => {
    const { date, text, reference, pence } = payment;
    balance += pence;
    const cells = [withSlashes(date), text, reference, 'FASTER PAYMENT', pounds(pence), pounds(balance)];
    return { text: `${cells},NONE,`, payment };
  });
  const header = 'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes';
  return { name: 'starling.csv', lines: [{ text: header }, ...lines] };
}
