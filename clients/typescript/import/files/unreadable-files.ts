/** Kinds of files that are not read, each with its advice. */
import { ImportError } from '../import-error.ts';

const TAKE_STATEMENT = 'download the statement as CAMT.053, OFX or CSV';

/** The kind of file, with its advice. */
const UNREADABLE: [what: string, advice: string, isIt: (file: FileSigns) => boolean][] = [
  [
    'a workbook with a password',
    'remove the password in Excel (File, Info, Protect Workbook)',
    ({ isOle, has }) => isOle && has('E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e'),
  ],
  [
    'a workbook of Excel 2003, OpenDocument or Numbers, or a binary one',
    'export it as Excel or CSV',
    ({ extension, isOle, zip, has, text }) =>
      extension === 'numbers' ||
      zip.some((name) => /^Index\/.*\.iwa$|^xl\/workbook\.bin$/.test(name)) ||
      (isOle && (has('W\0o\0r\0k\0b\0o\0o\0k') || has('B\0o\0o\0k\0'))) ||
      (zip.includes('content.xml') && has('opendocument')) ||
      /progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet/.test(text()),
  ],
  [
    'a document of Word (also RTF), PowerPoint or an old Office',
    'copy its table to a spreadsheet and save that as .xlsx or CSV',
    ({ isOle, zip, start }) =>
      isOle || start.startsWith('{\\rtf') || zip.some((name) => /^(word|ppt)\//.test(name)),
  ],
  [
    'an archive with other files, or a compressed file',
    'unpack it',
    ({ isZip, zip, start }) =>
      (isZip && zip.length > 0 && !zip.some((name) => /^xl\/|^\[Content_Types\]/.test(name))) ||
      ['\x1f\x8b', 'BZh', '7z\xbc\xaf', 'Rar!', '\xfd7zXZ'].some((mark) => start.startsWith(mark)),
  ],
  [
    'a PDF or a picture',
    TAKE_STATEMENT,
    ({ start }) =>
      start.includes('%PDF-') ||
      ['\x89PNG', '\xff\xd8\xff', 'GIF8', 'II*\0', 'MM\0*'].some((mark) => start.startsWith(mark)) ||
      start.slice(4, 8) === 'ftyp',
  ],
  [
    'a web page, even if its name ends in .xls',
    'open it in Excel and save it as .xlsx, or download CSV or OFX',
    ({ text }) =>
      /^(?:\s|<\?xml[^>]*>|<!--[^>]*-->)*<(!doctype html|(?:html|head|body|table|meta|style|script|div|center|p)[\s>])/i.test(
        text(),
      ),
  ],
  [
    'a web page or a mail with its parts',
    'open it, and save its table as .xlsx or CSV',
    ({ text }) => /^(?:MIME-Version|Return-Path|Received|Delivered-To): /i.test(text().trimStart()),
  ],
  [
    'MT940, BAI2 or an order to a bank (pain)',
    TAKE_STATEMENT,
    ({ text }) =>
      (/^:(20|25|28C?|60[FM]):/m.test(text()) && /^:(20|60[FM]|61|34F):/m.test(text())) ||
      (/^01,[^,\n]*,[^,\n]*,\d{6},/.test(text()) && /^0[23],/m.test(text())) ||
      /\bpain\.0\d\d\.|CstmrCdtTrfInitn|CstmrDrctDbtInitn/.test(text()),
  ],
  [
    'a text of Santander',
    'download the statement as Excel, OFX or CSV, and save .xls as .xlsx',
    ({ text }) =>
      /^Date:\s/m.test(text()) &&
      /^Amount:\s/m.test(text()) &&
      /^(From|Account|Arranged|Balance|Description):\s/m.test(text()),
  ],
  [
    'a file of QuickBooks (IIF), SYLK, DIF or another program, and no text',
    'export the transactions as CSV, OFX or QIF',
    ({ isZip, text }) =>
      /^!(?:TRNS|ACCNT|HDR)\t|^ID;P|^TABLE\r?\n0,1\r?\n/.test(text()) ||
      (!isZip && text().slice(0, 16).includes('\0')),
  ],
];

/** The signs of a kind of file. */
interface FileSigns {
  /** The extension of the name without the dot, in lower case. */
  extension: string;
  /** The first bytes, each as a character. */
  start: string;
  /** The first characters, decoded. */
  text: () => string;
  isOle: boolean;
  isZip: boolean;
  /** The names of the files of an archive; empty for other files. */
  zip: readonly string[];
  /** Whether the bytes contain this text. */
  has: (text: string) => boolean;
}

/** @throws ImportError `unreadable_file` for a known kind of file that is not read */
export function requireReadable(file: FileSigns): void {
  const found = UNREADABLE.find(([, , isIt]) => isIt(file));
  if (found) throw new ImportError('unreadable_file', `This is ${found[0]}; ${found[1]}.`);
}
