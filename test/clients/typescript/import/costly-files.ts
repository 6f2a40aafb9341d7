/** Files that are costly to read for their size, by format, and a usual file of each format. */
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';

/** @returns a file of about `size` bytes */
export type File = (size: number) => Uint8Array;

const encoder = new TextEncoder();

/** `unit` repeated between `head` and `tail`. */
export const repeated =
  (unit: string, head = '', tail = ''): File =>
  (size) =>
    encoder.encode(head + unit.repeat(Math.max(1, Math.floor((size - head.length) / unit.length))) + tail);

/** Like `repeated`, with a different unit for each index. */
const counted =
  (unit: (index: number) => string, head = '', tail = ''): File =>
  (size) => {
    const units: string[] = [];
    for (let length = head.length; length < size; length += units.at(-1)?.length ?? 1) {
      units.push(unit(units.length));
    }
    return encoder.encode(head + units.join('') + tail);
  };

const day = (index: number) => `2026-04-${String((index % 28) + 1).padStart(2, '0')}`;
const HEADER = 'Date,Description,Amount\n';
const inCells = (unit: string, length = 30_000): File =>
  repeated(`2026-04-01,"${unit.repeat(length / unit.length)}",5.00\n`, HEADER);
/** A sum of letters tells the windows of these texts apart as little as it can. */
const ALIKE = `${'a'.repeat(8_000)}b${'a'.repeat(8_000)}`;

const categoriesOf = (type: string) =>
  Array.from({ length: 20 }, (_, n) => ({ key: `${type}Category${n}`, label: `${type} of kind ${n}` }));
const CATEGORIES = { income: categoriesOf('income'), expense: categoriesOf('expense') };

const utf16 = (text: string): Uint8Array =>
  new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer);

const CSV: Record<string, File> = {
  'quoted cells without a line end': repeated('"a",'),
  'quotes in a cell that are not doubled': repeated('"x', `${HEADER}"`),
  'quotes in a cell, with spaces at its end': (size) =>
    encoder.encode(`${HEADER}"${'"x'.repeat(size / 4)}${' '.repeat(size / 2)},1\n`),
  'quotes and spaces': repeated('" ', `${HEADER}"`),
  'doubled quotes': repeated('""', `${HEADER}"`),
  'a quote that never ends': repeated('a,b\n', `${HEADER}"`),
  'returns in quotes, in an export of the ledger': repeated('"\r"', 'date,amountPence,externalRef\n"'),
  'commas alone, after a header': repeated(',', HEADER),
  'all delimiters': repeated(',;\t|'),
  'rows of commas': repeated(',,\n', HEADER),
  'wide rows without a header, with chosen columns': repeated(`${'When, it,'.repeat(499)}a\n`),
  'categories that are none': counted(
    (n) => `${day(n)},1,income${n % 97}categoryX\n`,
    'date,amount,category\n',
  ),
  'amounts in too many groups': repeated(`2026-04-01,a,"${'1,'.repeat(31)}1"\n`, HEADER),
  'dates that are almost one': repeated(`${'1 '.repeat(31)},a,5\n`, HEADER),
  'a long description that is in the other one, almost': repeated(
    `1,2026-04-01,1,1,"${ALIKE.slice(4_000, 12_000)}",5,GBP,"${ALIKE}"\n`,
    'Transaction ID,Date,Time,Type,Name,Amount,Currency,Description\n',
  ),
  'a long name of the account': repeated(
    '2026-04-01,a,b,1,,1\n',
    `Account Name,"${'x'.repeat(30_000)}"\n\nDate,Transaction type,Description,Paid out,Paid in,Balance\n`,
  ),
  'UTF-16': (size) => utf16(HEADER + '2026-04-01,a,5.00\n'.repeat(size / 36)),
  'bytes of Windows-1252': (size) => new Uint8Array(size).fill(0x80),
  ...Object.fromEntries(
    Object.entries({
      digits: '1',
      spaces: ' ',
      'spaces of other kinds': '\u2009',
      minuses: '-',
      apostrophes: "'",
      'decimal marks': '1,',
      'marks that are out of order': '\u0315\u0316',
      'line ends': '\n',
      emoji: '🏠',
    }).map(([name, unit]) => [`cells of 30,000 ${name}`, inCells(unit)]),
  ),
  'cells of the most marks': inCells('\u0315\u0316', 100),
};

const ENTRY = '{"date":"2026-04-01","type":"income","amountPence":450,"description":"Rent"';
const JSON_FILES: Record<string, File> = {
  'open arrays': repeated('['),
  'open objects': repeated('{"a":'),
  'closed arrays in an entry': (size) =>
    encoder.encode(`[${ENTRY},"a":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}]`),
  'arrays in the place of a date': (size) =>
    encoder.encode(`[{"date":${'['.repeat(3_000)}${']'.repeat(3_000)}},${'1,'.repeat(size / 2)}1]`),
  'empty objects': repeated('{},', '[', '1]'),
  'members that are none': counted((n) => `,"k${n}":1`, `[${ENTRY}`, '}]'),
  'members that are none, in each entry': counted(
    (n) => `{${Array.from({ length: 60 }, (_, k) => `"dat${k}":${n}`).join()}},`,
    '[',
    '{}]',
  ),
  'a member that repeats': repeated(',"date":"x"', `[${ENTRY}`, '}]'),
  'descriptions of marks': repeated(`${ENTRY},"description":"${'\u0315\u0316'.repeat(250)}"},`, '[', '1]'),
  'a long name': repeated('a', `[${ENTRY},"`, '":1}]'),
};

