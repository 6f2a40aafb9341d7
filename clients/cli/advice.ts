/** Names the option of the command that settles a problem of a file. The reader's messages name none. */
import type { ImportError, ImportOptionName, ImportResult, InvalidRow } from '../typescript/import/index.ts';

const RATES = '--rates FILE takes a CSV with month or date, currency, and pounds per unit.';
const ADVICE: Partial<Record<ImportOptionName, string>> = {
  format: '--format sets it.',
  sheet: '--sheet takes the name or the number of a sheet.',
  bank: '--bank takes the name of a bank; without it, the columns are found by their names.',
  ignore: '--ignore takes the name or the number of a column.',
  map: '--map date=…,amount=… names the columns.',
  amounts: '--amount "Fee+VAT=out,CATEGORY,SOURCE" names the columns of one amount of a row.',
  dateFormat: '--date-format dmy or --date-format mdy settles it.',
  decimal: '--decimal takes a point or a comma.',
  encoding: '--encoding sets it.',
  rates: RATES,
  categoryIncome: '--category-income takes a key or a label.',
  categoryExpense: '--category-expense takes a key or a label.',
};
const NO_HEADER =
  '--map date=…,amount=… names them; in a file without a header row, --map date=1,description=2,amount=3 names them by number, and --bank hsbc reads an export of HSBC.';

/** The message of a problem, with the option of the command that settles it. */
export function messageWithAdvice({ code, option, message }: ImportError): string {
  if (code === 'unresolved_columns') return message;
  const advice = code === 'no_header' && option === 'map' ? NO_HEADER : option && ADVICE[option];
  return advice === undefined ? message : `${message} ${advice}`;
}

/** The result with advice in the messages of its invalid rows. */
export function withAdvice(result: ImportResult): ImportResult {
  const { decimal } = result.recognised;
  return {
    ...result,
    invalid: result.invalid.map((problem) => {
      const advice = rowAdvice(problem, decimal);
      return advice === undefined ? problem : { ...problem, message: `${problem.message} ${advice}` };
    }),
  };
}

function rowAdvice({ option, column, field }: InvalidRow, decimal: string): string | undefined {
  switch (option) {
    case 'decimal':
      return `--decimal ${decimal === '.' ? ',' : '.'} reads the other decimal mark.`;
    case 'dateFormat':
      return '--date-format names another order.';
    case 'rates':
      return RATES;
    case 'repeated':
      return '--repeated same leaves equal rows out, and --repeated another keeps all.';
    case 'ignore':
      return `--ignore ${JSON.stringify(column)} leaves the column out.`;
    case 'amounts':
      return '--amount names the category and the source of an amount.';
    case 'map':
      return `--map ${field}= leaves the column out.`;
    default:
      return undefined;
  }
}
