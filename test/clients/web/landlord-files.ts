/** The six files of a landlord for some months, with the entries that they mean: made up, in the shapes that banks, agents and Airbnb export. */
import { workbook } from '../typescript/import/workbook.ts';

export const PROPERTIES = {
  acacia: '12 Acacia Avenue',
  mill: '9 Mill Lane',
  casa: 'Casa Azul',
  studio: 'Studio',
};
type Property = keyof typeof PROPERTIES;

export interface MeantEntry {
  property: string;
  date: string;
  type: 'income' | 'expense';
  pence: number;
  category: string;
  description: string;
}

interface LandlordFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export interface LandlordFiles {
  files: LandlordFile[];
  rates: LandlordFile;
  meant: MeantEntry[];
}

/** Pounds for one unit, in each month. */
const EURO = '0.8612';

/** A month, as `2025-04`, and the numbers that differ between months. */
interface Month {
  month: string;
  index: number;
}

type Means = (
  property: Property,
  date: string,
  type: MeantEntry['type'],
  pence: number,
  category: string,
  description: string,
) => void;

/** @param count from the month of the tax year, 0 for April, on */
export function landlordFiles(year: number, first: number, count: number): LandlordFiles {
  const months = Array.from({ length: count }, (_, at): Month => {
    const index = first + at;
    const days = new Date(Date.UTC(year, 3 + index, 1));
    return { month: days.toISOString().slice(0, 7), index };
  });
  const meant: MeantEntry[] = [];
  const means: Means = (property, date, type, pence, category, description) => {
    meant.push({ property: PROPERTIES[property], date, type, pence, category, description });
  };
  const csv = (name: string, lines: readonly string[]): LandlordFile => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(`${lines.join('\n')}\n`),
  });
  const rows = (rowsOf: (month: Month, means: Means) => string[]) =>
    months.flatMap((month) => rowsOf(month, means));
  const files = [
    csv('cash book.csv', ['Date,Property,Details,Category,In,Out', ...rows(cashBook)]),
    csv('agent.csv', [
      ...['Hunters Lettings,,,,,,,', 'Statement of account,,,,,,,'],
      ...['Date,Property,Tenant,Rent,Management fee,VAT,Repairs,Paid to you', ...rows(agent)],
    ]),
    csv('airbnb.csv', [AIRBNB, ...rows(airbnb)]),
    {
      name: 'studio.xlsx',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(
        workbook([
          sheet('Invoices', ['Date', 'Description', 'Income'], rows(invoices)),
          sheet('Expenses', ['Date', 'Description', 'Expense'], rows(expenses)),
        ]),
      ),
    },
    csv('casa.csv', ['Date,Description,Money in,Money out,Currency', ...rows(casa)]),
    csv('card.csv', ['Date,Text,Amount', ...rows(card)]),
  ];
  const rates = csv('rates.csv', [
    'month,currency,pounds per unit',
    ...months.map(({ month }) => `${month},EUR,${EURO}`),
  ]);
  return { files, rates, meant };
}

const sheet = (name: string, header: string[], rows: readonly string[]) => ({
  name,
  rows: Object.fromEntries([header, ...rows.map((row) => row.split(','))].map((row, at) => [at + 1, row])),
});

