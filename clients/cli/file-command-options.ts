/** The options that `push` and `reconcile` share. */
import type { Command } from 'commander';
import { FIELDS, FILE_SETTINGS, type FileSetting, UNITS } from '../typescript/import/index.ts';
import type { GlobalOptions } from './connection.ts';
import type { DecideOptions } from './decisions/decide.ts';
import type { NamedOptions } from './file-options.ts';
import type { PreviousOption } from './previous.ts';

export interface FileCommandOptions
  extends GlobalOptions,
    NamedOptions,
    Partial<Record<FileSetting, string>>,
    PreviousOption,
    Omit<DecideOptions, 'sendProbable'> {
  /** The name or the id of a source. */
  source?: string;
  categoryIncome?: string;
  categoryExpense?: string;
  /** The path of a rules file; false with --no-rules. */
  rules?: string | false;
  /** The path of a file of rates. */
  rates?: string;
}

const { format, encoding, dateFormat, decimal, repeated } = FILE_SETTINGS;

const SETTINGS: Record<FileSetting, readonly [flags: string, text: string]> = {
  format: ['--format <format>', `${format.join(', ')}, if the file does not show it`],
  encoding: ['--encoding <name>', `${encoding.join(', ')}, if letters are wrong`],
  bank: ['--bank <bank>', 'the bank, if the header row does not show it'],
  sheet: ['--sheet <name|number>', 'the sheet of a workbook'],
  dateFormat: [
    `--date-format <${dateFormat.join('|')}>`,
    'the order of ambiguous dates such as 03/04/2026; dd/mm/yyyy will do',
  ],
  decimal: [`--decimal <${decimal.join('|')}>`, 'the decimal separator of amounts'],
  repeated: [
    `--repeated <${repeated.join('|')}>`,
    'rows with one reference of the bank: equal ones are one payment, or several',
  ],
  accountLabel: ['--account-label <label>', 'tells bank accounts apart whose files do not name them'],
};

const ONCE: Record<string, string> = {
  '-s, --source <name|id>': 'the source of rows that no rule or column assigns',
  ...Object.fromEntries(Object.values(SETTINGS)),
  '--category-income <key>': 'the category of income without one',
  '--category-expense <key>': 'the category of expenses without one',
  '--rules <file>': 'rules that decide about rows (default: the rules kept by `ledger rules`)',
  '--no-rules': 'without the rules that are kept',
  '--rates <file>':
    'rates for amounts in other currencies: CSV with month or date, currency, pounds per unit',
};

const SEVERAL_TIMES: Record<string, string> = {
  '--map <[file:]field=column,…>': `the columns of the file: ${FIELDS.join(', ')}`,
  '--ignore <[file:]column>': 'a column without payments',
  '--amount <[file:]column[+column…]=in|out[,category[,source]]>':
    'one of several amounts of a row: columns that add up to one entry',
  '--values <[file:]column: value=meaning, …>':
    'the meaning of the values of a column: in, out, skip or keep',
  [`--unit <[file:]${UNITS.join('|')}>`]: 'the unit of the amounts',
  '--rows <[file:]row=meaning,…>':
    'the meaning of a row, or of the rows below a heading: in, out, skip or keep',
  '--account <FILE=NAME>': 'as --account-label, for one of several files',
};

/** The files of a command, the options for reading them, and the options about earlier files and decisions. */
export function addFileCommandOptions(command: Command): Command {
  command.argument('<file...>', 'the files, or - for standard input');
  for (const [flags, text] of Object.entries(ONCE)) command.option(flags, text);
  for (const [flags, text] of Object.entries(SEVERAL_TIMES))
    command.option(flags, `${text}; can be given several times`, collected);
  return command
    .option('--leave-probable', 'take rows that are probably known for the stored entries')
    .option(
      '--decide <file>',
      'what is decided row by row, and the questions that are open: written by the command, answered by you',
    )
    .option(
      '--previous <report>',
      'the --report of the last push or reconciliation: the balances must go on from there',
    );
}

/** Collects the values of an option that can be given several times. */
export const collected = (value: string, before: readonly string[] = []) => [...before, value];
