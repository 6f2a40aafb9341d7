/** Every fault of the bench. */
import type { Fault } from '../fault.ts';
import { ANSWERS } from './answers.ts';
import { NETWORK } from './links.ts';
import { POSTGRES } from './postgres.ts';
import { PROCESSES } from './processes.ts';
import { REDIS } from './redis.ts';
import { RESTARTS } from './restarts.ts';

export const CATALOGUE: readonly Fault[] = [
  ...PROCESSES,
  ...ANSWERS,
  ...REDIS,
  ...POSTGRES,
  ...NETWORK,
  ...RESTARTS,
];
