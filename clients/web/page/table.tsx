/** Parts of tables. */
import type { ComponentChildren } from 'preact';

/** The head of a table, by the names of its columns. */
export const HeadRow = ({ names }: { names: readonly string[] }) => (
  <thead>
    <tr>
      {names.map((name) => (
        <th key={name} scope="col">
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

/** A part that scrolls by itself, also by keyboard. */
export const Scrolling = (props: { class: string; label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
  <section class={props.class} tabIndex={0} aria-label={props.label}>
    {props.children}
  </section>
);
