/** Right files: payments that are known, in the layouts that banks and people use. */
import type { ImportOptions } from '../../../../../clients/typescript/import/index.ts';
import type { Random } from '../../../../faults/random.ts';

export interface Payment {
  date: string;
  /** Signed. */
  pence: number;
  description: string;
}

export type Fields = Record<string, string>;

/** A row of the file, by the names of its fields. */
export interface Row {
  fields: Fields;
  /** Undefined: the row is no payment, or nobody can know which. */
  payment: Payment | undefined;
}

export interface ModelFile {
  layout: string;
  format: 'csv' | 'xlsx';
  /** The fields of its columns in order, and their names in the header. */
  columns: { field: string; name: string }[];
  /** Lines before the header. */
  before: string[];
  rows: Row[];
  /** Payments that may be read, and need not be listed otherwise. */
  optional: Payment[];
  options: ImportOptions;
  delimiter: string;
  /** Changes of the text, and of the bytes, before the file is whole. */
  changesOfText: ((text: string) => string)[];
  encode: (text: string) => Uint8Array;
  /** Of a workbook. */
  sheet: {
    hiddenRows: Set<number>;
    isHidden: boolean;
    is1904: boolean;
    euroRows: Set<number>;
    /** By which each date lacks its midnight. */
    momentLacking: number;
  };
}

const PAYEES = [
  'M PATEL RENT FLAT 2',
  'B&Q LEEDS',
  'Café Zoë',
  "O'BRIEN ROOFING",
  'TOTAL ENERGIES',
  'NEW BALANCE STORE',
  'CREDIT CARD PAYMENT',
  'EUR TRAVEL DESK',
  'HALIFAX INSURANCE',
  'REFUND BOILERCO',
];

/** From 5 to 20 payments in order, at least one with a day above 12 and one of each direction. */
export function payments(random: Random): Payment[] {
  const count = random.int(5, 20);
  const days = Array.from({ length: count }, (_, index) => (index === 0 ? 14 : random.int(1, 28))).sort(
    (one, two) => one - two,
  );
  const month = random.int(1, 9);
  return days.map((day, index) => ({
    date: `2026-0${month}-${String(day).padStart(2, '0')}`,
    pence: (index % 3 === 0 ? 1 : -1) * random.int(1, random.pick([1_000, 100_000, 2_000_000])),
    description: `${random.pick(PAYEES)} ${index + 1}`,
  }));
}

export const pounds = (pence: number) =>
  `${pence < 0 ? '-' : ''}${Math.floor(Math.abs(pence) / 100)}.${String(Math.abs(pence) % 100).padStart(2, '0')}`;
const dmy = (date: string, mark = '/') => date.split('-').reverse().join(mark);
const plain = (pence: number) => pounds(Math.abs(pence));

interface Layout {
  format?: ModelFile['format'];
  /** The names of columns are written `field=Name`, apart by bars. */
  columns: string;
  fields: (payment: Payment, balance: number) => Fields;
  before?: string[];
  options?: ImportOptions;
  delimiter?: string;
}

const signed = ({ date, pence, description }: Payment) => ({ date, description, amount: pounds(pence) });
const inAndOut = ({ pence }: Payment, balance: number) => ({
  in: pence > 0 ? plain(pence) : '',
  out: pence < 0 ? plain(pence) : '',
  balance: pounds(balance),
});
const dayFirst = ({ date, description }: Payment) => ({ date: dmy(date), description });
const SIGNED = 'date=Date|description=Description|amount=Amount';

export const LAYOUTS: Record<string, Layout> = {
  'ISO dates and signs': { columns: SIGNED, fields: signed },
  'day first, balance': {
    columns: 'date=Transaction date|description=Details|amount=Amount|balance=Balance',
    fields: (payment, balance) => ({ ...signed(payment), ...dayFirst(payment), balance: pounds(balance) }),
  },
  'money in and out': {
    columns: 'date=Date|description=Payee|in=Money in|out=Money out|balance=Balance',
    fields: (payment, balance) => ({ ...dayFirst(payment), ...inAndOut(payment, balance) }),
  },
  'debit and credit': {
    columns: 'date=Date|description=Description|out=Debit|in=Credit|balance=Balance',
    fields: (payment, balance) => ({
      date: payment.date,
      description: payment.description,
      ...inAndOut(payment, balance),
    }),
  },
  'words for the direction': {
    columns: 'date=Date|description=Description|type=Debit/Credit|amount=Amount',
    fields: (payment) => ({
      ...signed(payment),
      type: payment.pence < 0 ? 'Debit' : 'Credit',
      amount: plain(payment.pence),
    }),
  },
  'a column of kinds, currency and status': {
    columns: 'date=Date|type=Type|description=Description|amount=Amount|currency=Currency|status=Status',
    fields: (payment) => ({
      ...signed(payment),
      currency: 'GBP',
      status: 'Completed',
      type: payment.pence < 0 ? 'Card payment' : 'Faster payment',
    }),
  },
  'semicolons and commas': {
    columns: SIGNED,
    fields: ({ date, pence, description }) => ({
      date: dmy(date, '.'),
      description,
      amount: pounds(pence).replace('.', ','),
    }),
    options: { decimal: ',' },
    delimiter: ';',
  },
  'lines before the header': {
    columns: SIGNED,
    fields: signed,
    before: ['Current account,20-00-00 12345678', 'Printed on 6 May 2026', ''],
  },
  starling: {
    columns:
      'date=Date|description=Counter Party|reference=Reference|type=Type|amount=Amount (GBP)|balance=Balance (GBP)',
    fields: (payment, balance) => ({
      ...signed(payment),
      ...dayFirst(payment),
      balance: pounds(balance),
      reference: '',
      type: 'FASTER PAYMENT',
    }),
  },
  lloyds: {
    columns:
      'date=Transaction Date|type=Transaction Type|sort=Sort Code|account=Account Number|description=Transaction Description|out=Debit Amount|in=Credit Amount|balance=Balance',
    fields: (payment, balance) => ({
      ...dayFirst(payment),
      ...inAndOut(payment, balance),
      type: payment.pence < 0 ? 'DD' : 'FPI',
      sort: "'30-00-00",
      account: '12345678',
    }),
  },
  workbook: { format: 'xlsx', columns: SIGNED, fields: signed },
};

export function rightFile(layout: string, random: Random): ModelFile {
  const {
    format = 'csv',
    columns,
    fields,
    before = [],
    options = {},
    delimiter = ',',
  } = LAYOUTS[layout] as Layout;
  let balance = 100_000;
  const rows = payments(random).map((payment) => {
    balance += payment.pence;
    return { fields: fields(payment, balance), payment };
  });
  return {
    layout,
    format,
    rows,
    before: [...before],
    options: { ...options },
    delimiter,
    columns: columns.split('|').map((column) => {
      const [field = '', name = ''] = column.split('=');
      return { field, name };
    }),
    changesOfText: [],
    optional: [],
    encode: (text) => new TextEncoder().encode(text),
    sheet: { hiddenRows: new Set(), isHidden: false, is1904: false, euroRows: new Set(), momentLacking: 0 },
  };
}
