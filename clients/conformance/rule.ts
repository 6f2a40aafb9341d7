/** A rule: one sentence of the documentation, and its check. */
import type { Context } from './context.ts';

export interface ConformanceRule {
  /** The group and the rule in it, such as `references.known-again`. */
  id: string;
  /** The section of the documentation. */
  page: string;
  sentence: string;
  /**
   * @throws Broken when the service does something else
   * @throws NotChecked when it cannot be checked here
   */
  check(context: Context): Promise<void>;
}
