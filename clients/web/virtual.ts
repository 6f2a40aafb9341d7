/** The rows of a long table that are in sight: @tanstack/virtual-core for Preact. */
import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

interface VirtualOptions {
  count: number;
  /** Scrolls. */
  container: RefObject<HTMLElement | null>;
  /** Pixels, until the row has been measured. */
  estimate: (index: number) => number;
  keyOf: (index: number) => number | string;
  overscan?: number;
}

export function useVirtual({ count, container, estimate, keyOf, overscan = 10 }: VirtualOptions) {
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const options = {
    count,
    getScrollElement: () => container.current,
    estimateSize: estimate,
    getItemKey: keyOf,
    overscan,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    measureElement,
    // Some content from the first drawing on, before the container has been measured.
    initialRect: { width: 0, height: 600 },
    onChange: () => redraw(undefined as never),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
