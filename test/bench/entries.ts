/** Generates entries like those of a bank's export. */
import { CATEGORIES, type Category, type EntryType } from '../../proto/domain.ts';

/** An entry in the format of the API. */
export interface NewEntry {
  date: string;
  type: EntryType;
  amountPence: number;
  category?: string;
  description?: string;
  externalRef: string;
}

export const SOURCE_TYPE = 'uk-property';
const FIRST_DATE = '2024-04-06';
const DAYS = 730;
export const LAST_MONTH = 30;
export const LAST_QUARTER = 91;
const DAY_MS = 86_400_000;
const INCOME_SHARE = 0.3;
// The others go to the review queue.
const CATEGORISED_SHARE = 0.95;
const DESCRIBED_SHARE = 0.9;

export const PAYEES = [
  'Rent received from tenant flat',
  'CARD PAYMENT TO SCREWFIX DIRECT',
  'DIRECT DEBIT AVIVA INSURANCE',
  'Standing order letting agent fee',
  'B&Q LEEDS KIRKSTALL RD ON',
  'FASTER PAYMENT PLUMBER INVOICE',
  'Mortgage interest Nationwide',
  "Tradesman's van, fuel and parking",
];

// From anywhere: a database that is kept has the references of earlier runs.
let references = Math.floor(Math.random() * 500_000_000);

/** `count` new entries in the order of their dates, with new references. @param lastDays their dates are of the last days only */
export function newEntries(count: number, lastDays = DAYS): NewEntry[] {
  const day = () => DAYS - 1 - Math.floor(Math.random() * lastDays);
  const days = Float64Array.from({ length: count }, day).sort();
  return Array.from(days, newEntry);
}

function newEntry(day: number): NewEntry {
  const date = new Date(Date.parse(FIRST_DATE) + day * DAY_MS).toISOString().slice(0, 10);
  const type = Math.random() < INCOME_SHARE ? 'income' : 'expense';
  const number = references++;
  return {
    date,
    type,
    amountPence: 500 + Math.floor(Math.random() * 250_000),
    ...(Math.random() < CATEGORISED_SHARE && { category: pick<Category>(CATEGORIES[SOURCE_TYPE][type]).key }),
    ...(Math.random() < DESCRIBED_SHARE && { description: `${pick(PAYEES)} ${number % 1000}` }),
    externalRef: `bank-${date}-${String(number).padStart(9, '0')}`,
  };
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}
