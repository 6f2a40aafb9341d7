/** The file of rates: the pounds of a unit of each currency, or its units per pound, by month or by day. docs/importing.md describes it. */
import { isDay } from '../../days.ts';
import { headerKey, type TableRow } from '../files/cells.ts';
import { readCsv } from '../files/csv.ts';
import { ImportError } from '../import-error.ts';
import { type Rate, rateText } from '../values/conversion.ts';

/** Finds the rate of a day, else of its month. */
type RateOf = (currency: string, date: string) => Rate | undefined;

const DATE_COLUMNS = ['month', 'date'];
const CURRENCY = ['currency', 'currencycode'];
const PER: Record<string, Rate['per']> = {
  poundsperunit: 'unit',
  poundperunit: 'unit',
  gbpperunit: 'unit',
  unitsperpound: 'pound',
  currencyunitsperpound: 'pound',
  unitspergbp: 'pound',
};
const RATE_COLUMNS = '"month" or "date", "currency", and "pounds per unit" or "units per pound"';

/** @throws ImportError `invalid_rates` that names the line */
export function readRates(text: string): RateOf {
  const [header, ...rows] = rowsOfRates(text);
  const columns = rateColumns(header);
  const rates = new Map<string, { rate: Rate; line: number }>();
  for (const { row: line, cells, problem } of rows) {
    if (problem !== undefined) throw invalidRates(`Line ${line} of the rates cannot be read: ${problem}`);
    const [when = '', currency = '', text = ''] = columns.indexes.map((index) => cells[index] ?? '');
    const code = currency.toUpperCase();
    const rate = rateText(text);
    if (!isMonth(when) && !isDay(when)) {
      throw invalidRates(
        `Line ${line} of the rates has "${when}"; write a month as 2026-04 and a day as 2026-04-06.`,
      );
    }
    if (!/^[A-Z]{3}$/.test(code) || code === 'GBP') {
      throw invalidRates(
        `Line ${line} of the rates has "${currency}"; write the code of a currency, such as EUR.`,
      );
    }
    if (rate === undefined) {
      throw invalidRates(
        `Line ${line} of the rates has "${text}"; write a number above 0 with a point, of at most 9 digits before and 12 after it, such as 0.8612.`,
      );
    }
    const key = `${code} ${when}`;
    const before = rates.get(key);
    if (before)
      throw invalidRates(`Lines ${before.line} and ${line} of the rates are both of ${key}; keep one.`);
    rates.set(key, { rate: { text: rate, per: columns.per }, line });
  }
  if (rates.size === 0) throw invalidRates('The rates have no line below their header.');
  return (currency, date) =>
    (rates.get(`${currency} ${date}`) ?? rates.get(`${currency} ${date.slice(0, 'YYYY-MM'.length)}`))?.rate;
}

function rowsOfRates(text: string): TableRow[] {
  try {
    return readCsv(
      text.replace(/^\ufeff/, ''),
      ([first]) => first?.cells.map(columnKey).includes('currency') ?? false,
    );
  } catch (error) {
    throw invalidRates(`The rates cannot be read: ${(error as Error).message}`);
  }
}

const isMonth = (text: string) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

const columnKey = (name: string) => headerKey(name.replace(/£1?(?!\d)/, 'pound'));

/** The columns of the day or month, the currency and the rate. The header must state the direction of the rate. */
function rateColumns(header: TableRow | undefined): { indexes: number[]; per: Rate['per'] } {
  const keys = header?.cells.map(columnKey) ?? [];
  const indexes = [DATE_COLUMNS, CURRENCY, Object.keys(PER)].map((names) =>
    keys.findIndex((key) => names.includes(key)),
  );
  const other = header?.cells.find((name, index) => name !== '' && !indexes.includes(index));
  if (indexes.includes(-1) || other !== undefined) {
    const found = other === undefined ? 'lack a column' : `have the column "${other.slice(0, 60)}"`;
    throw invalidRates(`The rates ${found}: their columns are ${RATE_COLUMNS}.`);
  }
  return { indexes, per: PER[keys[indexes[2] as number] as string] as Rate['per'] };
}

const invalidRates = (message: string) => new ImportError('invalid_rates', message, 'rates');
