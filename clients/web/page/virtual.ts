/** The rows of a long table that are in sight: @tanstack/virtual-core for Preact. */
import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

interface VirtualOptions {
  count: number;
  container: RefObject<HTMLElement | null>;
  /** Pixels, until the row has been measured. */
  estimate: (index: number) => number;
  keyOf: (index: number) => number | string;
}

/** Finds the rows in sight of a container that scrolls by itself. */
export function useVirtual({ container, ...options }: VirtualOptions) {
  return useVirtualizer<HTMLElement>({
    ...common(options),
    getScrollElement: () => container.current,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
  });
}

interface PageVirtualOptions extends VirtualOptions {
  /** Pixels that bars cover at the top and at the bottom of the window. */
  covered: { top: number; bottom: number };
}

/** For a container that is as high as its rows, in a page that scrolls. `scrollMargin` is where it begins. */
export function usePageVirtual({ container, covered, ...options }: PageVirtualOptions) {
  const [scrollMargin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      const top = container.current?.getBoundingClientRect().top ?? 0;
      setMargin(Math.round(top + scrollY));
    });
    // The elements above the container move it, and change the height of the page.
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [container]);
  const virtualizer = useVirtualizer<Window>({
    ...common(options),
    scrollMargin,
    scrollPaddingStart: covered.top,
    scrollPaddingEnd: covered.bottom,
    getScrollElement: () => window,
    initialOffset: () => scrollY,
    scrollToFn: windowScroll,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
  });
  return { virtualizer, scrollMargin };
}

const common = ({ count, estimate, keyOf }: Omit<VirtualOptions, 'container'>) => ({
  count,
  estimateSize: estimate,
  getItemKey: keyOf,
  overscan: 10,
  measureElement,
  // Some content from the first drawing on, before the container has been measured.
  initialRect: { width: 0, height: 600 },
});

function useVirtualizer<Scroller extends Element | Window>(
  given: VirtualizerOptions<Scroller, HTMLElement>,
): Virtualizer<Scroller, HTMLElement> {
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const options = { ...given, onChange: () => redraw(undefined as never) };
  const [virtualizer] = useState(() => new Virtualizer<Scroller, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
