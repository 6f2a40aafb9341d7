/** The options of `ledger figures`. */
import { type Command, Option } from 'commander';
import type { RulesOptions } from '../../settings/rules.ts';
import type { Quarters } from '../../typescript/figures/periods.ts';
import type { GlobalOptions } from '../connection.ts';
import { forceOption } from '../output-kinds.ts';

export interface FiguresOptions extends GlobalOptions, Pick<RulesOptions, 'rules'> {
  /** The name or the id of a source: the figures are of it alone. */
  source?: string;
  taxYear?: string;
  quarter?: string;
  calendarQuarters?: boolean;
  lastYear?: Quarters;
  /** The path of an earlier document, to compare with. */
  since?: string;
  xlsx?: string;
  force?: boolean;
}

export const addFiguresOptions = (command: Command): Command =>
  command
    .option('-s, --source <name|id>', 'one source (default: all, the sources of a business together)')
    .option('--tax-year <year>', 'such as 2026-27 (default: the current tax year)')
    .option('--quarter <1-4>', 'one quarter and the year up to its end (default: all four and the year)')
    .option('--calendar-quarters', 'quarters from the 1st of April instead of the 6th')
    .addOption(
      new Option(
        '--last-year <quarters>',
        "last year's quarters: after a change the tax year begins on another day",
      ).choices(['standard', 'calendar']),
    )
    .option('--rules <file>', 'rules with refunds, and with the sources whose entries are your share')
    .option('--no-rules', 'without the rules that are kept')
    .option('--since <file>', 'an earlier --json of the tax year: show and explain each change')
    .option(
      '--xlsx <file>',
      'write a workbook too: every entry, and the figures as formulas that add them up',
    )
    .addOption(forceOption());
