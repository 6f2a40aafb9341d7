/** A push before it reads its files: the service, the files that it writes, the answers so far, and the right to write. */

import { type OutputOptions, requireWritable } from '../../files/whole-file.ts';
import type { Ledger } from '../../typescript/index.ts';
import { connect } from '../connection.ts';
import { readDecisions } from '../decisions/decide.ts';
import { CliError, EXIT, usageError } from '../exit.ts';
import { createOutput, type Output } from '../output.ts';
import { PUSH_REPORT } from '../output-kinds.ts';
import { readPrevious } from '../previous.ts';
import { inputsOf } from '../read-files.ts';
import type { PushCommandOptions } from './push-options.ts';

export interface PushSetup {
  names: readonly string[];
  options: PushCommandOptions;
  output: Output;
  /** The service. Undefined with --offline. */
  ledger: Ledger | undefined;
  reportTarget: OutputOptions;
  previous: Awaited<ReturnType<typeof readPrevious>>;
  /** Of `--decide` and of the options about probable rows. */
  answers: Awaited<ReturnType<typeof readDecisions>>;
}

/** @throws CliError, UserError */
export async function setUpPush(names: readonly string[], options: PushCommandOptions): Promise<PushSetup> {
  if (options.offline && !options.dryRun) {
    throw usageError('--offline goes with --dry-run: a push needs the service.');
  }
  if (options.offline && options.report !== undefined) {
    throw usageError('--report needs the books: leave out --offline.');
  }
  const output = createOutput(options);
  const ledger = options.offline ? undefined : connect(options).ledger;
  const reportTarget = requireOutputs(names, options);
  const previous = await readPrevious(options);
  const answers = await readDecisions(options);
  if (ledger && !options.dryRun) await requireWritingKey(ledger);
  return { names, options, output, ledger, reportTarget, previous, answers };
}

/** Checks the files to write before any other step. @returns how to write the report. @throws CliError */
function requireOutputs(names: readonly string[], options: PushCommandOptions): OutputOptions {
  const inputs = inputsOf(names, options);
  const reportTarget = { inputs, kind: PUSH_REPORT, force: options.force };
  if (options.report !== undefined) requireWritable(options.report, reportTarget);
  if (options.decide !== undefined) requireWritable(options.decide, { inputs });
  return reportTarget;
}

/** @throws CliError if the key of the profile reads only */
async function requireWritingKey(ledger: Ledger): Promise<void> {
  const { capabilities } = await ledger.me();
  if (capabilities.writeBookkeeping) return;
  throw new CliError(
    EXIT.SERVICE,
    'Nothing was sent: this API key reads only. Log in with a key that can write, or add --dry-run to compare the file with the books.',
    'read_only_key',
  );
}
