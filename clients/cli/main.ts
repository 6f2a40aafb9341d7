#!/usr/bin/env node
/** `ledger`: the command line of the Bookkeeping Ledger API. */
import { EXIT, type ExitCode } from './exit.ts';
import { printError } from './output.ts';
import { runCommand } from './run-command.ts';

let exitCode: ExitCode | undefined;
let unwritten: string | undefined;
/** Output that cannot be written is no failure of a command that has done its work. */
function end(): void {
  if (exitCode === undefined) return;
  const isLost = unwritten !== undefined && exitCode !== EXIT.NO_REPORT;
  if (isLost) printError(process, `Standard output cannot be written: ${unwritten}.`);
  process.exitCode = isLost && exitCode === EXIT.OK ? EXIT.NO_REPORT : exitCode;
}

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader of a pipe may stop early, as `head` does. A command that writes to the service still finishes its work.
  if (code === 'EPIPE' || unwritten !== undefined) return;
  unwritten = message;
  end();
});
// Nobody reads standard error: there is nowhere to report it.
process.stderr.on('error', () => {});

exitCode = await runCommand(process.argv.slice(2), process);
end();
