/** What a fault is. */
import type { Cluster } from './cluster.ts';
import type { History, Outcome } from './history.ts';
import type { Random } from './random.ts';

export interface Stage {
  cluster: Cluster;
  random: Random;
  history: History;
  /** Says in the history what is done to the cluster. */
  note(what: string): void;
}

/** Undoes a fault, as an orchestrator or an operator would. */
export type Heal = () => Promise<void>;

export interface Fault {
  name: string;
  /**
   * What it is about. Two faults at once are about different things; one that is about everything stays
   * alone.
   */
  part: 'gateway' | 'worker' | 'redis' | 'postgres' | 'network' | 'everything';
  /** How requests may fail from its beginning until the cluster has recovered. Empty: not at all. */
  failures: readonly Outcome[];
  /** Redis, or the way to it, is disturbed: meanwhile each gateway counts for itself. */
  disturbsRedis?: boolean;
  /** Whether the cluster lets it be done here. */
  isPossible?(cluster: Cluster): boolean;
  inflict(stage: Stage): Promise<Heal>;
}

/** While no worker, or no database, can be reached. */
export const UNAVAILABLE: readonly Outcome[] = [503];
/** While the gateway itself is gone, with every connection to it. */
export const DISCONNECTED: readonly Outcome[] = ['broken', 'refused'];
export const NO_FAILURES: readonly Outcome[] = [];

/** There is nothing left to undo. */
export const healed: Heal = async () => {};
