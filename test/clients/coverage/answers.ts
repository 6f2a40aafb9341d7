/** What the person says to each kind of question of the command. */
import type { Given } from './arguments.ts';
import type { Entry } from './attribution.ts';
import type { BankFile, Row } from './bank.ts';
import type { Rules } from './rules.ts';
import type { Push } from './story.ts';
import type { Answerer, Correction, RowName } from './surface.ts';
import type { Truth } from './truth.ts';

export interface Asked {
  /** The books now. */
  entries: readonly Entry[];
  /** The files of the command. */
  given: readonly Given[];
  /** The list of corrections that came with the questions. */
  listed: readonly Correction[];
  /** All files of the person. */
  paths: ReadonlyMap<BankFile, string>;
  /** Notes what it was asked about. */
  push?: Push;
}

export function answererOf(truth: Truth, { entries, given, listed, paths, push }: Asked): Answerer {
  const files = given.map(({ file }) => file);
  const rowOf = (row: RowName) => truth.rowsOf({ rows: [row], entries: [] }, paths)[0] as Row;
  return {
    entryOf: (question) => {
      for (const id of question.entries) push?.asked.add(id);
      for (const { payment } of truth.rowsOf(question, paths)) push?.askedFor.add(payment);
      return truth.answer(question, entries, paths);
    },
    isSameRow: (row, other) => {
      push?.askedFor.add(rowOf(row).payment);
      return truth.isSameRow(rowOf(row), other, files);
    },
    lacks: (path) => {
      const file = given.find((each) => each.path === path)?.file;
      if (!file) throw new Error(`No file is ${path}`);
      const ids = new Set(listed.filter(({ action }) => action === 'check').map(({ id }) => id));
      const lacking = entries.filter(({ id }) => ids.has(id));
      return truth.lacks(file, lacking, entries);
    },
  };
}

export interface Checked {
  listed: readonly Correction[];
  entries: readonly Entry[];
  files: readonly BankFile[];
  rules: Rules;
}

/** Whether an entry that a list names to be checked is wrong: what the same list changes or moves, it keeps. */
export function judgeOf(truth: Truth, { listed, entries, files, rules }: Checked) {
  const kept = new Set(
    listed.filter(({ action }) => action === 'change' || action === 'move').map(({ id }) => id),
  );
  return (id: string): boolean => {
    const entry = entries.find((each) => each.id === id);
    return entry !== undefined && truth.isWrong(entry, entries, files, rules, kept);
  };
}
