/** A store as state of a component. */
import { useEffect, useState } from 'preact/hooks';
import type { Store } from './store.ts';

export function useStore<State>(store: Store<State>): State {
  const [, setState] = useState(store.get);
  useEffect(() => {
    setState(store.get());
    return store.subscribe(() => setState(store.get()));
  }, [store]);
  // Of this store, also when it has just taken the place of another one.
  return store.get();
}
