/** What the person says to each kind of question of the command. */
import type { Given } from './arguments.ts';
import type { Entry } from './attribution.ts';
import type { BankFile, Row } from './bank.ts';
import type { Rules } from './rules.ts';
import type { Push } from './story.ts';
import type { Answerer, AppChange, RowName } from './surface.ts';
import type { Truth } from './truth.ts';

interface Asked {
  /** The books now. */
  entries: readonly Entry[];
  /** The files of the command. */
  given: readonly Given[];
  /** The list of corrections that came with the questions. */
  listed: readonly AppChange[];
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
    lacks: (path, only) => {
      const file = given.find((each) => each.path === path)?.file;
      if (!file) throw new Error(`No file is ${path}`);
      const ids = new Set(listed.filter(({ action }) => action === 'check').map(({ id }) => id));
      const lacking = entries.filter(({ id }) => (only === undefined ? ids.has(id) : id === only));
      return truth.lacks(file, lacking, entries);
    },
  };
}

interface Checked {
  listed: readonly AppChange[];
  entries: readonly Entry[];
  files: readonly BankFile[];
  rules: Rules;
}

/** Whether an entry that a list names to be checked is wrong beside the entries that the same list changes or moves, and so keeps. */
export function judgeOf(truth: Truth, { listed, entries, files, rules }: Checked) {
  const changes = new Map(
    listed
      .filter(({ action }) => action === 'change' || action === 'move')
      .map((each) => [each.id, each] as const),
  );
  const changed = entries.map((entry): Entry => {
    const { house = entry.house, date = entry.date, pence, description } = changes.get(entry.id) ?? {};
    const amount = pence === undefined ? entry.pence : Math.sign(entry.pence) * pence;
    return { ...entry, house, date, pence: amount, description: description ?? entry.description };
  });
  return (id: string): boolean => {
    const entry = changed.find((each) => each.id === id);
    return entry !== undefined && truth.isWrong(entry, changed, files, rules, new Set(changes.keys()));
  };
}
