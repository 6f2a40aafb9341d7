/** The tags of an OFX file, of version 1 (SGML, without closing tags for values) and of version 2 (XML). */
import { CELL_LENGTH_MAX } from './bounds.ts';
import { decodeEntities } from './entities.ts';

interface OfxTag {
  /** The name in upper case. A closing tag begins with a slash. */
  tag: string;
  /** The text after it. A text that is too long is cut one character above the limit of a cell. */
  value: string;
  line: number;
}

const TAG = /^\/?[A-Za-z][A-Za-z0-9_.]{0,31}(?=[\s/>])/;
/** The text before decoding and trimming. */
const TEXT_LENGTH_MAX = 8 * CELL_LENGTH_MAX;

/** Each tag with the text after it. Skips comments, declarations and processing instructions; a `<` outside of tags is text. */
export function* ofxTags(source: string): Generator<OfxTag> {
  const [, prefix] = /<(\w+:)OFX[\s>]/i.exec(source) ?? [];
  const named =
    prefix === undefined ? source : source.replaceAll(`<${prefix}`, '<').replaceAll(`</${prefix}`, '</');
  const text = withoutSections(named);
  let found: OfxTag | undefined;
  let line = 1;
  let feed = text.indexOf('\n');
  for (let at = text.indexOf('<'); at !== -1; ) {
    const next = text.indexOf('<', at + 1);
    const part = text.slice(at + 1, next === -1 ? text.length : next);
    const end = part.indexOf('>');
    const [name] = end === -1 ? [] : (TAG.exec(part) ?? []);
    if (name !== undefined) {
      if (found) yield withDecodedText(found);
      for (; feed !== -1 && feed < at; feed = text.indexOf('\n', feed + 1)) line++;
      found = { tag: name.toUpperCase(), value: part.slice(end + 1, end + 1 + TEXT_LENGTH_MAX), line };
    } else if (found && !/^(!DOCTYPE|\?(xml|OFX))\b/i.test(part) && found.value.length < TEXT_LENGTH_MAX) {
      found.value += `<${part.slice(0, TEXT_LENGTH_MAX)}`;
    }
    at = next;
  }
  if (found) yield withDecodedText(found);
}

const withDecodedText = ({ tag, value, line }: OfxTag): OfxTag => ({
  tag,
  line,
  value: decodeEntities(value.trim()).slice(0, CELL_LENGTH_MAX + 1),
});

/** CDATA sections as escaped text, without comments. */
function withoutSections(text: string): string {
  if (!text.includes('<!')) return text;
  const escaped = (content: string) =>
    content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return replaceSections(replaceSections(text, '<![CDATA[', ']]>', escaped), '<!--', '-->', () => '');
}

/** A section without an end stays unchanged. */
function replaceSections(
  text: string,
  start: string,
  end: string,
  replace: (content: string) => string,
): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const at = text.indexOf(start, from);
    const close = at === -1 ? -1 : text.indexOf(end, at + start.length);
    if (close === -1) break;
    parts.push(text.slice(from, at), replace(text.slice(at + start.length, close)));
    from = close + end.length;
  }
  return parts.join('') + text.slice(from);
}
