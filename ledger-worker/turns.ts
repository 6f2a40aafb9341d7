/** Work that takes turns by name: one at a time for each name, in the order of arrival; names do not wait for each other. */

export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs `work` once everything that came before under `name` has ended. The database makes the writes of one account
   * wait for each other anyway; waiting here, they do not hold connections that other accounts could use.
   * @throws what `work` throws, and the signal's reason when it was aborted before the turn came
   */
  async run<Result>(name: string, cancelled: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name);
    const turn = (async () => {
      await before?.catch(() => {});
      cancelled.throwIfAborted();
      return work();
    })();
    this.#last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    }
  }
}
