/** A rule: one sentence of the documentation, and how it is checked. */
import type { Context } from './context.ts';

export interface Rule {
  /** `references.known-again`: the group, and the rule in it. */
  id: string;
  /** The section that says it. */
  page: string;
  sentence: string;
  /**
   * @throws Broken when the service does something else
   * @throws NotChecked when it cannot be checked here
   */
  check(context: Context): Promise<void>;
}
