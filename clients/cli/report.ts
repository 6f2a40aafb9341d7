/** The report of a command that has done its work: without the report, the work stays done. */
import { type OutputOptions, writeWhole } from '../files/whole-file.ts';
import type { GlobalOptions } from './connection.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { printError } from './output.ts';

/** Writes the report, if there is to be one. @returns the exit code of the command */
export async function withReport(
  exitCode: ExitCode,
  { report, io }: Pick<GlobalOptions, 'io'> & { report?: string },
  content: () => string,
  target: OutputOptions,
): Promise<ExitCode> {
  if (report === undefined) return exitCode;
  try {
    await writeWhole(report, [content()], target);
    return exitCode;
  } catch (failure) {
    printError(io, `There is no report: ${(failure as Error).message}`);
    return exitCode === EXIT.OK ? EXIT.NO_REPORT : exitCode;
  }
}
