/** The options of `ledger push`. */
import { type Command, Option } from 'commander';
import type { DecideOptions } from '../decisions/decide.ts';
import { addFileCommandOptions, collected, type FileCommandOptions } from '../file-command-options.ts';
import { forceOption } from '../output-kinds.ts';
import { capTimeoutOption } from '../waits.ts';

export interface PushCommandOptions extends FileCommandOptions, DecideOptions {
  yes?: boolean;
  dryRun?: boolean;
  /** Shows every row of the preview instead of counts and examples. */
  verbose?: boolean;
  offline?: boolean;
  anotherSource?: boolean;
  suggest?: boolean;
  /** Keeps the answers about columns with the rules, without a question. */
  keep?: boolean;
  skipInvalid?: boolean;
  /** Unlikely dates that the user confirmed. */
  allowDate?: string[];
  /** Whether it waits at the daily cap. False with --no-wait. */
  wait: boolean;
  /** The longest time of all waits at the daily cap, in ms. */
  capTimeout?: number;
  report?: string;
  force?: boolean;
  /** The arguments of the command line, to print the command again. */
  args: readonly string[];
}

export const addPushOptions = (command: Command): Command =>
  addFileCommandOptions(command)
    .option('-y, --yes', 'send without asking')
    .option('--dry-run', 'read the file and the books, send nothing')
    .option('--verbose', 'show each row of the preview that is counted otherwise')
    .option('--offline', 'with --dry-run: read the file alone, without the service')
    .option('--another-source', 'send the file although its rows are in another source')
    .option('--suggest', 'apply the rules that the books suggest to rows that nothing decides about')
    .addOption(new Option('--send-probable', 'send rows that are probably known').conflicts('leaveProbable'))
    .option('--keep', 'keep the columns as chosen with the rules, for later files of the kind')
    .option('--skip-invalid', 'send the valid rows even if others are invalid')
    .option(
      '--allow-date <YYYY-MM-DD>',
      'with --yes: an unlikely date that is right; can be given several times',
      collected,
    )
    .option('--no-wait', 'stop at the daily cap instead of waiting')
    .addOption(capTimeoutOption())
    .option('--report <file>', 'write a CSV file with the outcome of each row')
    .addOption(forceOption());
