#!/usr/bin/env node
/** `ledger`: the command line of the Bookkeeping Ledger API. */
import { EXIT } from './exit.ts';
import { printError } from './output.ts';
import { runCommand } from './program.ts';

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader of a pipe may stop early, as `head` does. What is left to do is done all the same.
  if (code === 'EPIPE') return;
  printError(process, `Standard output cannot be written: ${message}.`);
  process.exit(EXIT.SERVICE);
});
// Without a reader of notes, there is nobody to tell.
process.stderr.on('error', () => {});

process.exitCode = await runCommand(process.argv.slice(2), process);
