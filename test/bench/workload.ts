/** One row of the table: sides that do the same work with as many clients. */
import type { Side } from './side.ts';

export const GROUPS = [
  'start',
  'memory',
  'post',
  'duplicates',
  'skewed',
  'rate',
  'floor',
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
  /** Brings the books to where the workload begins. */
  prepare(): Promise<void>;
  /** The service is the first. Called after `prepare`. */
  sides(): Side[];
}
