/** A workload: one row of the report, with the sides that it compares. */
import type { Side } from './side.ts';

export const GROUPS = [
  'idle',
  'memory',
  'unread',
  'post',
  'duplicates',
  'skewed',
  'read',
  'me',
  'mixed',
  'growth',
] as const;
export type Group = (typeof GROUPS)[number];

export interface Workload {
  group: Group;
  name: string;
  clients: number;
  /** Brings the books into the initial state. */
  prepare(): Promise<void>;
  /** The service comes first. Called after `prepare`. */
  sides(): Side[];
}
