/** The lines of a rules file with HMRC's id of a property abroad: `HMRC's id of "Villa Sol" is 8e8b8450-dc1b-4360-8109-7067337b42cb`. */
import type { SourceWithCategories } from '../options.ts';
import { quoted } from './action.ts';
import { ID_OF, invalidLine, linesWith, restOf } from './rules-text.ts';
import { sourceOfLine } from './sources.ts';

/** HMRC takes small letters alone. */
const HMRC_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
export const EXAMPLE_ID = '8e8b8450-dc1b-4360-8109-7067337b42cb';
const PROPERTY_ID_LINE = /^(.*\S)\s+is\s+(\S+)$/i;

/** The id as HMRC takes it; undefined for another text. */
export function readPropertyId(text: string): string | undefined {
  const id = text.trim().toLowerCase();
  return HMRC_ID.test(id) ? id : undefined;
}

/** The line to add to a rules file. */
export const propertyIdLine = (name: string, id: string) => `HMRC's id of ${quoted(name)} is ${id}`;

/** HMRC's ids, by the ids of the sources. @throws ImportError `invalid_rules` */
export function propertyIdsOf(text: string, sources: readonly SourceWithCategories[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { line, content } of linesWith(text, ID_OF)) {
    const [, named = '', written = ''] = PROPERTY_ID_LINE.exec(restOf(content, ID_OF)) ?? [];
    const propertyId = readPropertyId(written);
    if (propertyId === undefined)
      throw invalidLine(
        line,
        `has no id of HMRC; write for example ${propertyIdLine('Villa Sol', EXAMPLE_ID)}`,
      );
    const { id, name, type } = sourceOfLine(line, named, sources);
    if (type !== undefined && type !== 'foreign-property')
      throw invalidLine(line, `is about ${name}; remove it, because only property abroad has an id of HMRC`);
    if ([...found].some(([source, other]) => (source === id) !== (other === propertyId)))
      throw invalidLine(
        line,
        `contradicts an earlier line; ${name} has one id, and no other property has it`,
      );
    found.set(id, propertyId);
  }
  return found;
}
