/** Runs `bun run start` as a user does, and finds the processes that it starts. */
import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, processInfo } from '../../local/processes/process-info.ts';
import { copyCheckout, ROOT, temporaryDirectory } from '../fixtures/checkout.ts';

const READY_MS_MAX = 10 * 60_000;

export interface Ready {
  url: string;
  apiKey: string;
  accountId: string;
  workerAddress: string;
  adminAddress: string;
}

const runs: Run[] = [];

/** A checkout as after a clone: the files under version control, without packages. */
export function newCheckout(): string {
  const checkout = temporaryDirectory();
  copyCheckout(checkout);
  unlinkSync(join(checkout, 'node_modules'));
  return checkout;
}

/** Stops the processes that a failed test has left. */
export async function cleanUp(): Promise<void> {
  for (const run of runs) await run.stop();
}

export class Run {
  readonly readyFile: string;
  /** The version of the ready file that an earlier, killed run has left. */
  readonly #stale: string;
  readonly #child: Bun.Subprocess;
  // Files: a pipe of a process that runs for long may be read no further (local/processes/output.ts).
  readonly #printed = temporaryDirectory();

  constructor(
    readonly dataDir: string,
    options: string[] = ['--port', '0'],
    checkout = ROOT,
  ) {
    this.readyFile = join(dataDir, 'ready.json');
    this.#stale = this.#version();
    const { DATABASE_URL: _, REDIS_URL: __, ...env } = process.env;
    const paths = ['--data', dataDir, '--ready-file', this.readyFile];
    this.#child = Bun.spawn([process.execPath, 'run', '--silent', 'start', ...options, ...paths], {
      cwd: checkout,
      env,
      stdin: 'ignore',
      stdout: Bun.file(join(this.#printed, 'out')),
      stderr: Bun.file(join(this.#printed, 'err')),
    });
    runs.push(this);
  }

  /** The output so far. */
  get out(): string {
    return readFileSync(join(this.#printed, 'out'), 'utf8');
  }

  get err(): string {
    return readFileSync(join(this.#printed, 'err'), 'utf8');
  }

  /** Resolves with the content of the ready file as soon as it exists. */
  async ready(): Promise<Ready> {
    const written = () => !['', this.#stale].includes(this.#version());
    for (const end = Date.now() + READY_MS_MAX; !this.#hasEnded() && !written(); await Bun.sleep(10)) {
      if (Date.now() > end)
        throw new Error(`no ready file after ${READY_MS_MAX / 1000} s: ${this.out}${this.err}`);
    }
    if (this.#hasEnded()) throw new Error(`the start ended: ${this.out}${this.err}`);
    return JSON.parse(readFileSync(this.readyFile, 'utf8'));
  }

  /** Differs from one ready file to the next; empty when there is none. */
  #version(): string {
    const stat = statSync(this.readyFile, { throwIfNoEntry: false });
    return stat ? `${stat.ino} ${stat.mtimeMs}` : '';
  }

  #hasEnded = () => this.#child.exitCode !== null || this.#child.signalCode !== null;

  /** Resolves with the exit code once the process has ended. */
  ended(): Promise<number> {
    return this.#child.exited;
  }

  /** Signals `bun run`, the process that the user has started. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async stop(): Promise<number> {
    if (!this.#hasEnded()) this.kill('SIGTERM');
    return this.ended();
  }

  /** Process id and command line of all descendants of `bun run`: the start, Postgres, Redis, worker, gateway. */
  processes(): Map<number, string> {
    const table = processTable();
    const descendants = new Map<number, string>();
    const parents = new Set([this.#child.pid]);
    // A child may precede its parent in the table.
    for (let known = 0; known !== parents.size; ) {
      known = parents.size;
      for (const { pid, parent, command } of table) {
        if (!parents.has(parent)) continue;
        parents.add(pid);
        descendants.set(pid, command);
      }
    }
    return descendants;
  }

  /** The id of the one descendant whose command line contains `part`. */
  pidOf(part: string): number {
    const found = [...this.processes()].filter(([, command]) => command.includes(part));
    if (found.length !== 1) throw new Error(`${found.length} processes with ${part} in their command line`);
    return found[0]?.[0] ?? 0;
  }
}

/** The processes of `pids` that still run. */
export const stillRunning = (pids: Iterable<number>) => [...pids].filter(isRunning);

/** The command lines of all processes on this machine that name `directory`. */
export function processesNaming(directory: string): string[] {
  return processTable()
    .map(({ command }) => command)
    .filter((command) => command.includes(directory));
}

function processTable(): { pid: number; parent: number; command: string }[] {
  return pids().flatMap((pid) => {
    const info = processInfo(pid);
    return info === undefined ? [] : [{ pid, parent: info.parent, command: info.argv.join(' ') }];
  });
}

function pids(): number[] {
  if (process.platform === 'linux') return readdirSync('/proc').map(Number).filter(Number.isInteger);
  return Bun.spawnSync(['ps', '-A', '-o', 'pid=']).stdout.toString().trim().split(/\s+/).map(Number);
}
