/** Kinds of files that are not read, each with its advice. */
import { ImportError } from '../import-error.ts';

const UNREADABLE: { what: string; advice: string; isIt: (file: OtherFile) => boolean }[] = [
  {
    what: 'a spreadsheet of Numbers',
    advice: 'export it as Excel or CSV and import that file',
    isIt: ({ extension, zip }) =>
      extension === 'numbers' || zip.some((name) => /^Index\/.*\.iwa$/.test(name)),
  },
  {
    what: 'a workbook with a password',
    advice: 'open it in Excel, remove the password (File, Info, Protect Workbook) and save it again',
    isIt: ({ isOle, has }) => isOle && has('E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e'),
  },
  {
    what: 'a workbook of Excel 2003 or before',
    advice: 'save it as .xlsx',
    isIt: ({ isOle, has }) => isOle && (has('W\0o\0r\0k\0b\0o\0o\0k') || has('B\0o\0o\0k\0')),
  },
  {
    what: 'a document of an old Office',
    advice: 'save its table as .xlsx or CSV',
    isIt: ({ isOle }) => isOle,
  },
  {
    what: 'a spreadsheet of OpenDocument',
    advice: 'save it as .xlsx or CSV',
    isIt: ({ zip, has }) => zip.includes('content.xml') && has('opendocument'),
  },
  {
    what: 'a binary workbook of Excel',
    advice: 'save it as .xlsx',
    isIt: ({ zip }) => zip.includes('xl/workbook.bin'),
  },
  {
    what: 'a document of Word or PowerPoint',
    advice: 'copy its table to a spreadsheet and save that as .xlsx or CSV',
    isIt: ({ zip }) => zip.some((name) => /^(word|ppt)\//.test(name)),
  },
  {
    what: 'an archive with other files',
    advice: 'unpack it and import the files in it one by one',
    isIt: ({ isZip, zip }) =>
      isZip && zip.length > 0 && !zip.some((name) => /^xl\/|^\[Content_Types\]/.test(name)),
  },
  {
    what: 'a compressed file',
    advice: 'unpack it and import the file in it',
    isIt: ({ start }) =>
      ['\x1f\x8b', 'BZh', '7z\xbc\xaf', 'Rar!', '\xfd7zXZ'].some((mark) => start.startsWith(mark)),
  },
  {
    what: 'a PDF',
    advice: 'download the statement from the bank as CSV or OFX',
    isIt: ({ start }) => start.includes('%PDF-'),
  },
  {
    what: 'a picture',
    advice: 'download the statement from the bank as CSV or OFX',
    isIt: ({ start }) =>
      ['\x89PNG', '\xff\xd8\xff', 'GIF8', 'II*\0', 'MM\0*'].some((mark) => start.startsWith(mark)) ||
      start.slice(4, 8) === 'ftyp',
  },
  {
    what: 'a database',
    advice: 'export its transactions as CSV',
    isIt: ({ start }) => start.startsWith('SQLite format 3'),
  },
  {
    what: 'a workbook of Excel 2003 as XML',
    advice: 'open it in Excel and save it as .xlsx',
    isIt: ({ text }) => /progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet/.test(text()),
  },
  {
    what: 'a web page, even if its name ends in .xls',
    advice: 'open it in Excel and save it as .xlsx, or download CSV or OFX',
    isIt: ({ text }) =>
      /^(?:\s|<\?xml[^>]*>|<!--[^>]*-->)*<(!doctype html|(?:html|head|body|table|meta|style|script|div|center|p)[\s>])/i.test(
        text(),
      ),
  },
  {
    what: 'a web page or a mail with its parts',
    advice: 'open it, and save its table as .xlsx or CSV',
    isIt: ({ text }) => /^(?:MIME-Version|Return-Path|Received|Delivered-To): /i.test(text().trimStart()),
  },
  {
    what: 'a table of an old format (SYLK or DIF)',
    advice: 'open it in Excel and save it as .xlsx',
    isIt: ({ text }) => /^(?:ID;P|TABLE\r?\n0,1\r?\n)/.test(text()),
  },
  {
    what: 'MT940 (SWIFT)',
    advice: 'download the statement as CAMT.053, OFX or CSV',
    isIt: ({ text }) => /^:(20|25|28C?|60[FM]):/m.test(text()) && /^:(20|60[FM]|61|34F):/m.test(text()),
  },
  {
    what: 'BAI2',
    advice: 'download the statement as CAMT.053, OFX or CSV',
    isIt: ({ text }) => /^01,[^,\n]*,[^,\n]*,\d{6},/.test(text()) && /^0[23],/m.test(text()),
  },
  {
    what: 'a text of Santander, with a line for each value of a payment',
    advice: 'download the statement as Excel, OFX or CSV, and save .xls as .xlsx',
    isIt: ({ text }) =>
      /^Date:\s/m.test(text()) &&
      /^Amount:\s/m.test(text()) &&
      /^(From|Account|Arranged|Balance|Description):\s/m.test(text()),
  },
  {
    what: 'a file of QuickBooks (IIF)',
    advice: 'export the transactions as CSV',
    isIt: ({ text }) => /^!(TRNS|ACCNT|HDR)\t/m.test(text()),
  },
  {
    what: 'a document of Word (RTF)',
    advice: 'copy its table to a spreadsheet and save that as .xlsx or CSV',
    isIt: ({ start }) => start.startsWith('{\\rtf'),
  },
  {
    what: 'a file of a program, and no text',
    advice: 'export the transactions from the program as CSV, OFX or QIF',
    isIt: ({ isZip, text }) => !isZip && text().slice(0, 16).includes('\0'),
  },
  {
    what: 'an order to a bank (pain), not a statement',
    advice: 'download the statement as CAMT.053, OFX or CSV',
    isIt: ({ text }) => /\bpain\.0\d\d\.|CstmrCdtTrfInitn|CstmrDrctDbtInitn/.test(text()),
  },
];

interface OtherFile {
  /** Without the dot, in lower case. */
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
export function requireReadable(file: OtherFile): void {
  const found = UNREADABLE.find(({ isIt }) => isIt(file));
  if (found) throw new ImportError('unreadable_file', `This is ${found.what}; ${found.advice}.`);
}
