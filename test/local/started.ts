/** `bun run start` as whoever types it sees it, and the processes that it starts. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, processInfo } from '../../local/processes/process-info.ts';

const ROOT = join(import.meta.dir, '../..');
const READY_MS_MAX = 60_000;

export interface Ready {
  url: string;
  apiKey: string;
  accountId: string;
  workerAddress: string;
  adminAddress: string;
}

const directories: string[] = [];
const runs: Run[] = [];

export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-test-start-'));
  directories.push(directory);
  return directory;
}

/** A checkout as a clone makes it: what is under version control, and no packages. */
export function newCheckout(): string {
  const checkout = newDirectory();
  const listed = Bun.spawnSync(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  });
  for (const file of listed.stdout.toString().split('\0').filter(Boolean)) {
    if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(checkout, file));
  }
  return checkout;
}

/** Ends what a failed test has left, and removes the directories. */
export async function cleanUp(): Promise<void> {
  for (const run of runs) await run.stop();
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
}

export class Run {
  readonly readyFile: string;
  /** Everything that was written so far. */
  out = '';
  err = '';
  /** Of a run that was killed: not yet that of this one. */
  readonly #stale: string;
  readonly #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  readonly #read: Promise<unknown>;

  constructor(
    readonly dataDir: string,
    options: string[] = ['--port', '0'],
    checkout = ROOT,
  ) {
    this.readyFile = join(dataDir, 'ready.json');
    this.#stale = this.#version();
    const { DATABASE_URL: _, REDIS_URL: __, ...env } = process.env;
    const places = ['--data', dataDir, '--ready-file', this.readyFile];
    this.#child = Bun.spawn([process.execPath, 'run', '--silent', 'start', ...options, ...places], {
      cwd: checkout,
      env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    this.#read = Promise.all([this.#collect('out'), this.#collect('err')]);
    runs.push(this);
  }

  async #collect(name: 'out' | 'err') {
    const decoder = new TextDecoder();
    for await (const bytes of name === 'out' ? this.#child.stdout : this.#child.stderr) {
      this[name] += decoder.decode(bytes, { stream: true });
    }
  }

  /** What the ready file holds, at the first moment that it is there. */
  async ready(): Promise<Ready> {
    const written = () => !['', this.#stale].includes(this.#version());
    for (const end = Date.now() + READY_MS_MAX; !this.#hasEnded() && !written(); await Bun.sleep(10)) {
      if (Date.now() > end)
        throw new Error(`no ready file after ${READY_MS_MAX / 1000} s: ${this.out}${this.err}`);
    }
    if (this.#hasEnded()) throw new Error(`the start ended: ${this.out}${this.err}`);
    return JSON.parse(readFileSync(this.readyFile, 'utf8'));
  }

  /** Tells one ready file from another; empty when there is none. */
  #version(): string {
    const stat = statSync(this.readyFile, { throwIfNoEntry: false });
    return stat ? `${stat.ino} ${stat.mtimeMs}` : '';
  }

  #hasEnded = () => this.#child.exitCode !== null || this.#child.signalCode !== null;

  /** The exit code, once the process is gone and everything it wrote is read. */
  async ended(): Promise<number> {
    const exitCode = await this.#child.exited;
    await this.#read;
    return exitCode;
  }

  /** Sends a signal to what was typed: `bun run`. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async stop(): Promise<number> {
    if (!this.#hasEnded()) this.kill('SIGTERM');
    return this.ended();
  }

  /** The processes beneath `bun run`, by process id: the start itself, Postgres and its own, Redis, worker, gateway. */
  processes(): Map<number, string> {
    const table = processTable();
    const beneath = new Map<number, string>();
    const parents = new Set([this.#child.pid]);
    // A child may stand before its parent in the table.
    for (let known = 0; known !== parents.size; ) {
      known = parents.size;
      for (const { pid, parent, command } of table) {
        if (!parents.has(parent)) continue;
        parents.add(pid);
        beneath.set(pid, command);
      }
    }
    return beneath;
  }

  /** The id of the one process beneath whose command line contains `part`. */
  pidOf(part: string): number {
    const found = [...this.processes()].filter(([, command]) => command.includes(part));
    if (found.length !== 1) throw new Error(`${found.length} processes with ${part} in their command line`);
    return found[0]?.[0] ?? 0;
  }
}

/** Those of `pids` that still run. */
export const stillRunning = (pids: Iterable<number>) => [...pids].filter(isRunning);

/** The command lines of all processes that name `directory`, whoever their parent is. */
export function processesNaming(directory: string): string[] {
  return processTable()
    .map(({ command }) => command)
    .filter((command) => command.includes(directory));
}

function processTable(): { pid: number; parent: number; command: string }[] {
  return pids().flatMap((pid) => {
    const info = processInfo(pid);
    return info === undefined ? [] : [{ pid, parent: info.parent, command: info.words.join(' ') }];
  });
}

function pids(): number[] {
  if (process.platform === 'linux') return readdirSync('/proc').map(Number).filter(Number.isInteger);
  return Bun.spawnSync(['ps', '-A', '-o', 'pid=']).stdout.toString().trim().split(/\s+/).map(Number);
}
