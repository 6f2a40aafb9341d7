/** Files as banks write them. Each returns the text, and the number that the command gives to each row. */
import type { Version } from './world.ts';

export interface Line extends Version {
  /** The bank's own id of the payment. */
  id: string;
  /** Pence, after the payment. */
  balance: number;
}

interface Written {
  text: string;
  /** Of each line, in the order of `lines`. */
  rows: number[];
}

export interface Statement {
  lines: readonly Line[];
  /** Which account of the landlord. */
  account: number;
  /** The days that the person chose. */
  from: string;
  to: string;
  /** Newest first, where the format has no order of its own. */
  isReversed: boolean;
}

interface Layout {
  extension: string;
  /** Whether each file names its account. */
  isNamed: boolean;
  hasIds: boolean;
  hasBalances: boolean;
  write(statement: Statement): Written;
}

const pounds = (pence: number) => `${pence < 0 ? '-' : ''}${(Math.abs(pence) / 100).toFixed(2)}`;
const slashes = (date: string) => date.split('-').reverse().join('/');
const compact = (date: string) => date.replaceAll('-', '');
// An account has one number, and one bank, in every format.
const SORT_CODE = '20-00-00';
const BANK = SORT_CODE.replaceAll('-', '');
const accountNumber = (account: number) => `1234567${account}`;

/** A header, and one line for each payment: the number of a row is that of its line. */
function table(header: string, { lines, isReversed }: Statement, cells: (line: Line) => (string | number)[]) {
  const texts = lines.map((line) => cells(line).join(','));
  const ordered = isReversed ? texts.toReversed() : texts;
  const rows = lines.map((_, index) => 2 + (isReversed ? lines.length - 1 - index : index));
  return { text: [header, ...ordered, ''].join('\n'), rows };
}

const ordinals = (lines: readonly Line[]) => lines.map((_, index) => index + 1);

const plain = (statement: Statement) =>
  table('Date,Description,Amount', statement, ({ date, description, pence }) => [
    ...[date, description, pounds(pence)],
  ]);

const plainWithIds = (statement: Statement) =>
  table('Date,Description,Amount,Transaction ID', statement, ({ date, description, pence, id }) => [
    ...[date, description, pounds(pence), id],
  ]);

const starling = (statement: Statement) =>
  table(
    'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes',
    { ...statement, isReversed: false },
    ({ date, description, pence, balance }) => [
      ...[slashes(date), description, '', 'FASTER PAYMENT', pounds(pence), pounds(balance), 'NONE', ''],
    ],
  );

const barclays = (statement: Statement) =>
  table(
    'Number,Date,Account,Amount,Subcategory,Memo',
    { ...statement, isReversed: true },
    ({ date, description, pence }) => [
      ...['', slashes(date), `${SORT_CODE} ${accountNumber(statement.account)}`, pounds(pence)],
      ...[pence < 0 ? 'PAYMENT' : 'FT', description],
    ],
  );

const lloyds = (statement: Statement) =>
  table(
    'Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance',
    { ...statement, isReversed: true },
    ({ date, description, pence, balance }) => [
      ...[slashes(date), pence < 0 ? 'DEB' : 'FPI', SORT_CODE, accountNumber(statement.account), description],
      ...[pence < 0 ? pounds(-pence) : '', pence < 0 ? '' : pounds(pence), pounds(balance)],
    ],
  );

function qif({ lines }: Statement): Written {
  // A record has four lines, after the line of the type.
  const records = lines.map(
    ({ date, pence, description }) => `D${slashes(date)}\nT${pounds(pence)}\nP${description}\n^\n`,
  );
  return { text: `!Type:Bank\n${records.join('')}`, rows: lines.map((_, index) => 2 + 4 * index) };
}

const OFX_HEADER = [
  ...['OFXHEADER:100', 'DATA:OFXSGML', 'VERSION:102', 'SECURITY:NONE', 'ENCODING:USASCII', 'CHARSET:1252'],
  ...['COMPRESSION:NONE', 'OLDFILEUID:NONE', 'NEWFILEUID:NONE', '', ''],
].join('\n');

function ofx({ lines, account, from, to }: Statement): Written {
  const payments = lines.map(({ date, pence, id, description }) => {
    const type = pence < 0 ? 'DEBIT' : 'CREDIT';
    const facts = `<TRNTYPE>${type}<DTPOSTED>${compact(date)}<TRNAMT>${pounds(pence)}<FITID>${id}`;
    return `<STMTTRN>${facts}<NAME>${description}</STMTTRN>\n`;
  });
  const bank = `<BANKACCTFROM><BANKID>${BANK}<ACCTID>${accountNumber(account)}<ACCTTYPE>CHECKING</BANKACCTFROM>`;
  const days = `<DTSTART>${compact(from)}<DTEND>${compact(to)}`;
  const list = `<BANKTRANLIST>${days}\n${payments.join('')}</BANKTRANLIST>`;
  const body = `<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP${bank}${list}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
  return { text: OFX_HEADER + body, rows: ordinals(lines) };
}

function camt({ lines, account, from, to }: Statement): Written {
  const sided = (pence: number) =>
    `<Amt Ccy="GBP">${pounds(Math.abs(pence))}</Amt><CdtDbtInd>${pence < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (code: string, pence: number, date: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${sided(pence)}<Dt><Dt>${date}</Dt></Dt></Bal>`;
  const entries = lines.map(
    ({ date, pence, id, description }) =>
      `<Ntry>${sided(pence)}<Sts>BOOK</Sts><BookgDt><Dt>${date}</Dt></BookgDt><AcctSvcrRef>${id}</AcctSvcrRef>` +
      `<NtryDtls><TxDtls><RmtInf><Ustrd>${description}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n`,
  );
  const [first, last] = [lines[0], lines.at(-1)];
  const balances =
    first && last
      ? balance('OPBD', first.balance - first.pence, from) + balance('CLBD', last.balance, to)
      : '';
  const iban = `GB29BARC${BANK}${accountNumber(account)}`;
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId><CreDtTm>${to}T20:00:00</CreDtTm></GrpHdr>
<Stmt><Id>1</Id><CreDtTm>${to}T20:00:00</CreDtTm><FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:59:59</ToDtTm></FrToDt><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>GBP</Ccy></Acct>
${balances}
${entries.join('')}</Stmt></BkToCstmrStmt></Document>
`;
  return { text, rows: ordinals(lines) };
}

export const FORMATS = {
  plain: { extension: 'csv', isNamed: false, hasIds: false, hasBalances: false, write: plain },
  plainWithIds: { extension: 'csv', isNamed: false, hasIds: true, hasBalances: false, write: plainWithIds },
  starling: { extension: 'csv', isNamed: false, hasIds: false, hasBalances: true, write: starling },
  qif: { extension: 'qif', isNamed: false, hasIds: false, hasBalances: false, write: qif },
  barclays: { extension: 'csv', isNamed: true, hasIds: false, hasBalances: false, write: barclays },
  lloyds: { extension: 'csv', isNamed: true, hasIds: false, hasBalances: true, write: lloyds },
  ofx: { extension: 'ofx', isNamed: true, hasIds: true, hasBalances: false, write: ofx },
  camt: { extension: 'xml', isNamed: true, hasIds: true, hasBalances: true, write: camt },
} satisfies Record<string, Layout>;

export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];
