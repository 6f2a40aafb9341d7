/** Every fault of the bench. */
import type { Kind } from '../cluster-database.ts';
import type { Fault } from '../fault.ts';
import { CITUS } from './citus.ts';
import { LOST_RESPONSES } from './lost-responses.ts';
import { NETWORK } from './network.ts';
import { POSTGRES } from './postgres.ts';
import { PROCESSES } from './processes.ts';
import { REDIS } from './redis.ts';
import { RESTARTS } from './restarts.ts';

/** By the kind of the database. */
export const CATALOGUE: Record<Kind, readonly Fault[]> = {
  postgres: [...PROCESSES, ...LOST_RESPONSES, ...REDIS, ...POSTGRES, ...NETWORK, ...RESTARTS],
  citus: [...PROCESSES, ...LOST_RESPONSES, ...REDIS, ...CITUS, ...RESTARTS],
};
