/** A value that changes, and those who watch it. No DOM and no view library. */

export interface Store<State> {
  get(): State;
  /** Replaces some members. */
  set(change: Partial<State>): void;
  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void;
}

export function createStore<State extends object>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
