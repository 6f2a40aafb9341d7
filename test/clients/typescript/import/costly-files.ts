/** Files that are costly to read for their size, by format, and a usual file of each format. */

import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { ofOneSource } from './files.ts';

/** @returns a file of about `size` bytes */
export type File = (size: number) => Uint8Array;

/** `unit` for each index between `head` and `tail`. */
export const repeated =
  (unit: string | ((index: number) => string), head = '', tail = ''): File =>
  (size) => {
    const units: string[] = [];
    for (let length = head.length; length < size; length += units.at(-1)?.length ?? 1) {
      units.push(typeof unit === 'string' ? unit : unit(units.length));
    }
    return new TextEncoder().encode(head + units.join('') + tail);
  };

/** In Latin-1 in the place of UTF-8. */
const inLatin1 =
  (file: File): File =>
  (size) =>
    Uint8Array.from(new TextDecoder().decode(file(size)), (character) => character.charCodeAt(0));

const day = (index: number) => `2026-04-${String((index % 28) + 1).padStart(2, '0')}`;
/** A sum of letters tells the windows of these texts apart as little as it can. */
const ALIKE = `${'a'.repeat(8_000)}b${'a'.repeat(8_000)}`;
const ALMOST = ALIKE.slice(4_000, 12_000);
const MARKS = '\u0315\u0316';
const MANY_MARKS = MARKS.repeat(15_000);

const HEADER = 'Date,Description,Amount\n';
const inCells = (unit: string, length = 30_000): File =>
  repeated(`2026-04-01,"${unit.repeat(length / unit.length)}",5.00\n`, HEADER);
const LONG_RULES = 'as many and as long rules as there may be, none of which matches';
const CATEGORIES_THAT_ARE_NONE = 'categories that are none';
const usualCsv = repeated((n) => `${day(n)},"Payment ${n % 300}, ref ${n % 7}",-${n % 500}.50\n`, HEADER);

const CSV: Record<string, File> = {
  [LONG_RULES]: usualCsv,
  [CATEGORIES_THAT_ARE_NONE]: repeated(
    (n) => `${day(n)},1,income${n % 97}categoryX\n`,
    'date,amount,category\n',
  ),
  'quoted cells without a line end': repeated('"a",'),
  'quotes in a cell that are not doubled': repeated('"x', `${HEADER}"`),
  'a quote that never ends': repeated('a,b\n', `${HEADER}"`),
  'commas alone': repeated(',', HEADER),
  'amounts in too many groups': repeated(`2026-04-01,a,"${'1,'.repeat(31)}1"\n`, HEADER),
  'dates that are almost one': repeated(`${'1 '.repeat(31)},a,5\n`, HEADER),
  'a long description that is in the other one, almost': repeated(
    `1,2026-04-01,1,1,"${ALMOST}",5,GBP,"${ALIKE}"\n`,
    'Transaction ID,Date,Time,Type,Name,Amount,Currency,Description\n',
  ),
  'cells of digits': inCells('1'),
  'cells of spaces': inCells('\u2009'),
  'cells of decimal marks': inCells('1,'),
  'cells of marks that are out of order': inCells(MARKS),
  'cells of the most marks': inCells(MARKS, 100),
  'balances of many months': repeated(`2026-04-01,"Opening balance ${'mar'.repeat(16)}!",5.00\n`, HEADER),
  'balances of many digits': repeated(`2026-04-01,"Opening balance ${'1'.repeat(16)}!",5.00\n`, HEADER),
  'one word of letters that are not UTF-8': inLatin1(repeated('a', `${HEADER}2026-04-01,\u00e9 `)),
  'currencies of brackets': repeated(`2026-04-01,5.00,GBP${')'.repeat(30_000)}!\n`, 'Date,Amount,Currency\n'),
};