const NDJSON: Record<string, File> = {
  'lines of an object': repeated('{}\n'),
  'lines of a digit': repeated('1\n'),
  'a line of open brackets': repeated('[', '{}\n'),
  'lines of many brackets': repeated(`${'['.repeat(5_000)}${']'.repeat(5_000)}\n`, '{}\n'),
};

const OFX_HEAD = '<OFX><STMTRS><CURDEF>GBP';
const TRANSACTION = '<STMTTRN><DTPOSTED>20260401<TRNAMT>1.00<FITID>1<NAME>a</STMTTRN>';
const OFX: Record<string, File> = {
  'a tag that never ends': repeated('a', `${OFX_HEAD}<`),
  'a tag of spaces that never ends': repeated(' ', `${OFX_HEAD}<a`),
  'tags that never end': repeated('<a', OFX_HEAD),
  'tags of nothing': repeated('<', OFX_HEAD),
  'different tags': counted((n) => `<T${n}>1`, `${OFX_HEAD}<STMTTRN>`),
  'transactions without an end': repeated('<STMTTRN>', OFX_HEAD),
  ampersands: repeated('&', `${OFX_HEAD}<STMTTRN><NAME>`),
  'entities without an end': repeated('&a', `${OFX_HEAD}<STMTTRN><NAME>`),
  'an entity without an end': repeated('a', `${OFX_HEAD}<STMTTRN><NAME>&`),
  'CDATA without an end': repeated('<![CDATA[', OFX_HEAD),
  'comments without an end': repeated('<!--', OFX_HEAD),
  'a name in spaces': repeated(' ', `${OFX_HEAD}<STMTTRN><NAME>a`, '<'),
  'a long account': (size) =>
    encoder.encode(
      `${OFX_HEAD}<BANKACCTFROM><ACCTID>${'1'.repeat(size / 2)}</BANKACCTFROM>${TRANSACTION.repeat(size / 2 / TRANSACTION.length)}`,
    ),
  'a long currency': (size) =>
    encoder.encode(
      `<OFX><STMTRS><CURDEF>${'G'.repeat(size / 2)}${TRANSACTION.repeat(size / 2 / TRANSACTION.length)}`,
    ),
  'marks that are out of order': repeated(
    `<STMTTRN><DTPOSTED>20260401<TRNAMT>1<NAME>${'\u0315\u0316'.repeat(15_000)}</STMTTRN>`,
    OFX_HEAD,
  ),
  'a name that is in the memo, almost': repeated(
    `<STMTTRN><DTPOSTED>20260401<TRNAMT>1<NAME>${ALIKE.slice(4_000, 12_000)}<MEMO>${ALIKE}</STMTTRN>`,
    OFX_HEAD,
  ),
  'amounts with many marks': repeated(`<STMTTRN><TRNAMT>${'1,'.repeat(5_000)}</STMTTRN>`, OFX_HEAD),
};

const CAMT_HEAD = '<BkToCstmrStmt><Stmt><Acct><Id><IBAN>GB1</IBAN></Id></Acct>';
const CAMT_TAIL = '</Stmt></BkToCstmrStmt>';
const camtEntry = (content: string, amount = '1.00') =>
  `<Ntry><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-04-01</Dt></BookgDt>${content}</Ntry>`;
const camtDetails = (content: string) => `<NtryDtls><TxDtls>${content}</TxDtls></NtryDtls>`;
const inCamt = (unit: string, head = '', tail = '') =>
  repeated(unit, CAMT_HEAD + head, tail === '' ? '' : tail + CAMT_TAIL);
