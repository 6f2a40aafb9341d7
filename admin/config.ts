/** Reads the environment variables of the command line, in this one place. */
import { str } from 'envalid';
import {
  allOrNone,
  grpcTarget,
  MUTUAL_TLS,
  MUTUAL_TLS_NAMES,
  readEnvironment,
} from '../platform/environment.ts';

export const DEFAULT_ADDRESS = '127.0.0.1:50052';

/** @throws Error with one sentence that names each missing or invalid variable. */
export function readConfig(env: NodeJS.ProcessEnv) {
  const config = readEnvironment(env, {
    LEDGER_ADMIN_ADDRESS: grpcTarget({ default: DEFAULT_ADDRESS }),
    ...MUTUAL_TLS,
    // Of `verify` and `seal` alone, which check it: for the other commands it may be anything.
    DATABASE_URL: str({ default: undefined }),
  });
  return allOrNone(config, MUTUAL_TLS_NAMES);
}

export type Config = ReturnType<typeof readConfig>;
