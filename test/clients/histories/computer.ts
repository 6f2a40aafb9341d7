/** A computer of the person: its configuration, and the answers kept on it. */
import { join } from 'node:path';
import { newConfig } from '../cli/command.ts';

export interface Computer {
  env: Record<string, string>;
  decisions: string;
}

export const newComputer = (): Computer => {
  const env = newConfig();
  return { env, decisions: join(env.XDG_CONFIG_HOME, 'decisions.csv') };
};
