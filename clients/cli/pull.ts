/** `ledger pull`: the entries of a source as a file. */
import { once } from 'node:events';
import { printable } from '../../platform/terminal.ts';
import { connect, type EntriesOptions, findSource } from './context.ts';
import { EXIT, usageError } from './exit.ts';
import { type ExportFormat, exported } from './export.ts';
import { counted } from './output.ts';
import { profilesFile } from './profiles.ts';
import { requireWritable, writeWhole } from './whole-file.ts';

export interface PullOptions extends EntriesOptions {
  output?: string;
}

const FORMATS: readonly string[] = ['csv', 'xlsx', 'json', 'ndjson'] satisfies ExportFormat[];

function formatOf(file: string | undefined): ExportFormat {
  const extension = file === undefined ? 'csv' : /\.(\w+)$/.exec(file)?.[1]?.toLowerCase();
  if (extension === undefined || !FORMATS.includes(extension)) {
    throw usageError(`${file} must end in .${FORMATS.join(', .')}.`);
  }
  return extension as ExportFormat;
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
  const inputs = [profilesFile(options)];
  if (file !== undefined) requireWritable(file, inputs);
  const source = await findSource(ledger, nameOrId);
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
  await writeWhole(file, exported(transactions(), format), { inputs });
  output.result({ file, format, entries }, [
    `${counted(entries, 'entry', 'entries')} of ${source.name} written to ${file}.`,
  ]);
}

/** Waits for a slower reader. */
async function write(stream: NodeJS.WritableStream, chunk: string | Uint8Array): Promise<void> {
  if (!stream.write(chunk)) await once(stream, 'drain');
}
