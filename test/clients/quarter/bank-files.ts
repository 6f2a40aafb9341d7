/** The statements of the model as four banks would export them. */
import type { Bank, Payment } from './year-model.ts';

export interface BankFile {
  name: string;
  text: string;
  /** The payment of each line of the text; undefined for the others. */
  payments: (Payment | undefined)[];
}

const pounds = (pence: number) => `${pence < 0 ? '-' : ''}${(Math.abs(pence) / 100).toFixed(2)}`;
const withSlashes = (date: string) => date.split('-').reverse().join('/');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const withMonth = (date: string) => {
  const [year, month, day] = date.split('-');
  return `${day} ${MONTHS[Number(month) - 1]} ${year}`;
};

type Line = [text: string, payment: Payment | undefined];
const fileOf = (name: string, lines: Line[]): BankFile => ({
  name,
  text: `${lines.map(([text]) => text).join('\r\n')}\r\n`,
  payments: lines.map(([, payment]) => payment),
});

/** Barclays in two files that overlap by whole days, the others in one each. */
export function bankFiles(payments: readonly Payment[]): BankFile[] {
  const of = (bank: Bank) => payments.filter((payment) => payment.bank === bank);
  const all = of('barclays');
  return [
    barclays(
      'barclays-1.csv',
      all.filter(({ date }) => date <= '2026-10-12'),
    ),
    barclays(
      'barclays-2.csv',
      all.filter(({ date }) => date >= '2026-10-01'),
    ),
    monzo('monzo.csv', of('monzo')),
    starling('starling.csv', of('starling')),
    nationwide('nationwide.csv', of('nationwide')),
  ];
}

/** The newest first, without balances. */
function barclays(name: string, payments: readonly Payment[]): BankFile {
  const lines = payments.toReversed().map((payment): Line => {
    const { date, text, pence } = payment;
    return [
      `\t ,${withSlashes(date)},20-00-00 12345678,${pounds(pence)},${pence > 0 ? 'FT' : 'DD'},${text}`,
      payment,
    ];
  });
  return fileOf(name, [['Number,Date,Account,Amount,Subcategory,Memo', undefined], ...lines]);
}

/** The oldest first, with ids. */
function monzo(name: string, payments: readonly Payment[]): BankFile {
  const header =
    'Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In';
  const lines = payments.map((payment, index): Line => {
    const { date, text, pence } = payment;
    const amount = pounds(pence);
    const columns = pence < 0 ? `${amount},` : `,${amount}`;
    const id = `tx_${String(index).padStart(8, '0')}`;
    return [
      `${id},${withSlashes(date)},09:00:00,Card payment,${text},,General,${amount},GBP,${amount},GBP,,,,${text.toUpperCase()},,${columns}`,
      payment,
    ];
  });
  return fileOf(name, [[header, undefined], ...lines]);
}

/** The oldest first, with a balance after each. */
function starling(name: string, payments: readonly Payment[]): BankFile {
  let balance = 250_000;
  const lines = payments.map((payment): Line => {
    const { date, text, pence } = payment;
    balance += pence;
    return [
      `${withSlashes(date)},${text},REF,FASTER PAYMENT,${pounds(pence)},${pounds(balance)},NONE,`,
      payment,
    ];
  });
  return fileOf(name, [
    ['Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes', undefined],
    ...lines,
  ]);
}

/** The newest first, in two columns, with a balance after each, below the name of the account. */
function nationwide(name: string, payments: readonly Payment[]): BankFile {
  let balance = 1_000_000;
  const lines = payments.map((payment): Line => {
    const { date, text, pence } = payment;
    balance += pence;
    const [out, into] = pence < 0 ? [`£${pounds(-pence)}`, ''] : ['', `£${pounds(pence)}`];
    const cells = [withMonth(date), 'Bank credit', text, out, into, `£${pounds(balance)}`];
    return [cells.map((cell) => `"${cell}"`).join(','), payment];
  });
  return fileOf(name, [
    ['"Account Name:","FlexAccount ****45678"', undefined],
    [`"Account Balance:","£${pounds(balance)}"`, undefined],
    [`"Available Balance: ","£${pounds(balance)}"`, undefined],
    ['', undefined],
    ['"Date","Transaction type","Description","Paid out","Paid in","Balance"', undefined],
    ...lines.toReversed(),
  ]);
}
