/** A workload: one row of the report, with the sides that it compares. */
import type { Side } from './side.ts';

export const GROUPS = [
  'start',
  'idle',
  'memory',
  'unread',
  'post',
  'duplicates',
  'skewed',
  'rate',
  'floor',
  'behind',
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
  /** Per side and round, if not as the command line says. */
  seconds?: number;
  /** Brings the books into the initial state. */
  prepare(): Promise<void>;
  /** The service comes first. Called after `prepare`. */
  sides(): Side[];
}
