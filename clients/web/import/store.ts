/** The store of an import: its facts are in one signal, which only `set` writes. The state is derived from them. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { nextTask } from '../page/next-task.ts';
import { derivedState } from './derived-state.ts';
import type { Facts, ImportState } from './state.ts';

export type Store = ReturnType<typeof createStore>;

export function createStore(initial: Facts) {
  const facts = signal(initial);
  const derived = derivedState();
  const state: ReadonlySignal<ImportState> = computed(() => derived.state(facts.value));
  /** The state of now, for actions. */
  const get = () => state.peek();
  return {
    state,
    get,
    set(change: Partial<Facts>): void {
      facts.value = { ...facts.peek(), ...change };
    },
    /** Computes the state after a change before it is set, in short tasks: the page responds in between. */
    async prepare(change: Partial<Facts>): Promise<void> {
      for (const compute of [derived.balances, derived.compared]) {
        await nextTask();
        compute({ ...get(), ...change });
      }
      await nextTask();
    },
  };
}