const ENTRY = '{"date":"2026-04-01","type":"income","amountPence":450,"description":"Rent"';
const manyMembers = (n: number) => Array.from({ length: 60 }, (_, k) => `"dat${k}":${n}`).join();
const JSON_FILES: Record<string, File> = {
  'open arrays': repeated('['),
  'arrays in the place of dates': repeated(`{"date":${'['.repeat(3_000)}${']'.repeat(3_000)}},`, '[', '1]'),
  'members that are none': repeated((n) => `,"k${n}":1`, `[${ENTRY}`, '}]'),
  'members that are none, in each entry': repeated((n) => `{${manyMembers(n)}},`, '[', '{}]'),
  'descriptions of quotes': repeated('\\"', '[{"description":"', '"}]'),
  'descriptions of marks': repeated(`${ENTRY},"description":"${MARKS.repeat(250)}"},`, '[', '1]'),
};

const NDJSON: Record<string, File> = {
  'a line of open brackets': repeated('[', '{}\n'),
  'lines of many brackets': repeated(`${'['.repeat(5_000)}${']'.repeat(5_000)}\n`, '{}\n'),
};

const OFX_HEAD = '<OFX><STMTRS><CURDEF>GBP';
const OFX_TAIL = '</STMTRS></OFX>';
const OFX_NAME = `${OFX_HEAD}<STMTTRN><NAME>`;
const named = (text: string) => `<STMTTRN><DTPOSTED>20260401<TRNAMT>1<NAME>${text}</STMTTRN>`;
const OFX: Record<string, File> = {
  'a tag that never ends': repeated('a', `${OFX_HEAD}<`, OFX_TAIL),
  'tags that never end': repeated('<a', OFX_HEAD, OFX_TAIL),
  'different tags': repeated((n) => `<T${n}>1`, `${OFX_HEAD}<STMTTRN>`, OFX_TAIL),
  'transactions without an end': repeated('<STMTTRN>', OFX_HEAD, OFX_TAIL),
  'entities without an end': repeated('&a', OFX_NAME, OFX_TAIL),
  'CDATA without an end': repeated('<![CDATA[', OFX_HEAD, OFX_TAIL),
  'comments without an end': repeated('<!--', OFX_HEAD, OFX_TAIL),
  'a name in spaces': repeated(' ', `${OFX_NAME}a`, `<${OFX_TAIL}`),
  'marks that are out of order': repeated(named(MANY_MARKS), OFX_HEAD, OFX_TAIL),
  'a name that is in the memo, almost': repeated(named(`${ALMOST}<MEMO>${ALIKE}`), OFX_HEAD, OFX_TAIL),
  'amounts with many marks': repeated(`<STMTTRN><TRNAMT>${'1,'.repeat(5_000)}</STMTTRN>`, OFX_HEAD, OFX_TAIL),
};

const CAMT_HEAD = '<BkToCstmrStmt><Stmt><Acct><Id><IBAN>GB1</IBAN></Id></Acct>';
const CAMT_TAIL = '</Stmt></BkToCstmrStmt>';
const camtEntry = (content: string, amount = '1.00') =>
  `<Ntry><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-04-01</Dt></BookgDt>${content}</Ntry>`;
const inCamt = (unit: string, head = '', tail = '') => repeated(unit, CAMT_HEAD + head, tail + CAMT_TAIL);
const inText = (unit: string) => inCamt(unit, '<Ntry><AddtlNtryInf>', '</AddtlNtryInf></Ntry>');
const ALMOST_IN_TEXT = `<NtryDtls><TxDtls><RltdPties><Cdtr><Nm>${ALMOST}</Nm></Cdtr></RltdPties><RmtInf><Ustrd>${ALIKE}</Ustrd></RmtInf></TxDtls></NtryDtls>`;
const CAMT: Record<string, File> = {
  'elements in elements': repeated('<a>', CAMT_HEAD),
  'elements of statements in elements': repeated('<Ntry>', CAMT_HEAD),
  'entries of nothing': inCamt('<Ntry/>'),
  'a tag that never ends': repeated('a', `${CAMT_HEAD}<`),
  'attributes of an amount': inCamt(' a="1"', '<Ntry><Amt', '>1</Amt></Ntry>'),
  'attributes without an end': repeated(` a='1`, `${CAMT_HEAD}<Ntry><Amt`),
  'entities without an end': inText('&#1'),
  'entities of its own': repeated('<!ENTITY a "&b;&b;">', '<!DOCTYPE a [', `]>${CAMT_HEAD}${CAMT_TAIL}`),
  'CDATA without an end': repeated('<![CDATA[', CAMT_HEAD),
  'CDATA in a text': inText('<![CDATA[a]]>'),
  'comments without an end': repeated('<!--', CAMT_HEAD),
  'comments in a text': inText('a<!---->'),
  'a name that is in the text, almost': inCamt(camtEntry(ALMOST_IN_TEXT)),
  'marks that are out of order': inCamt(camtEntry(`<AddtlNtryInf>${MANY_MARKS}</AddtlNtryInf>`)),
  'amounts of many digits': inCamt(camtEntry('', '0'.repeat(10_000))),
};

