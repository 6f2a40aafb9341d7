/** Files that are costly to read for their size, by format, and a usual file of each format. */
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';

/** @returns a file of about `size` bytes */
export type File = (size: number) => Uint8Array;
export interface Costly {
  file: File;
  options?: ImportOptions;
}

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

const CATEGORIES = {
  income: Array.from({ length: 20 }, (_, n) => ({ key: `incomeCategory${n}`, label: `Income of kind ${n}` })),
  expense: Array.from({ length: 20 }, (_, n) => ({
    key: `expenseCategory${n}`,
    label: `Expense of kind ${n}`,
  })),
};
const CHOSEN = { map: { date: 'When it was', amount: 'What it was' } };

const utf16 = (text: string): Uint8Array =>
  new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer);

const CSV: Record<string, Costly> = {
  'quoted cells without a line end': { file: repeated('"a",') },
  'quotes in a cell that are not doubled': { file: repeated('"x', `${HEADER}"`) },
  'quotes in a cell, with spaces at its end': {
    file: (size) => encoder.encode(`${HEADER}"${'"x'.repeat(size / 4)}${' '.repeat(size / 2)},1\n`),
  },
  'quotes and spaces': { file: repeated('" ', `${HEADER}"`) },
  'doubled quotes': { file: repeated('""', `${HEADER}"`) },
  'a quote that never ends': { file: repeated('a,b\n', `${HEADER}"`) },
  'returns in quotes, in an export of the ledger': {
    file: repeated('"\r"', 'date,amountPence,externalRef\n"'),
  },
  'commas alone, after a header': { file: repeated(',', HEADER) },
  'all delimiters': { file: repeated(',;\t|') },
  'rows of commas': { file: repeated(',,\n', HEADER) },
  'wide rows without a header, with chosen columns': {
    file: repeated(`${'When, it,'.repeat(499)}a\n`),
    options: CHOSEN,
  },
  'categories that are none': {
    file: counted((n) => `${day(n)},1,income${n % 97}categoryX\n`, 'date,amount,category\n'),
    options: { categories: CATEGORIES },
  },
  'amounts in too many groups': { file: repeated(`2026-04-01,a,"${'1,'.repeat(31)}1"\n`, HEADER) },
  'dates that are almost one': { file: repeated(`${'1 '.repeat(31)},a,5\n`, HEADER) },
  'a long description that is in the other one, almost': {
    file: repeated(
      `1,2026-04-01,1,1,"${ALIKE.slice(4_000, 12_000)}",5,GBP,"${ALIKE}"\n`,
      'Transaction ID,Date,Time,Type,Name,Amount,Currency,Description\n',
    ),
  },
  'a long name of the account': {
    file: repeated(
      '2026-04-01,a,b,1,,1\n',
      `Account Name,"${'x'.repeat(30_000)}"\n\nDate,Transaction type,Description,Paid out,Paid in,Balance\n`,
    ),
  },
  'UTF-16': { file: (size) => utf16(HEADER + '2026-04-01,a,5.00\n'.repeat(size / 36)) },
  'bytes of Windows-1252': { file: (size) => new Uint8Array(size).fill(0x80) },
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
    }).map(([name, unit]) => [`cells of 30,000 ${name}`, { file: inCells(unit) }]),
  ),
  'cells of the most marks': { file: inCells('\u0315\u0316', 100) },
};

const ENTRY = '{"date":"2026-04-01","type":"income","amountPence":450,"description":"Rent"';
const JSON_FILES: Record<string, Costly> = {
  'open arrays': { file: repeated('[') },
  'open objects': { file: repeated('{"a":') },
  'closed arrays in an entry': {
    file: (size) => encoder.encode(`[${ENTRY},"a":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}]`),
  },
  'arrays in the place of a date': {
    file: (size) =>
      encoder.encode(`[{"date":${'['.repeat(3_000)}${']'.repeat(3_000)}},${'1,'.repeat(size / 2)}1]`),
  },
  'empty objects': { file: repeated('{},', '[', '1]') },
  'members that are none': { file: counted((n) => `,"k${n}":1`, `[${ENTRY}`, '}]') },
  'members that are none, in each entry': {
    file: counted((n) => `{${Array.from({ length: 60 }, (_, k) => `"dat${k}":${n}`).join()}},`, '[', '{}]'),
  },
  'a member that repeats': { file: repeated(',"date":"x"', `[${ENTRY}`, '}]') },
  'descriptions of marks': {
    file: repeated(`${ENTRY},"description":"${'\u0315\u0316'.repeat(250)}"},`, '[', '1]'),
  },
  'a long name': { file: repeated('a', `[${ENTRY},"`, '":1}]') },
};

