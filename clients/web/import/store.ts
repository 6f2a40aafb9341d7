/** The store of an import: its facts are in one signal, which only `set` writes. The state is derived from them. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { nextTask } from '../page/next-task.ts';
import { derivedState } from './derived-state.ts';
import type { Facts, ImportState } from './state.ts';

export interface Store {
  state: ReadonlySignal<ImportState>;
  /** The state of now, for actions. */
  get(): ImportState;
  set(change: Partial<Facts>): void;
  /** Computes the state after a change before it is set, in short tasks: the page responds in between. */
  prepare(change: Partial<Facts>): Promise<void>;
}

export function createStore(initial: Facts): Store {
  const facts = signal(initial);
  const derived = derivedState();
  const state = computed(() => derived.state(facts.value));
  const get = () => state.peek();
  return {
    state,
    get,
    set(change) {
      facts.value = { ...facts.peek(), ...change };
    },
    async prepare(change) {
      for (const compute of [derived.balances, derived.compared]) {
        await nextTask();
        compute({ ...get(), ...change });
      }
      await nextTask();
    },
  };
}
