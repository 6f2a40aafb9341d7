/** The changes of one row by its buttons and keys. */
import { AS_IN_FILE } from '../changes.ts';
import type { Importer } from '../importer.ts';
import { broughtBack, type CheckRow, canBeLeftOut } from './rows.ts';

export type ChangesOfRow = ReturnType<typeof changesOf>;

/** The changes that the buttons and keys of a row make. */
export function changesOf(row: CheckRow, importer: Importer) {
  const { id, status, isDecided, original } = row;
  /** The decision about the row is open again. */
  const reopen = () => importer.decide([id], undefined);
  const importAsOther = () => importer.decide([id], 'separate');
  const restore = () => void importer.correct([id], AS_IN_FILE);
  const leaveOutOrBack = () => {
    if (status === 'same') reopen();
    else if (status === 'leftOut') void importer.correct([id], broughtBack(row));
    else if (canBeLeftOut(row)) void importer.leaveOut([id]);
  };
  /** Enter on the status of the row. Undefined: nothing. */
  const enter = status === 'probable' ? importAsOther : isDecided ? reopen : original ? restore : undefined;
  return { reopen, importAsOther, restore, leaveOutOrBack, enter };
}
