/** A part that opens by itself when it has a problem, and stays as it is when the problem is solved. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  title: string;
  hasProblem: boolean;
  class?: string;
  children: ComponentChildren;
}

export function Disclosure({ title, hasProblem, children, class: className }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class={className}
      open={isOpen || hasProblem}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}
