/** One child process: its log, its last lines, its end, and a stop with a time limit. */
import { Output } from './output.ts';

// The output is read at this interval.
const POLL_MS = 20;
// A busy machine starts a program in minutes. Until then, its last lines are printed once.
const SLOW_MS = 30_000;
const READY_MS_MAX = 10 * 60_000;

/** A running server of the system. */
export interface Service {
  readonly name: string;
  readonly pid: number;
  /** Resolves only when the process ends without a call of `stop`. */
  readonly died: Promise<ChildDied>;
  /** Resolves once the process has ended, by SIGKILL if need be. A second call changes nothing. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  name: string;
  command: string[];
  env: Record<string, string | undefined>;
  cwd?: string;
  input?: string;
  /** Appended to; emptied first when it has grown large. Absent: only the last lines are kept. */
  logFile?: string | undefined;
  /** The signal for the child when this process dies without having stopped it. */
  orphanSignal?: 'TERM' | 'INT' | 'KILL';
  /** Further flags of setpriv: the child's user and capabilities. */
  setprivFlags?: string[];
}

/** A signal, and how long the child may take to end after it. */
export type StopStep = [signal: NodeJS.Signals, waitMs: number];

export interface Child extends Service {
  /** Resolves with the first result of `match` that is not undefined, of all lines, or of the last ones of an ended child. */
  line<Found>(match: (line: string) => Found | undefined, signal?: AbortSignal): Promise<Found>;
  /** Resolves with the exit code 0; otherwise throws ChildDied, or the signal's reason after stopping it. */
  completed(signal: AbortSignal | undefined, stopSteps?: StopStep[]): Promise<void>;
  /** Tries each step in turn (by default SIGTERM, 10 s), and SIGKILL after the last. */
  stop(steps?: StopStep[]): Promise<void>;
}

export class ChildDied extends Error {
  override name = 'ChildDied';

  constructor(
    readonly child: string,
    what: string,
    lastLines: readonly string[],
  ) {
    const tail = lastLines.map((line) => `\n  ${line}`).join('');
    super(`${child} ${what}. ${tail ? `Its last lines:${tail}` : 'It printed nothing.'}`);
  }
}

/**
 * The child gets a session of its own, so that Ctrl-C in a terminal reaches only this process, which then stops the
 * children in their order.
 */
export function spawnChild(options: ChildOptions): Child {
  const { name } = options;
  const output = new Output(options.logFile);
  const spawned = Bun.spawn({
    cmd: endsWithThisProcess(options),
    env: options.env,
    cwd: options.cwd ?? '/',
    stdin: options.input === undefined ? 'ignore' : Buffer.from(options.input),
    stdout: output.file,
    stderr: output.file,
    detached: true,
  });

  let stopRequested = false;
  let death: ChildDied | undefined;
  const ended = spawned.exited.then(() => {
    output.close();
    const how = spawned.signalCode
      ? `was ended by ${spawned.signalCode}`
      : `ended with exit code ${spawned.exitCode}`;
    death = new ChildDied(name, how, output.lastLines());
    return death;
  });
  const died = new Promise<ChildDied>((resolve) => {
    ended.then((error) => stopRequested || resolve(error));
  });

  let stopped: Promise<void> | undefined;
  const runStopSteps = async (steps: StopStep[]) => {
    stopRequested = true;
    for (const [signal, waitMs] of steps) {
      spawned.kill(signal);
      if (await within(waitMs, ended)) return;
    }
    killGroup(spawned.pid);
    await ended;
  };
  const stop = (steps: StopStep[] = [['SIGTERM', 10_000]]) => {
    stopped ??= runStopSteps(steps);
    return stopped;
  };

  const line: Child['line'] = async (match, signal) => {
    let offset = output.start;
    const patience = startPatience(name, () => output.lastLines());
    for (; ; await Bun.sleep(POLL_MS)) {
      signal?.throwIfAborted();
      const { lines, next } = output.linesFrom(offset);
      offset = next;
      for (const text of lines) {
        const found = match(text);
        if (found !== undefined) return found;
      }
      if (death) throw death;
      patience();
    }
  };

  const completed = async (signal: AbortSignal | undefined, stopSteps?: StopStep[]) => {
    const aborted = () => void stop(stopSteps);
    signal?.addEventListener('abort', aborted, { once: true });
    if (signal?.aborted) aborted();
    const error = await ended;
    signal?.removeEventListener('abort', aborted);
    signal?.throwIfAborted();
    if (spawned.exitCode !== 0) throw error;
  };

  return { name, pid: spawned.pid, died, line, completed, stop };
}

/**
 * For a loop that waits for a process: reports once that it is slow.
 * @throws ChildDied when it is not ready after 10 minutes
 */
export function startPatience(name: string, lastLines: () => readonly string[]): () => void {
  const begun = Date.now();
  let isReported = false;
  const late = (ms: number) => new ChildDied(name, `is not ready after ${ms / 1000} s`, lastLines());
  return () => {
    const ms = Date.now() - begun;
    if (ms > READY_MS_MAX) throw late(READY_MS_MAX);
    if (ms > SLOW_MS && !isReported) console.error(late(SLOW_MS).message);
    isReported ||= ms > SLOW_MS;
  };
}

/**
 * The command line for a child that ends even when this process gets a SIGKILL. Linux then signals the child; the flag
 * has to be in the last setpriv, since a change of user clears it. Elsewhere Bun's own programs watch their parent, and
 * the next start stops a Postgres that is left.
 */
function endsWithThisProcess({ command, orphanSignal = 'TERM', setprivFlags = [] }: ChildOptions): string[] {
  const setpriv = process.platform === 'linux' ? Bun.which('setpriv') : null;
  if (setpriv) return [setpriv, ...setprivFlags, '--pdeathsig', orphanSignal, '--', ...command];
  const [program, ...rest] = command;
  return program === process.execPath ? [program, '--no-orphans', ...rest] : command;
}

/** A child leads a process group, so this also kills the processes that it has started. */
function killGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has just ended by itself.
  }
}

/** Whether `promise` settles within `waitMs`. */
async function within(waitMs: number, promise: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), waitMs);
  return Promise.race([promise.then(() => true), late]).finally(() => clearTimeout(timer));
}
