/** A part that scrolls by itself, also by keyboard. */
import type { ComponentChildren } from 'preact';

export const Scrolling = (props: { class: string; label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
  <section class={props.class} tabIndex={0} aria-label={props.label}>
    {props.children}
  </section>
);