const NDJSON: Record<string, Costly> = {
  'lines of an object': { file: repeated('{}\n') },
  'lines of a digit': { file: repeated('1\n') },
  'a line of open brackets': { file: repeated('[', '{}\n') },
  'lines of many brackets': { file: repeated(`${'['.repeat(5_000)}${']'.repeat(5_000)}\n`, '{}\n') },
};

const OFX_HEAD = '<OFX><STMTRS><CURDEF>GBP';
const TRANSACTION = '<STMTTRN><DTPOSTED>20260401<TRNAMT>1.00<FITID>1<NAME>a</STMTTRN>';
const OFX: Record<string, Costly> = {
  'a tag that never ends': { file: repeated('a', `${OFX_HEAD}<`) },
  'a tag of spaces that never ends': { file: repeated(' ', `${OFX_HEAD}<a`) },
  'tags that never end': { file: repeated('<a', OFX_HEAD) },
  'tags of nothing': { file: repeated('<', OFX_HEAD) },
  'different tags': { file: counted((n) => `<T${n}>1`, `${OFX_HEAD}<STMTTRN>`) },
  'transactions without an end': { file: repeated('<STMTTRN>', OFX_HEAD) },
  ampersands: { file: repeated('&', `${OFX_HEAD}<STMTTRN><NAME>`) },
  'entities without an end': { file: repeated('&a', `${OFX_HEAD}<STMTTRN><NAME>`) },
  'an entity without an end': { file: repeated('a', `${OFX_HEAD}<STMTTRN><NAME>&`) },
  'CDATA without an end': { file: repeated('<![CDATA[', OFX_HEAD) },
  'comments without an end': { file: repeated('<!--', OFX_HEAD) },
  'a name in spaces': { file: repeated(' ', `${OFX_HEAD}<STMTTRN><NAME>a`, '<') },
  'a long account': {
    file: (size) =>
      encoder.encode(
        `${OFX_HEAD}<BANKACCTFROM><ACCTID>${'1'.repeat(size / 2)}</BANKACCTFROM>${TRANSACTION.repeat(size / 2 / TRANSACTION.length)}`,
      ),
  },
  'a long currency': {
    file: (size) =>
      encoder.encode(
        `<OFX><STMTRS><CURDEF>${'G'.repeat(size / 2)}${TRANSACTION.repeat(size / 2 / TRANSACTION.length)}`,
      ),
  },
  'marks that are out of order': {
    file: repeated(
      `<STMTTRN><DTPOSTED>20260401<TRNAMT>1<NAME>${'\u0315\u0316'.repeat(15_000)}</STMTTRN>`,
      OFX_HEAD,
    ),
  },
  'a name that is in the memo, almost': {
    file: repeated(
      `<STMTTRN><DTPOSTED>20260401<TRNAMT>1<NAME>${ALIKE.slice(4_000, 12_000)}<MEMO>${ALIKE}</STMTTRN>`,
      OFX_HEAD,
    ),
  },
  'amounts with many marks': { file: repeated(`<STMTTRN><TRNAMT>${'1,'.repeat(5_000)}</STMTTRN>`, OFX_HEAD) },
};

const CAMT_HEAD = '<BkToCstmrStmt><Stmt><Acct><Id><IBAN>GB1</IBAN></Id></Acct>';
const CAMT_TAIL = '</Stmt></BkToCstmrStmt>';
const camtEntry = (content: string, amount = '1.00') =>
  `<Ntry><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-04-01</Dt></BookgDt>${content}</Ntry>`;
const camtDetails = (content: string) => `<NtryDtls><TxDtls>${content}</TxDtls></NtryDtls>`;
const inCamt = (unit: string, head = '', tail = '') =>
  repeated(unit, CAMT_HEAD + head, tail === '' ? '' : tail + CAMT_TAIL);
