/** The options of a command that reads the entries of a source. */
import type { Command } from 'commander';
import type { Period } from '../typescript/days.ts';
import type { GlobalOptions } from './connection.ts';

export interface EntriesOptions extends GlobalOptions, Period {
  source: string;
}

export const addEntriesOptions = (command: Command): Command =>
  command
    .requiredOption('-s, --source <name|id>', 'the source of the entries')
    .option('--from <date>', 'first date, YYYY-MM-DD')
    .option('--to <date>', 'last date, YYYY-MM-DD');
