/** The actions of a visitor on rows: corrections, decisions about rows that the books probably have, and undo. */
import type { RowCorrection } from '../../typescript/import/questions-and-answers.ts';
import type { DecisionWord, PairDecision } from '../../typescript/match/decision.ts';
import { beforeLast, probableRows, withCorrection, withDecision, withDecisionByKey } from './changes.ts';
import type { Editing } from './file-actions.ts';
import type { Facts } from './state.ts';

export type RowActions = ReturnType<typeof rowActions>;

/** Creates the actions on rows. */
export function rowActions({ get, set, read, preferences }: Editing) {
  /** Sets a change of decisions, and keeps them in the browser. */
  const setAndKeep = (change: Partial<Facts>) => {
    const before = get().decisions;
    set(change);
    preferences?.keepDecisions(get().decisions, before);
  };
  return {
    correct(rows: readonly number[], change: RowCorrection): Promise<void> {
      set(withCorrection(get(), rows, change));
      return read();
    },
    /** What these rows are, which the books probably have. Undefined: it is open again. */
    decide: (rows: readonly number[], decision: PairDecision | undefined) =>
      setAndKeep(withDecision(get(), rows, decision)),
    /** About an entry that a pushed file lacks. */
    decideByKey: (key: string, word: DecisionWord) => setAndKeep(withDecisionByKey(get(), key, word)),
    /** A row that the books probably have is the stored entry. The others are left out. */
    async leaveOut(rows: readonly number[]): Promise<void> {
      const probable = probableRows(get());
      const others = rows.filter((row) => !probable.has(row));
      const change = withDecision(get(), rows, 'same');
      // Both are one change for the visitor.
      const { history } = change;
      setAndKeep({ ...withCorrection({ ...get(), ...change }, others, { isLeftOut: true }), history });
      if (others.length > 0) await read();
    },
    /** Takes the last change back. */
    async undo(): Promise<void> {
      const before = beforeLast(get());
      if (!before) return;
      setAndKeep(before);
      await read();
    },
  };
}
