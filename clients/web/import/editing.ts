/** The parts that the actions on files and on rows work with. */
import type { Preferences } from './preferences.ts';
import type { Facts, ImportState } from './state.ts';

export interface Editing {
  get: () => ImportState;
  set: (change: Partial<Facts>) => void;
  /** Reads the files whose settings or corrections have changed. */
  read: () => Promise<void>;
  preferences: Preferences | undefined;
}
