/** One process of the cluster, whichever runs in its place just now. */
import type { Service } from '../../local/processes/child.ts';
import { isRunning } from '../../local/processes/process-info.ts';

// Longer than any part takes to drain, and far longer than one takes to die.
const END_MS_MAX = 30_000;
// An orchestrator tries again and again: a worker does not start without its database.
const START_MS_MAX = 60_000;
const START_AGAIN_MS = 200;

export interface PartOptions<S extends Service> {
  name: string;
  launch: () => Promise<S>;
  /** Called when the process ends without having been made to. */
  onUnexpectedEnd: (how: string) => void;
  /**
   * Called with a process before it is stopped (SIGSTOP), so that somebody can wake it should this process
   * die.
   */
  onStop: (pid: number) => void;
}

export class Part<S extends Service> {
  #current: S | undefined;
  /** Ends that have been caused, or are put up with. */
  expectsEnd = false;

  constructor(private readonly options: PartOptions<S>) {}

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

  /**
   * Starts it unless it runs, and tries again until it does. @throws what the last attempt threw after a
   * minute
   */
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
    // One that stands still gets the signal when it goes on.
    this.thaw();
    const ended = await Promise.race([died, Bun.sleep(END_MS_MAX)]);
    if (ended === undefined) throw new Error(`${this.name} still runs ${END_MS_MAX} ms after ${signal}`);
  }

  /** Stops the process where it stands (SIGSTOP). */
  freeze(): void {
    this.options.onStop(this.current.pid);
    process.kill(this.current.pid, 'SIGSTOP');
  }

  /** Lets it go on (SIGCONT). */
  thaw(): void {
    if (this.isRunning) process.kill(this.current.pid, 'SIGCONT');
  }

  /** For good. */
  async stop(): Promise<void> {
    this.expectsEnd = true;
    this.thaw();
    await this.#current?.stop();
  }
}
