#!/usr/bin/env node
/** `ledger`: the command line of the Bookkeeping Ledger API. */
import { EXIT } from './exit.ts';
import { printError } from './output.ts';
import { runCommand } from './program.ts';

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader of a pipe may stop early, as `head` does. The command still finishes its work.
  if (code === 'EPIPE') return;
  printError(process, `Standard output cannot be written: ${message}.`);
  process.exit(EXIT.SERVICE);
});
// Nobody reads standard error: there is nowhere to report it.
process.stderr.on('error', () => {});

process.exitCode = await runCommand(process.argv.slice(2), process);
