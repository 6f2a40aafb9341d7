/** Runs one command of `ledger`. A fault becomes a sentence and an exit code. */
import { CommanderError } from 'commander';
import type { Io } from '../settings/io.ts';
import { asCliError, EXIT, type ExitCode } from './exit.ts';
import { printDocument, printError } from './output.ts';
import { createProgram } from './program.ts';

/** Returns the exit code. Several commands may run in one process. */
export async function runCommand(args: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.OK;
  const program = createProgram(args, io, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0;
    return isHelp ? EXIT.OK : printFailure(error, args.includes('--json'), io);
  }
}

/** One sentence, never a stack trace; in JSON mode also the one document, unless the command has printed it. */
function printFailure(error: unknown, isJson: boolean, io: Io): ExitCode {
  const { exitCode, code, message, details, facts } = asCliError(error);
  printError(io, message, details);
  if (isJson && code !== 'reported') printDocument(io, { error: { code, message, ...facts } });
  return exitCode;
}
