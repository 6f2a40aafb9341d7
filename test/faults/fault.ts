/** The type of a fault and its allowed failures. */
import type { Cluster } from './cluster.ts';
import type { History, Outcome } from './history.ts';
import type { Random } from './random.ts';

export interface FaultContext {
  cluster: Cluster;
  random: Random;
  history: History;
  /** Records in the history what is done to the cluster. */
  note(what: string): void;
  /** Resolves once the load balancer uses every gateway. */
  untilInService(): Promise<void>;
}

/** Ends a fault as an orchestrator or an operator would. */
export type Heal = () => Promise<void>;

export interface Fault {
  name: string;
  /** How requests may fail between the fault and the recovery of the cluster. Empty: not at all. */
  failures: readonly Outcome[];
  /** Whether this machine allows the fault. */
  isPossible?(cluster: Cluster): boolean;
  inject(context: FaultContext): Promise<Heal>;
}

/** When no worker or no database is reachable. */
export const UNAVAILABLE: readonly Outcome[] = [503];
/** When a gateway has ended, and with it every connection to it. */
export const DISCONNECTED: readonly Outcome[] = ['broken', 'unavailable'];
export const NO_FAILURES: readonly Outcome[] = [];

/** For a fault that ends by itself. */
export const healed: Heal = async () => {};
