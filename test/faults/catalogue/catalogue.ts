/** Every fault of the bench. */
import type { Fault } from '../fault.ts';
import { LOST_RESPONSES } from './lost-responses.ts';
import { NETWORK } from './network.ts';
import { POSTGRES } from './postgres.ts';
import { PROCESSES } from './processes.ts';
import { REDIS } from './redis.ts';
import { RESTARTS } from './restarts.ts';

export const CATALOGUE: readonly Fault[] = [
  ...PROCESSES,
  ...LOST_RESPONSES,
  ...REDIS,
  ...POSTGRES,
  ...NETWORK,
  ...RESTARTS,
];
