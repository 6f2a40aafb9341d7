/** The store of an import: its facts are in one signal, which only `set` writes. The state is derived from them. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { createDeriver } from './derived-state.ts';
import type { Facts, ImportState } from './state.ts';

export type Store = ReturnType<typeof createStore>;

/** Creates a store with these facts. */
export function createStore(initial: Facts) {
  const facts = signal(initial);
  const { stateOf, comparisonOf, balancesOf } = createDeriver();
  const state: ReadonlySignal<ImportState> = computed(() => stateOf(facts.value));
  /** The current state, for actions: reading it subscribes to nothing. */
  const get = () => state.peek();
  return {
    state,
    get,
    /** Changes facts. The state follows at once. */
    set(change: Partial<Facts>): void {
      facts.value = { ...facts.peek(), ...change };
    },
    /** Computes the state after a change before it is set, in short tasks: the page responds in between. */
    async prepare(change: Partial<Facts>): Promise<void> {
      for (const derive of [balancesOf, comparisonOf]) {
        await nextTask();
        derive({ ...get(), ...change });
      }
      await nextTask();
    },
  };
}

/** Lets the browser draw, and respond to keys and clicks, before what follows. */
export const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));
