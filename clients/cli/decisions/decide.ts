/** `--decide`: reads the decisions and assignments of a person from a file, and adds a line for each row that waits for one. */

import { existsSync } from 'node:fs';
import { ownFileContent } from '../../files/own-file.ts';
import { readBytes } from '../../files/read-bytes.ts';
import { type Inputs, writeWhole } from '../../files/whole-file.ts';
import { counted } from '../../typescript/counted.ts';
import type { ComparedFiles } from '../../typescript/match/compare.ts';
import { type Decisions, NO_DECISIONS, type PairDecision } from '../../typescript/match/decision.ts';
import type { GoneStoredRow } from '../../typescript/reconciliation/gone.ts';
import { commandOf } from '../output.ts';
import {
  ASSIGNMENTS,
  assignmentsOf,
  decisionRows,
  decisionsCsv,
  decisionsOf,
  goneRows,
  NO_ASSIGNMENTS,
  pairRows,
  type RowAssignments,
  withoutSourceRows,
} from './decisions-file.ts';

export interface DecideOptions {
  decide?: string;
  /** Sends all rows that are probably known. */
  sendProbable?: boolean;
  /** Takes each for its stored entry, if there is only one that it may be. */
  leaveProbable?: boolean;
}

/** @throws CliError */
export async function readDecisions({ decide, sendProbable, leaveProbable }: DecideOptions): Promise<{
  decisions: Decisions;
  assignments: RowAssignments;
  byDefault: PairDecision | undefined;
}> {
  const byDefault = sendProbable ? 'separate' : leaveProbable ? 'same' : undefined;
  if (decide === undefined) return { decisions: NO_DECISIONS, assignments: NO_ASSIGNMENTS, byDefault };
  const rows = await readDecisionRows(decide);
  return { decisions: decisionsOf(rows), assignments: assignmentsOf(rows), byDefault };
}

/**
 * Adds the rows that need a decision to the file.
 * @throws CliError
 */
export async function writeDecisions(
  { decide }: DecideOptions,
  compared: ComparedFiles,
  inputs: Inputs,
  gone: readonly GoneStoredRow[] = [],
): Promise<void> {
  if (decide === undefined) return;
  const { files } = compared;
  const withoutSource = files.flatMap(({ name, result }) => withoutSourceRows(name, result));
  const questions = [...pairRows(compared), ...goneRows(gone, files)];
  if (questions.length + withoutSource.length === 0) return;
  await writeWhole(decide, [decisionsCsv(await readDecisionRows(decide), [...questions, ...withoutSource])], {
    inputs,
  });
}

/** Advice for rows that no rule decides. @param args the command line */
export function withoutSourceLines(
  count: number,
  decide: string | undefined,
  args: readonly string[],
): string[] {
  const wait = counted(count, 'row waits', 'rows wait');
  const them = count === 1 ? 'it belongs' : 'they belong';
  return [
    `Nothing was sent. ${wait} for an answer: to which property or business ${them}.`,
    ...(decide === undefined
      ? [`Add rules, or answer row by row: ${commandOf([...args, '--decide', 'decisions.csv'])}`]
      : [
          `${decide} has a line for each. Write at its beginning ${ASSIGNMENTS}.`,
          `Then run the command again: ${commandOf(args)}`,
        ]),
    '--skip-invalid sends the other rows.',
  ];
}

async function readDecisionRows(file: string): Promise<ReturnType<typeof decisionRows>> {
  if (!existsSync(file)) return [];
  const bytes = await readBytes(file);
  return ownFileContent(file, bytes, decisionRows);
}