const QIF_HEAD = '!Type:Bank\n';
const QIF: Record<string, File> = {
  'lines of nothing': repeated('\n', QIF_HEAD),
  'lines of nothing before a record without an end': repeated('\n', QIF_HEAD, 'D2026-04-01\nT1.00\nPx'),
  'a long header': repeated(' ', '!Type:'),
  'accounts of nothing': repeated('Na\n^\n', '!Account\n', QIF_HEAD),
  'records of nothing': repeated('x\n^\n', QIF_HEAD),
  'one record': repeated('Sa\nEb\n$1.00\n', `${QIF_HEAD}D2026-04-01\nT3.00\n`),
  'one line': repeated('a', `${QIF_HEAD}P`),
  'dates that are almost one': repeated(`D${'1/ '.repeat(30)}'\n^\n`, QIF_HEAD),
  'amounts with many marks': repeated(`T${'1,'.repeat(5_000)}\n^\n`, QIF_HEAD),
  'a payee that is in the memo, almost': repeated(`D2026-04-01\nT1\nP${ALMOST}\nM${ALIKE}\n^\n`, QIF_HEAD),
  'marks that are out of order': repeated(`D2026-04-01\nT1\nP${MANY_MARKS}\n^\n`, QIF_HEAD),
};

const usualEntry = (n: number) =>
  `{"date":"${day(n)}","type":"expense","amountPence":${(n % 500) + 1},"description":"Payment ${n % 300}"}`;
const usualTransaction = (n: number) =>
  `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day(n).replaceAll('-', '')}<TRNAMT>-${n % 500}.50<FITID>${n}<NAME>Payment ${n % 300}</STMTTRN>\n`;
const usualCamtEntry = (n: number) =>
  camtEntry(
    `<AcctSvcrRef>${n}</AcctSvcrRef><AddtlNtryInf>Payment ${n % 300}</AddtlNtryInf>`,
    `${(n % 500) + 1}.50`,
  );
const usualRecord = (n: number) => `D${day(n)}\nT-${n % 500}.50\nPPayment ${n % 300}\n^\n`;
const categories = Array.from({ length: 20 }, (_, n) => ({ key: `category${n}`, label: `of kind ${n}` }));

/** Of single files, by their names. */
export const OPTIONS: Record<string, ImportOptions> = {
  [CATEGORIES_THAT_ARE_NONE]: ofOneSource({ income: categories, expense: categories }),
  [LONG_RULES]: { rules: `description contains "nothing" -> ${' '.repeat(900)}x\n`.repeat(1_000) },
};

/** By format. */
export const COSTLY_FILES: Record<string, { usual: File; costly: Record<string, File> }> = {
  csv: { usual: usualCsv, costly: CSV },
  json: { usual: repeated((n) => `${n === 0 ? '' : ','}${usualEntry(n)}`, '[', ']'), costly: JSON_FILES },
  ndjson: { usual: repeated((n) => `${usualEntry(n)}\n`), costly: NDJSON },
  ofx: { usual: repeated(usualTransaction, OFX_HEAD, OFX_TAIL), costly: OFX },
  camt: { usual: repeated(usualCamtEntry, CAMT_HEAD, CAMT_TAIL), costly: CAMT },
  qif: { usual: repeated(usualRecord, QIF_HEAD), costly: QIF },
};
