/** A list of the first texts, and the number of the others. */
import { counted } from './format.ts';

interface ShortListProps {
  texts: readonly string[];
  max: number;
  /** The name of one of the others. */
  more: string;
}

export const ShortList = ({ texts, max, more }: ShortListProps) => (
  <ul>
    {texts.slice(0, max).map((text) => (
      <li key={text}>{text}</li>
    ))}
    {texts.length > max && <li>{counted(texts.length - max, more)}.</li>}
  </ul>
);
