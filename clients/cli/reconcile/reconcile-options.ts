/** The options of `ledger reconcile`. */
import type { Command } from 'commander';
import { addFileCommandOptions, type FileCommandOptions } from '../file-command-options.ts';
import { forceOption } from '../output-kinds.ts';

export interface ReconcileOptions extends FileCommandOptions {
  corrections?: string;
  /** The path of a folder of receipts. */
  receipts?: string;
  /** Expenses up to this amount need no receipt, in pounds. */
  receiptsAbove?: string;
  report?: string;
  force?: boolean;
}

export const addReconcileOptions = (command: Command): Command =>
  addFileCommandOptions(command)
    .option('--corrections <file>', 'write what to change in the app, as CSV or XLSX')
    .option(
      '--receipts <folder>',
      'files that are named after the id or reference of their entry; none is sent',
    )
    .option(
      '--receipts-above <pounds>',
      'with --receipts: list only expenses above this amount (default: all)',
    )
    .option(
      '--report <file>',
      'write the reconciliation as JSON; the same files, rules and books give the same bytes',
    )
    .addOption(forceOption());
