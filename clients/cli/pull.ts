/** `ledger pull`: the entries of a source as a file. */

import { once } from 'node:events';
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { connect, findSource, type GlobalOptions } from './context.ts';
import { usageError } from './exit.ts';
import { type ExportFormat, exported } from './export.ts';

export interface PullOptions extends GlobalOptions {
  source: string;
  from?: string;
  to?: string;
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

/** Writes to the file, which appears whole or not at all, or to standard output. */
export async function pull({
  source: nameOrId,
  from,
  to,
  output: file,
  ...options
}: PullOptions): Promise<void> {
  const format = options.json && file === undefined ? 'json' : formatOf(file);
  const { ledger, output } = connect(options);
  const source = await findSource(ledger, nameOrId);
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  let entries = 0;
  async function* counted() {
    for await (const transaction of ledger.transactions(source.id, range)) {
      entries++;
      yield transaction;
    }
  }

  if (file === undefined) {
    for await (const chunk of exported(counted(), format)) await write(process.stdout, chunk);
    return;
  }
  const temporary = `${file}.${process.pid}.new`;
  try {
    const stream = createWriteStream(temporary);
    await once(stream, 'open');
    for await (const chunk of exported(counted(), format)) await write(stream, chunk);
    stream.end();
    await once(stream, 'close');
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    if ((error as { syscall?: string }).syscall) {
      throw usageError(`${file} cannot be written: ${(error as Error).message}.`);
    }
    throw error;
  }
  output.result({ file, format, entries }, `${entries} entries of ${source.name} are in ${file}.`);
}

/** Waits while the reader is slower. */
async function write(stream: NodeJS.WritableStream, chunk: string | Uint8Array): Promise<void> {
  if (!stream.write(chunk)) await once(stream, 'drain');
}
