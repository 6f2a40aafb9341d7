/** A list of texts: all, or the first ones and the number of the others. */
import { counted } from './format.ts';

interface TextListProps {
  texts: readonly string[];
  class?: string;
  max?: number;
  /** The noun for one text that is not shown, such as `more row`. */
  more?: string;
}

export const TextList = ({ texts, max = texts.length, more = '', ...props }: TextListProps) => (
  <ul class={props.class}>
    {texts.slice(0, max).map((text, index) => (
      <li key={index}>{text}</li>
    ))}
    {texts.length > max && <li>{counted(texts.length - max, more)}.</li>}
  </ul>
);