const CAMT: Record<string, Costly> = {
  'elements in elements': { file: inCamt('<a>') },
  'elements of statements in elements': { file: inCamt('<Ntry>') },
  'statements in statements': { file: repeated('<BkToCstmrStmt><Stmt>') },
  'elements of nothing': { file: inCamt('<a/>', '', ' ') },
  'entries of nothing': { file: inCamt('<Ntry/>', '', ' ') },
  'transactions of nothing': { file: inCamt('<TxDtls/>', '<Ntry><NtryDtls>', '</NtryDtls></Ntry>') },
  'a tag that never ends': { file: inCamt('a', '<') },
  'attributes of an amount': { file: inCamt(' a="1"', '<Ntry><Amt', '>1</Amt></Ntry>') },
  'attributes without an end': { file: inCamt(` a='1`, '<Ntry><Amt') },
  'quotes in a tag': { file: inCamt(`"'`, '<Ntry><Amt ') },
  'a long prefix': { file: inCamt('a', '<', ':Ntry/>') },
  ampersands: { file: inCamt('&', '<Ntry><AddtlNtryInf>', '</AddtlNtryInf></Ntry>') },
  'entities without an end': { file: inCamt('&#1', '<Ntry><AddtlNtryInf>', '</AddtlNtryInf></Ntry>') },
  'entities of its own': {
    file: repeated('<!ENTITY a "&b;&b;">', `<!DOCTYPE a [`, `]>${CAMT_HEAD}${CAMT_TAIL}`),
  },
  'CDATA without an end': { file: inCamt('<![CDATA[') },
  'CDATA in a text': { file: inCamt('<![CDATA[a]]>', '<Ntry><AddtlNtryInf>', '</AddtlNtryInf></Ntry>') },
  'comments without an end': { file: inCamt('<!--') },
  'comments in a text': { file: inCamt('a<!---->', '<Ntry><AddtlNtryInf>', '</AddtlNtryInf></Ntry>') },
  'texts of a transaction': {
    file: inCamt(
      '<Ustrd>a</Ustrd>',
      '<Ntry><NtryDtls><TxDtls><RmtInf>',
      '</RmtInf></TxDtls></NtryDtls></Ntry>',
    ),
  },
  balances: { file: inCamt('<Bal><Amt Ccy="GBP">1</Amt></Bal>', '', ' ') },
  'statements of nothing': { file: repeated('<Stmt/>', '<BkToCstmrStmt>', '</BkToCstmrStmt>') },
  'a name that is in the text, almost': {
    file: inCamt(
      camtEntry(
        camtDetails(
          `<RltdPties><Cdtr><Nm>${ALIKE.slice(4_000, 12_000)}</Nm></Cdtr></RltdPties><RmtInf><Ustrd>${ALIKE}</Ustrd></RmtInf>`,
        ),
      ),
      '',
      ' ',
    ),
  },
  'marks that are out of order': {
    file: inCamt(camtEntry(`<AddtlNtryInf>${'\u0315\u0316'.repeat(15_000)}</AddtlNtryInf>`), '', ' '),
  },
  'amounts of many digits': { file: inCamt(camtEntry('', '0'.repeat(10_000)), '', ' ') },
};

const QIF: Record<string, Costly> = {
  'lines of nothing': { file: repeated('\n', '!Type:Bank\n') },
  returns: { file: repeated('\r', '!Type:Bank\n') },
  'sections of nothing': { file: repeated('!Type:Bank\n') },
  'headers of nothing': { file: repeated('!\n', '!Type:Bank\n') },
  'a long header': { file: repeated(' ', '!Type:') },
  'accounts of nothing': { file: repeated('Na\n^\n', '!Account\n', '!Type:Bank\n') },
  'records of nothing': { file: repeated('x\n^\n', '!Type:Bank\n') },
  'one record': { file: repeated('Sa\nEb\n$1.00\n', '!Type:Bank\nD2026-04-01\nT3.00\n') },
  'one line': { file: repeated('a', '!Type:Bank\nP') },
  'dates that are almost one': { file: repeated(`D${'1/ '.repeat(30)}'\n^\n`, '!Type:Bank\n') },
  'long dates': { file: repeated(`D1/${' '.repeat(5_000)}\n^\n`, '!Type:Bank\n') },
  'amounts with many marks': { file: repeated(`T${'1,'.repeat(5_000)}\n^\n`, '!Type:Bank\n') },
  'a payee that is in the memo, almost': {
    file: repeated(`D2026-04-01\nT1\nP${ALIKE.slice(4_000, 12_000)}\nM${ALIKE}\n^\n`, '!Type:Bank\n'),
  },
  'marks that are out of order': {
    file: repeated(`D2026-04-01\nT1\nP${'\u0315\u0316'.repeat(15_000)}\n^\n`, '!Type:Bank\n'),
  },
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

const RULES = `description contains "nothing" -> ${' '.repeat(900)}x\n`.repeat(1_000);

/** By format. */
export const COSTLY_FILES: Record<string, { usual: File; costly: Record<string, Costly> }> = {
  csv: {
    usual: usualCsv,
    costly: {
      ...CSV,
      'as many and as long rules as there may be, none of which matches': {
        file: usualCsv,
        options: { rules: RULES },
      },
    },
  },
  json: { usual: counted((n) => `${n === 0 ? '' : ','}${usualEntry(n)}`, '[', ']'), costly: JSON_FILES },
  ndjson: { usual: counted((n) => `${usualEntry(n)}\n`), costly: NDJSON },
  ofx: { usual: counted(usualTransaction, OFX_HEAD), costly: OFX },
  camt: { usual: counted(usualCamtEntry, CAMT_HEAD, CAMT_TAIL), costly: CAMT },
  qif: { usual: counted(usualRecord, '!Type:Bank\n'), costly: QIF },
};
