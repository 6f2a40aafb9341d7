/** The option `--previous`: the closing balances in the report of the last push or reconciliation. */
import { ownFileContent } from '../files/own-file.ts';
import { readBytes } from '../files/read-bytes.ts';
import type { Closings } from '../typescript/import/chain/closings.ts';
import { closingsOfReport } from './report-closings.ts';

export interface PreviousOption {
  /** The path of a report. */
  previous?: string;
}

/** @returns undefined without the option. @throws UserError */
export async function readPrevious({
  previous,
}: PreviousOption): Promise<{ bytes: Uint8Array; closings: Closings } | undefined> {
  if (previous === undefined) return undefined;
  const bytes = await readBytes(previous);
  return {
    bytes,
    closings: ownFileContent(previous, bytes, closingsOfReport),
  };
}
