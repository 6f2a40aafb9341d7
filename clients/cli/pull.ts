/** `ledger pull`: the entries of a source as a file. */

import { once } from 'node:events';
import { extname } from 'node:path';
import type { Command } from 'commander';
import { printable } from '../../platform/terminal.ts';
import { requireWritable, writeWhole } from '../files/whole-file.ts';
import { profilesFile } from '../settings/profiles.ts';
import { sourceIn } from '../settings/sources.ts';
import { counted } from '../typescript/counted.ts';
import { connect } from './connection.ts';
import { addEntriesOptions, type EntriesOptions } from './entries-options.ts';
import { CliError, EXIT, usageError } from './exit.ts';
import { type ExportFormat, exported } from './export.ts';
import { ENTRIES, forceOption } from './output-kinds.ts';

interface PullOptions extends EntriesOptions {
  output?: string;
  force?: boolean;
}

export const addPullOptions = (command: Command): Command =>
  addEntriesOptions(command)
    .option('-o, --output <file>', 'a .csv, .xlsx, .json or .ndjson file (default: CSV on standard output)')
    .addOption(forceOption());

function formatOf(file: string | undefined): ExportFormat {
  const extension = file === undefined ? '.csv' : extname(file).toLowerCase();
  if (!Object.hasOwn(ENTRIES, extension)) {
    throw usageError(`${file} must end in ${Object.keys(ENTRIES).join(' or ')}.`);
  }
  return extension.slice(1) as ExportFormat;
}

/** Writes to a file, or to standard output. */
export async function pull({
  source: nameOrId,
  from,
  to,
  output: file,
  ...options
}: PullOptions): Promise<void> {
  const format = options.json && file === undefined ? 'json' : formatOf(file);
  const { ledger, output } = connect(options);
  const target = { inputs: [profilesFile(options)], kind: ENTRIES, force: options.force };
  if (file !== undefined) requireWritable(file, target);
  const source = sourceIn(await ledger.sources(), nameOrId);
  let entries = 0;
  async function* transactions() {
    for await (const transaction of ledger.transactions(source.id, { from, to })) {
      entries++;
      yield transaction;
    }
  }

  if (file === undefined) {
    const { stdout } = options.io;
    // The reader closed the pipe early.
    stdout.on('error', ({ code }: NodeJS.ErrnoException) => code === 'EPIPE' && process.exit(EXIT.OK));
    // Control characters could drive a terminal. Any other reader gets the texts unchanged.
    const cell = stdout.isTTY ? printable : (text: string) => text;
    for await (const chunk of exported(transactions(), format, cell)) await write(stdout, chunk);
    return;
  }
  await writeWhole(file, exported(transactions(), format), target);
  output.result({ file, format, entries }, [
    `${counted(entries, 'entry', 'entries')} of ${source.name} written to ${file}.`,
  ]);
}

/** Waits for a slower reader. @throws CliError when nothing can be written, for example to a full disk */
async function write(stream: NodeJS.WritableStream, chunk: string | Uint8Array): Promise<void> {
  if (stream.write(chunk)) return;
  await once(stream, 'drain').catch(({ message }: Error) => {
    throw new CliError(EXIT.NO_REPORT, `Standard output cannot be written: ${message}.`);
  });
}
