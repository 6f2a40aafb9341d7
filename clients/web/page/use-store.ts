/** A store as state of a component. */
import { useEffect, useState } from 'preact/hooks';
import type { Store } from './store.ts';

export function useStore<State>(store: Store<State>): State {
  const [state, setState] = useState(store.get);
  useEffect(() => {
    setState(store.get());
    return store.subscribe(() => setState(store.get()));
  }, [store]);
  return state;
}
