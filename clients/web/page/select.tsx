/** Drop-downs. */
import { useRef, useState } from 'preact/hooks';

interface Props {
  id: string;
  label: string;
  value: string;
  choices: readonly (readonly [value: string, name: string])[];
  /** The id of a text about a wrong value. */
  problem?: string | false | undefined;
  /** @returns false: the value stays */
  onChange: (value: string) => unknown;
  class?: string;
}

/** A drop-down whose choice counts once it is confirmed: at once by mouse or touch, by keyboard with Enter or when the field is left. */
export function Select({ id, label, value, choices, problem, onChange, ...props }: Props) {
  const [passed, setPassed] = useState<string>();
  const isByKey = useRef(false);
  const confirm = (field: HTMLSelectElement) => {
    setPassed(undefined);
    if (field.value !== value && onChange(field.value) === false) field.value = value;
  };
  return (
    <div class={`field ${props.class ?? ''}`}>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={passed ?? value}
        aria-invalid={Boolean(problem)}
        aria-describedby={problem || undefined}
        onPointerDown={() => {
          isByKey.current = false;
        }}
        onKeyDown={({ key, currentTarget }) => {
          isByKey.current = key !== 'Enter';
          if (key === 'Enter') confirm(currentTarget);
          if (key === 'Escape') setPassed(undefined);
        }}
        onChange={({ currentTarget }) =>
          isByKey.current ? setPassed(currentTarget.value) : confirm(currentTarget)
        }
        onBlur={({ currentTarget }) => {
          isByKey.current = false;
          confirm(currentTarget);
        }}
      >
        <Options of={choices} />
      </select>
    </div>
  );
}

/** The options of a drop-down, by their values. */
export const Options = ({ of }: { of: Iterable<readonly [value: string | number, name: string]> }) => (
  <>
    {[...of].map(([value, name]) => (
      <option key={value} value={value}>
        {name}
      </option>
    ))}
  </>
);
