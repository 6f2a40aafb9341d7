/** The browser: the events of its window, and the sizes of elements. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Listens to an event of the window. @returns ends it */
export function onWindow<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): () => void {
  addEventListener(type, listener);
  return () => removeEventListener(type, listener);
}

/** The size of an element in whole CSS pixels; 0 before the first layout. */
export function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: current.offsetWidth, height: current.offsetHeight }),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