const british = (date: string) => date.split('-').reverse().join('/');
const american = (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
const pounds = (pence: number) => (pence / 100).toFixed(2);

function cashBook({ month, index }: Month, means: Means): string[] {
  const [rent, bill] = [`${month}-01`, `${month}-19`];
  means('mill', rent, 'income', 72_500, 'periodAmount', `Rent of flat 2 for ${month}`);
  const lines = [`${british(rent)},9 Mill Lane,Rent of flat 2 for ${month},Rent received,725.00,`];
  if (index % 3 !== 1) return lines;
  means('acacia', bill, 'expense', 4_210 + index, 'premisesRunningCosts', `Buildings cover ${month}`);
  const label = '"Rent, rates, insurance, ground rents"';
  return [
    ...lines,
    `${british(bill)},12 Acacia Avenue,Buildings cover ${month},${label},,${pounds(4_210 + index)}`,
  ];
}

function agent({ month, index }: Month, means: Means): string[] {
  return (['acacia', 'mill'] as const).map((property, at) => {
    const date = `${month}-${13 + at}`;
    const [rent, fee, tenant] = [
      at === 0 ? 102_500 : 89_500,
      at === 0 ? 10_250 : 8_950,
      ['Patel', 'Jones'][at],
    ];
    const repairs = index % 3 === at ? 12_000 + index : 0;
    const vat = fee / 5;
    const description = `${tenant} ${month}`;
    means(property, date, 'income', rent, 'periodAmount', description);
    means(property, date, 'expense', fee, 'professionalFees', description);
    means(property, date, 'expense', vat, 'professionalFees', description);
    if (repairs > 0) means(property, date, 'expense', repairs, 'repairsAndMaintenance', description);
    const amounts = [rent, fee, vat].map(pounds).join(',');
    const net = pounds(rent - fee - vat - repairs);
    return `${british(date)},${PROPERTIES[property]},${description},${amounts},${repairs > 0 ? pounds(repairs) : ''},${net}`;
  });
}

const AIRBNB =
  'Date,Arriving by date,Type,Confirmation code,Booking date,Start date,End date,Nights,Guest,Listing,Details,Reference code,Currency,Amount,Paid out,Service fee,Cleaning fee,Gross earnings,Occupancy taxes,Earnings year';

function airbnb({ month, index }: Month, means: Means): string[] {
  const date = `${month}-22`;
  const [day, year, code] = [american(date), month.slice(0, 4), `HM${month.replace('-', '')}AB`];
  const [gross, fee] = [40_763 + index, 1_223];
  const paid = pounds(gross - fee);
  const description = `Reservation - Seaside loft - ${code} - Ann Example`;
  means('mill', date, 'income', gross, 'periodAmount', description);
  means('mill', date, 'expense', fee, 'professionalFees', description);
  return [
    `${day},${day},Payout,,,,,,,,"Transfer to B HOST, IBAN 0000 (GBP)",G-${index},GBP,,${paid},,,,,`,
    `${day},,Reservation,${code},${day},${day},${day},4,Ann Example,Seaside loft,,,GBP,${paid},,${pounds(fee)},40.00,${pounds(gross)},0.00,${year}`,
  ];
}

function invoices({ month, index }: Month, means: Means): string[] {
  means('studio', `${month}-09`, 'income', 31_000 + index, 'turnover', `Invoice ${100 + index}`);
  return [`${month}-09,Invoice ${100 + index},${pounds(31_000 + index)}`];
}

function expenses({ month, index }: Month, means: Means): string[] {
  means('studio', `${month}-11`, 'expense', 1_999 + index, 'adminCosts', `Printer paper ${month}`);
  return [`${month}-11,Printer paper ${month},${pounds(1_999 + index)}`];
}

function casa({ month, index }: Month, means: Means): string[] {
  const converted = (cents: number) => Math.round(cents * Number(EURO));
  const text = (name: string, cents: number) => `${name} - EUR ${pounds(cents)} at ${EURO} GBP per EUR`;
  const [rent, costs] = [85_000 + index, 6_400];
  means('casa', `${month}-03`, 'income', converted(rent), 'rentIncome', text(`Alquiler ${month}`, rent));
  means('casa', `${month}-27`, 'expense', converted(costs), 'premisesRunningCosts', text('Comunidad', costs));
  return [
    `${british(`${month}-03`)},Alquiler ${month},${pounds(rent)},,EUR`,
    `${british(`${month}-27`)},Comunidad,,64.00,EUR`,
  ];
}

function card({ month, index }: Month, means: Means): string[] {
  means('acacia', `${month}-16`, 'expense', 6_000 + index, 'repairsAndMaintenance', `SCREWFIX ${month}`);
  return [
    `${british(`${month}-16`)},SCREWFIX ${month},${pounds(6_000 + index)}`,
    `${british(`${month}-17`)},TESCO STORES,${pounds(3_500 + index)}`,
    `${british(`${month}-28`)},PAYMENT RECEIVED,-${pounds(9_500 + 2 * index)}`,
  ];
}
