/** The file of `--decide`: a line for each row that is probably in the books, which the command writes and a person answers. */
import { existsSync } from 'node:fs';
import type { Compared } from '../../typescript/books/compared.ts';
import {
  type Decision,
  type Decisions,
  DecisionsError,
  decisionRows,
  decisionsCsv,
  decisionsOf,
  NO_DECISIONS,
  openRow,
} from '../../typescript/books/decisions.ts';
import { isOpen } from '../../typescript/books/standing.ts';
import { type EarlierVersion, replacingRows } from '../../typescript/proof/earlier-versions.ts';
import { usageError } from '../exit.ts';
import { readBytes } from '../statement-options.ts';
import { type Inputs, writeWhole } from '../whole-file.ts';

export interface DecideOptions {
  decide?: string;
  /** Rows that are probably known: all are sent, or all are taken for known. */
  sendProbable?: boolean;
  leaveProbable?: boolean;
}

/** @throws CliError */
export async function readDecisions({
  decide,
  sendProbable,
  leaveProbable,
}: DecideOptions): Promise<{ decisions: Decisions; all: Decision | undefined }> {
  const all = sendProbable ? 'send' : leaveProbable ? 'leave' : undefined;
  return { decisions: decide === undefined ? NO_DECISIONS : decisionsOf(await rowsOf(decide)), all };
}

/**
 * Adds the rows that wait for a decision to the file.
 * @param earlier entries that may be earlier versions of rows
 * @throws CliError
 */
export async function writeQuestions(
  { decide }: DecideOptions,
  compared: Compared,
  inputs: Inputs,
  earlier: readonly EarlierVersion[] = [],
): Promise<void> {
  if (decide === undefined) return;
  const { entries, comparison, books } = compared;
  const open = comparison.rows.flatMap((row, index) => {
    const read = entries[index];
    return read && row.probably && isOpen(row) ? openRow(read, row.probably) : [];
  });
  const asked = new Set(open.map(({ id }) => id));
  const rows = earlier.length > 0 ? replacingRows(compared) : [];
  for (const { id, file, row } of earlier) {
    const read = rows.find((each) => each.file === file && each.row === row);
    const found = books.byId.get(id);
    if (read && found && !asked.has(id)) open.push(openRow(read, found));
  }
  await writeWhole(decide, [decisionsCsv(await rowsOf(decide), open)], { inputs });
}

async function rowsOf(file: string): Promise<ReturnType<typeof decisionRows>> {
  if (!existsSync(file)) return [];
  try {
    return decisionRows(new TextDecoder().decode(await readBytes(file)));
  } catch (error) {
    if (!(error instanceof DecisionsError)) throw error;
    throw usageError(`${file} ${error.message}.`);
  }
}
