/** The heading of a step. It takes the focus when the step begins, so that the keyboard and screen readers go on from there. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function StepHeading({ children }: { children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <h2 id="step-title" ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}
