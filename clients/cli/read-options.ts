/** The options of `push` and `reconcile` for reading a file. */
import type { Command } from 'commander';
import {
  DATE_FORMATS,
  DECIMAL_MARKS,
  ENCODINGS,
  FIELDS,
  FORMATS,
  REPEATED,
  UNITS,
} from '../typescript/import/index.ts';
import type { GlobalOptions } from './connection.ts';
import type { NamedOptions } from './file-options.ts';

export interface ReadOptions extends GlobalOptions, NamedOptions {
  /** A name or an id. */
  source?: string;
  format?: string;
  encoding?: string;
  bank?: string;
  sheet?: string;
  dateFormat?: string;
  decimal?: string;
  repeated?: string;
  categoryIncome?: string;
  categoryExpense?: string;
  /** A file; false with --no-rules. */
  rules?: string | false;
  /** A file. */
  rates?: string;
}

export function addReadOptions(command: Command): Command {
  return command
    .option('--format <format>', `${FORMATS.join(', ')}, if the file does not show it`)
    .option('--encoding <name>', `${ENCODINGS.join(', ')}, if letters are wrong`)
    .option('--bank <bank>', 'the bank, if the header row does not show it')
    .option(
      '--map <[file:]field=column,…>',
      `the columns of the file: ${FIELDS.join(', ')}; can be given for each of several files`,
      collected,
      [],
    )
    .option(
      '--ignore <[file:]column>',
      'a column without payments; can be given several times',
      collected,
      [],
    )
    .option(
      '--amount <[file:]column[+column…]=in|out[,category[,source]]>',
      'one of several amounts of a row: columns that add up to one entry; can be given several times',
      collected,
      [],
    )
    .option(
      '--values <[file:]column: value=meaning, …>',
      'the meaning of the values of a column: in, out, skip or keep; can be given several times',
      collected,
      [],
    )
    .option(`--unit <[file:]${UNITS.join('|')}>`, 'the unit of the amounts', collected, [])
    .option(
      '--rows <[file:]row=meaning,…>',
      'the meaning of a row, or of the rows below a heading: in, out, skip or keep',
      collected,
      [],
    )
    .option('--sheet <name|number>', 'the sheet of a workbook')
    .option(
      `--date-format <${DATE_FORMATS.join('|')}>`,
      'the order of ambiguous dates such as 03/04/2026; dd/mm/yyyy will do',
    )
    .option(`--decimal <${DECIMAL_MARKS.join('|')}>`, 'the decimal separator of amounts')
    .option(
      `--repeated <${REPEATED.join('|')}>`,
      'rows with one reference of the bank: equal ones are one payment, or several',
    )
    .option('--account-label <label>', 'tells bank accounts apart whose files do not name them')
    .option(
      '--account <FILE=NAME>',
      'the same for one of several files; can be given several times',
      collected,
      [],
    )
    .option('--category-income <key>', 'the category of income without one')
    .option('--category-expense <key>', 'the category of expenses without one')
    .option('--rules <file>', 'rules that decide about rows (default: the rules kept by `ledger rules`)')
    .option('--no-rules', 'without the rules that are kept')
    .option(
      '--rates <file>',
      'rates for amounts in other currencies: CSV with month or date, currency, pounds per unit',
    );
}

export const collected = (column: string, before: readonly string[]) => [...before, column];
