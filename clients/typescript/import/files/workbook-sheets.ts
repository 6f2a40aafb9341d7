/** The sheets of a workbook, from xl/workbook.xml. */
import { decodeEntities } from './entities.ts';

interface WorkbookSheet {
  name: string;
  isHidden: boolean;
  /** The file in the archive; undefined if the workbook does not name it. */
  file: string | undefined;
}

const WORKBOOK = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';

const EPOCH = /\bdate1904\s*=\s*["']\s*(?:1|true|on)\s*["']/i;

/** Also writes the date epoch in the form that read-excel-file understands: XML allows both `true` and `1`. */
export function readWorkbook(files: Record<string, Uint8Array>): {
  sheets: WorkbookSheet[];
  is1904: boolean;
} {
  const xml = xmlOf(files[WORKBOOK]);
  const is1904 = EPOCH.test(xml);
  if (is1904) files[WORKBOOK] = new TextEncoder().encode(xml.replace(EPOCH, 'date1904="1"'));
  const targets = new Map(
    tags(xmlOf(files[RELATIONS]), 'Relationship').map((tag) => [
      attribute(tag, 'Id'),
      attribute(tag, 'Target'),
    ]),
  );
  const sheets = tags(xml, 'sheet').map((tag) => {
    const target = targets.get(attribute(tag, '\\w+:id'));
    return {
      name: attribute(tag, 'name') ?? '',
      isHidden: /^(?:very)?hidden$/i.test(attribute(tag, 'state') ?? ''),
      file: target === undefined ? undefined : target.startsWith('/') ? target.slice(1) : `xl/${target}`,
    };
  });
  return { sheets, is1904 };
}

const xmlOf = (file: Uint8Array | undefined) => (file ? new TextDecoder().decode(file) : '');

const tags = (xml: string, name: string) =>
  Array.from(xml.matchAll(new RegExp(`<(?:\\w+:)?${name}\\s([^<>]*)>`, 'g')), ([, text]) => `${text}`);

function attribute(tag: string, name: string): string | undefined {
  const [, text] =
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
      .exec(tag)
      ?.filter((part) => part !== undefined) ?? [];
  return text === undefined ? undefined : decodeEntities(text);
}