const CAMT: Record<string, File> = {
  'elements in elements': inCamt('<a>'),
  'elements of statements in elements': inCamt('<Ntry>'),
  'statements in statements': repeated('<BkToCstmrStmt><Stmt>'),
  'elements of nothing': inCamt('<a/>', '', ' '),
  'entries of nothing': inCamt('<Ntry/>', '', ' '),
  'transactions of nothing': inCamt('<TxDtls/>', '<Ntry><NtryDtls>', '</NtryDtls></Ntry>'),
  'a tag that never ends': inCamt('a', '<'),
  'attributes of an amount': inCamt(' a="1"', '<Ntry><Amt', '>1</Amt></Ntry>'),
  'attributes without an end': inCamt(` a='1`, '<Ntry><Amt'),
  'quotes in a tag': inCamt(`"'`, '<Ntry><Amt '),
  'a long prefix': inCamt('a', '<', ':Ntry/>'),
  ampersands: inCamt('&', '<Ntry><AddtlNtryInf>', '</AddtlNtryInf></Ntry>'),
  'entities without an end': inCamt('&#1', '<Ntry><AddtlNtryInf>', '</AddtlNtryInf></Ntry>'),
  'entities of its own': repeated('<!ENTITY a "&b;&b;">', `<!DOCTYPE a [`, `]>${CAMT_HEAD}${CAMT_TAIL}`),
  'CDATA without an end': inCamt('<![CDATA['),
  'CDATA in a text': inCamt('<![CDATA[a]]>', '<Ntry><AddtlNtryInf>', '</AddtlNtryInf></Ntry>'),
  'comments without an end': inCamt('<!--'),
  'comments in a text': inCamt('a<!---->', '<Ntry><AddtlNtryInf>', '</AddtlNtryInf></Ntry>'),
  'texts of a transaction': inCamt(
    '<Ustrd>a</Ustrd>',
    '<Ntry><NtryDtls><TxDtls><RmtInf>',
    '</RmtInf></TxDtls></NtryDtls></Ntry>',
  ),
  balances: inCamt('<Bal><Amt Ccy="GBP">1</Amt></Bal>', '', ' '),
  'statements of nothing': repeated('<Stmt/>', '<BkToCstmrStmt>', '</BkToCstmrStmt>'),
  'a name that is in the text, almost': inCamt(
    camtEntry(
      camtDetails(
        `<RltdPties><Cdtr><Nm>${ALIKE.slice(4_000, 12_000)}</Nm></Cdtr></RltdPties><RmtInf><Ustrd>${ALIKE}</Ustrd></RmtInf>`,
      ),
    ),
    '',
    ' ',
  ),
  'marks that are out of order': inCamt(
    camtEntry(`<AddtlNtryInf>${'\u0315\u0316'.repeat(15_000)}</AddtlNtryInf>`),
    '',
    ' ',
  ),
  'amounts of many digits': inCamt(camtEntry('', '0'.repeat(10_000)), '', ' '),
};

const QIF: Record<string, File> = {
  'lines of nothing': repeated('\n', '!Type:Bank\n'),
  returns: repeated('\r', '!Type:Bank\n'),
  'sections of nothing': repeated('!Type:Bank\n'),
  'headers of nothing': repeated('!\n', '!Type:Bank\n'),
  'a long header': repeated(' ', '!Type:'),
  'accounts of nothing': repeated('Na\n^\n', '!Account\n', '!Type:Bank\n'),
  'records of nothing': repeated('x\n^\n', '!Type:Bank\n'),
  'one record': repeated('Sa\nEb\n$1.00\n', '!Type:Bank\nD2026-04-01\nT3.00\n'),
  'one line': repeated('a', '!Type:Bank\nP'),
  'dates that are almost one': repeated(`D${'1/ '.repeat(30)}'\n^\n`, '!Type:Bank\n'),
  'long dates': repeated(`D1/${' '.repeat(5_000)}\n^\n`, '!Type:Bank\n'),
  'amounts with many marks': repeated(`T${'1,'.repeat(5_000)}\n^\n`, '!Type:Bank\n'),
  'a payee that is in the memo, almost': repeated(
    `D2026-04-01\nT1\nP${ALIKE.slice(4_000, 12_000)}\nM${ALIKE}\n^\n`,
    '!Type:Bank\n',
  ),
  'marks that are out of order': repeated(
    `D2026-04-01\nT1\nP${'\u0315\u0316'.repeat(15_000)}\n^\n`,
    '!Type:Bank\n',
  ),
};

const usualRow = (n: number) => `${day(n)},"Payment ${n % 300}, ref ${n % 7}",-${n % 500}.50\n`;
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

const usualCsv = counted(usualRow, HEADER);

/** Of single files, by their names. */
export const OPTIONS: Record<string, ImportOptions> = {
  'wide rows without a header, with chosen columns': {
    map: { date: 'When it was', amount: 'What it was' },
  },
  'categories that are none': { categories: CATEGORIES },
  'as many and as long rules as there may be, none of which matches': {
    rules: `description contains "nothing" -> ${' '.repeat(900)}x\n`.repeat(1_000),
  },
};

/** By format. */
export const COSTLY_FILES: Record<string, { usual: File; costly: Record<string, File> }> = {
  csv: {
    usual: usualCsv,
    costly: {
      ...CSV,
      'as many and as long rules as there may be, none of which matches': usualCsv,
    },
  },
  json: { usual: counted((n) => `${n === 0 ? '' : ','}${usualEntry(n)}`, '[', ']'), costly: JSON_FILES },
  ndjson: { usual: counted((n) => `${usualEntry(n)}\n`), costly: NDJSON },
  ofx: { usual: counted(usualTransaction, OFX_HEAD), costly: OFX },
  camt: { usual: counted(usualCamtEntry, CAMT_HEAD, CAMT_TAIL), costly: CAMT },
  qif: { usual: counted(usualRecord, '!Type:Bank\n'), costly: QIF },
};
