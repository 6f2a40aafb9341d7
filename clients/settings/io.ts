/** The environment and the streams of a command: the process's, or those passed by a program that runs a command. */

export interface Io {
  env: Record<string, string | undefined>;
  /** The options of the runtime, and the folder whose .env files it may have read into `env`. */
  execArgv: readonly string[];
  cwd(): string;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable;
}

export type Writable = NodeJS.WritableStream & { isTTY?: boolean };

/** Whether the terminal moves its cursor and clears lines, which a dumb one does not. */
export const hasEscapes = ({ env, stderr }: Pick<Io, 'env' | 'stderr'>): boolean =>
  stderr.isTTY === true && env.TERM !== 'dumb';
