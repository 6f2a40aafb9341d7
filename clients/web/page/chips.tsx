/** One choice of several, each with its name and what belongs to it. */
import type { ComponentChildren } from 'preact';

interface ChipsProps<Choice extends string> {
  legend: string;
  /** Of the group on the page: begins the ids of the choices. */
  group: string;
  choices: readonly { choice: Choice; content: ComponentChildren }[];
  chosen: Choice;
  onChoose: (choice: Choice) => void;
}

export const Chips = <Choice extends string>({ legend, group, ...props }: ChipsProps<Choice>) => (
  <fieldset class="filters">
    <legend class="sr-only">{legend}</legend>
    {props.choices.map(({ choice, content }) => (
      <label key={choice} class="chip">
        <input
          type="radio"
          id={`${group}-${choice}`}
          name={group}
          class="sr-only"
          checked={props.chosen === choice}
          onChange={() => props.onChoose(choice)}
        />
        {content}
      </label>
    ))}
  </fieldset>
);
