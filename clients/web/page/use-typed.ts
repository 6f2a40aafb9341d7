/** A text field whose value counts when it is left. Typed text survives a redraw with another cause. */
import type { TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** The value and the handlers of a text field. `onChange` is called when the field is left, or the page takes it away. */
export function useTyped(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState<string>();
  const now = useRef({ typed, onChange });
  now.current = { typed, onChange };
  // A field that is removed is left too, for example when the key stops working.
  useEffect(
    () => () => {
      const { typed, onChange } = now.current;
      if (typed !== undefined) onChange(typed);
    },
    [],
  );
  return {
    value: typed ?? value,
    onInput: ({ currentTarget }: TargetedEvent<TextField>) => setTyped(currentTarget.value),
    onChange: ({ currentTarget }: TargetedEvent<TextField>) => {
      setTyped(undefined);
      onChange(currentTarget.value);
    },
  };
}
