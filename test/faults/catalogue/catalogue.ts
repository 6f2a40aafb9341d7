/** Every fault of the bench. */
import type { Kind } from '../cluster-database.ts';
import type { Fault } from '../fault.ts';
import { CITUS } from './citus.ts';
import { LOST_RESPONSES } from './lost-responses.ts';
import { NETWORK } from './network.ts';
import { POSTGRES } from './postgres.ts';
import { PROCESSES, ROLLING_RESTART } from './processes.ts';
import { REDIS } from './redis.ts';

/** By the kind of the database. */
export const CATALOGUE: Record<Kind, readonly Fault[]> = {
  postgres: [...PROCESSES, ...LOST_RESPONSES, ...REDIS, ...POSTGRES, ...NETWORK, ROLLING_RESTART],
  citus: [...PROCESSES, ...LOST_RESPONSES, ...REDIS, ...CITUS, ROLLING_RESTART],
};
