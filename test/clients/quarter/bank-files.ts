/** The statements of the made-up year as four banks would export them. */
import type { Bank, Payment } from './year-model.ts';

export interface Line {
  text: string;
  /** undefined: a heading, or a row that is no payment. */
  payment?: Payment;
}

export interface BankFile {
  name: string;
  bank: Bank;
  hasBalances: boolean;
  encoding: 'utf8' | 'latin1';
  /** The row of a line in reports is its index plus one. */
  lines: Line[];
}

export const textOf = ({ lines }: Pick<BankFile, 'lines'>) => lines.map(({ text }) => `${text}\r\n`).join('');

/** Signed pence, before the first payment. Barclays and Monzo export no balances. */
export const OPENING = { starling: 250_000, nationwide: 1_000_000 };

/** Barclays in five files that overlap by whole days, the others in one each. */
export function bankFiles(payments: readonly Payment[]): BankFile[] {
  const of = (bank: Bank) => payments.filter((payment) => payment.bank === bank);
  const quarters = [
    ['2026-03-01', '2026-06-30'],
    ['2026-06-25', '2026-09-30'],
    ['2026-09-25', '2026-12-31'],
    ['2026-12-25', '2027-03-31'],
    ['2027-03-25', '2027-04-30'],
  ] as const;
  return [
    ...quarters.map(([from, to], index) =>
      barclays(
        `barclays-${index + 1}.csv`,
        of('barclays').filter(({ date }) => date >= from && date <= to),
      ),
    ),
    monzo(of('monzo')),
    starling(of('starling')),
    nationwide(of('nationwide')),
  ];
}

const pounds = (pence: number) => `${pence < 0 ? '-' : ''}${(Math.abs(pence) / 100).toFixed(2)}`;
const withSlashes = (date: string) => date.split('-').reverse().join('/');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const withMonth = (date: string) => {
  const [year, month, day] = date.split('-');
  return `${day} ${MONTHS[Number(month) - 1]} ${year}`;
};
const quoted = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Each payment with the balance after it. */
function withBalances(payments: readonly Payment[], opening: number) {
  let balance = opening;
  return payments.map((payment) => {
    balance += payment.pence;
    return { payment, balance };
  });
}

/** The newest first. */
function barclays(name: string, payments: readonly Payment[]): BankFile {
  const lines = payments.map((payment): Line => {
    const { date, text, reference, pence } = payment;
    const memo = `${text.padEnd(20)}\t${reference.padEnd(18)} ${pence > 0 ? 'BGC' : 'DDR'}`;
    const kind = pence > 0 ? 'DIRECTDEP' : 'DIRECTDEBIT';
    return { text: `\t ,${withSlashes(date)},20-00-00 12345678,${pounds(pence)},${kind},${memo}`, payment };
  });
  const header: Line = { text: 'Number,Date,Account,Amount,Subcategory,Memo' };
  return {
    ...{ name, bank: 'barclays', hasBalances: false, encoding: 'utf8' },
    lines: [header, ...lines.toReversed()],
  };
}

/** The oldest first, with ids. */
function monzo(payments: readonly Payment[]): BankFile {
  const line = (
    id: number,
    kind: string,
    { date, text, reference, pence }: Omit<Payment, 'bank' | 'entries'>,
  ) => {
    const amount = pounds(pence);
    const cells = [
      `tx_0000${String(id).padStart(6, '0')}`,
      withSlashes(date),
      '09:00:00',
      kind,
      quoted(text),
    ];
    const description = quoted(`${text.toUpperCase()} LEEDS GBR`);
    cells.push('', 'General', amount, 'GBP', amount, 'GBP', reference, '', '', description, '');
    return [...cells, ...(pence < 0 ? [amount, ''] : ['', amount])].join(',');
  };
  const header =
    'Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In';
  const check = { date: '2026-03-01', text: 'Active card check', reference: '', pence: 0 };
  return {
    ...{ name: 'monzo.csv', bank: 'monzo', hasBalances: false, encoding: 'utf8' },
    lines: [
      { text: header },
      { text: line(0, 'Card payment', check) },
      ...payments.map((payment, index) => ({
        text: line(index + 1, payment.pence < 0 ? 'Card payment' : 'Faster payment', payment),
        payment,
      })),
    ],
  };
}

/** The oldest first, with a balance after each. */
function starling(payments: readonly Payment[]): BankFile {
  const lines = withBalances(payments, OPENING.starling).map(({ payment, balance }): Line => {
    const { date, text, reference, pence } = payment;
    const cells = [
      withSlashes(date),
      text,
      reference,
      'FASTER PAYMENT',
      pounds(pence),
      pounds(balance),
      'NONE',
      '',
    ];
    return { text: cells.join(','), payment };
  });
  const header: Line = {
    text: 'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes',
  };
  return {
    ...{ name: 'starling.csv', bank: 'starling', hasBalances: true, encoding: 'utf8' },
    lines: [header, ...lines],
  };
}

/** The newest first, in two columns, with a balance after each, below the name of the account; in Windows-1252. */
export function nationwide(payments: readonly Payment[]): BankFile {
  const all = withBalances(payments, OPENING.nationwide);
  const lines = all.map(({ payment, balance }): Line => {
    const { date, text, reference, pence } = payment;
    const [kind, out, into] =
      pence < 0 ? ['Visa purchase', `£${pounds(-pence)}`, ''] : ['Bank credit', '', `£${pounds(pence)}`];
    const cells = [withMonth(date), kind, `${text} ${reference}`.trim(), out, into, `£${pounds(balance)}`];
    return { text: cells.map((cell) => `"${cell}"`).join(','), payment };
  });
  const closing = `£${pounds(all.at(-1)?.balance ?? OPENING.nationwide)}`;
  const before = [
    '"Account Name:","FlexAccount ****45678"',
    `"Account Balance:","${closing}"`,
    `"Available Balance: ","${closing}"`,
    '',
    '"Date","Transaction type","Description","Paid out","Paid in","Balance"',
  ];
  return {
    ...{ name: 'nationwide.csv', bank: 'nationwide', hasBalances: true, encoding: 'latin1' },
    lines: [...before.map((text) => ({ text })), ...lines.toReversed()],
  };
}
