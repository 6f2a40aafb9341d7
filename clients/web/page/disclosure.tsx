/** A part that opens by itself when it is needed, and stays open when it no longer is. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  title: string;
  isNeeded: boolean;
  class?: string;
  children: ComponentChildren;
}

export function Disclosure({ title, isNeeded, children, class: className }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class={className}
      open={isOpen || isNeeded}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}
