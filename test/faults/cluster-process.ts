/** A process of the cluster that can be killed, frozen and started again. */
import type { Service } from '../../local/processes/child.ts';
import { isRunning } from '../../local/processes/process-info.ts';

// Longer than any process takes to drain.
const END_MS_MAX = 60_000;
// Retried as by an orchestrator: a worker does not start without its database.
const START_MS_MAX = 60_000;
const START_AGAIN_MS = 200;

interface ClusterProcessOptions<S extends Service> {
  name: string;
  launch: () => Promise<S>;
  /** Called when the process ends by itself. */
  onUnexpectedEnd: (how: string) => void;
  /** Called before a SIGSTOP, so that the clean-up can continue the process. */
  onFreeze: (pid: number) => void;
}

export class ClusterProcess<S extends Service> {
  #current: S | undefined;
  readonly #frozen: number[] = [];
  /** True while an end is caused or tolerated by a fault. */
  expectsEnd = false;

  constructor(private readonly options: ClusterProcessOptions<S>) {}

  get name(): string {
    return this.options.name;
  }

  get current(): S {
    if (!this.#current) throw new Error(`${this.name} does not run`);
    return this.#current;
  }

  get isRunning(): boolean {
    return this.#current !== undefined && isRunning(this.#current.pid);
  }

  /** Starts the process unless it runs, with retries for a minute. @throws the error of the last attempt */
  async start(): Promise<void> {
    for (const until = performance.now() + START_MS_MAX; !this.isRunning; ) {
      try {
        this.#watch(await this.options.launch());
      } catch (error) {
        if (performance.now() > until) throw error;
        await Bun.sleep(START_AGAIN_MS);
      }
    }
    this.expectsEnd = false;
  }

  #watch(service: S): void {
    this.#current = service;
    service.died.then((death) => {
      if (!this.expectsEnd) this.options.onUnexpectedEnd(death.message);
    });
  }

  /** Sends the signal and resolves once the process has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<void> {
    if (!this.isRunning) return;
    this.expectsEnd = true;
    const { pid, died } = this.current;
    process.kill(pid, signal);
    // A frozen process receives the signal only after SIGCONT.
    this.thaw();
    const ended = await Promise.race([died, Bun.sleep(END_MS_MAX)]);
    if (ended === undefined) throw new Error(`${this.name} still runs ${END_MS_MAX} ms after ${signal}`);
  }

  /** Sends SIGSTOP to the process, so that it starts no further child, and then to its children. */
  freeze(): void {
    const { pid } = this.current;
    for (const each of [pid, ...childrenOf(pid)]) {
      this.options.onFreeze(each);
      send(each, 'SIGSTOP');
      this.#frozen.push(each);
    }
  }

  /** Sends SIGCONT. */
  thaw(): void {
    for (const pid of this.#frozen.splice(0)) send(pid, 'SIGCONT');
  }

  /** Stops the process at the end of the run. */
  async stop(): Promise<void> {
    this.expectsEnd = true;
    this.thaw();
    await this.#current?.stop();
  }
}

function childrenOf(pid: number): number[] {
  const children = Bun.spawnSync(['pgrep', '-P', String(pid)]).stdout.toString();
  return children.split('\n').filter(Boolean).map(Number);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended in the meantime.
  }
}
