/** OFX and QFX: version 1 is SGML without closing tags, version 2 is XML. Both are read by their tags alone. */

import { CELL_LENGTH_MAX, requireAccountName, requireRows } from '../files/bounds.ts';
import { cleanText, joinTexts } from '../files/cells.ts';
import { decodeEntities } from '../files/entities.ts';
import { ImportError, type ImportOptions, REFERENCE_LENGTH_MAX } from '../options.ts';
import { readAmount } from '../values/amounts.ts';
import { readDate } from '../values/dates.ts';
import { fittingReference } from '../values/reference.ts';
import { type BankRow, draftOfBankRow } from './bank-row.ts';
import type { Draft, Drafts, StatementEnds } from './draft.ts';

type Fields = Map<string, string>;

const TRANSACTION_TAGS = ['DTPOSTED', 'TRNAMT', 'NAME', 'PAYEE', 'MEMO', 'FITID'];
const ACCOUNT_TAGS = ['BANKID', 'ACCTID'];
const BALANCE_TAGS = ['BALAMT', 'DTASOF'];

/**
 * The transactions of all accounts of the file. The row is the ordinal of the transaction. FITID is unique within its account only, so
 * that the reference has the account before it.
 * @throws ImportError `unreadable_file`
 */
export function draftsOfOfx(text: string, { accountLabel }: ImportOptions): Drafts {
  if (!/<OFX>/i.test(text))
    throw new ImportError('unreadable_file', 'The file is not OFX: it has no <OFX> element.', 'format');
  const drafts: Draft[] = [];
  const statements: StatementEnds[] = [];
  let statement = newStatement();
  let transaction: Fields | undefined;
  let group = '';
  let lastDate = '';
  const finish = () => {
    if (!transaction) return;
    const draft = draftOf(drafts.length + 1, transaction, statement, accountLabel);
    drafts.push(draft);
    if (draft.date !== undefined && draft.date > lastDate) lastDate = draft.date;
    requireRows(drafts.length);
    transaction = undefined;
  };
  for (const { tag, value } of tagsOf(withoutCdata(text))) {
    if (tag === 'STMTTRN') {
      finish();
      transaction = new Map();
    } else if (tag === '/STMTTRN' || tag === '/BANKTRANLIST') finish();
    else if (tag === 'STMTRS' || tag === 'CCSTMTRS') {
      finish();
      statement = newStatement();
      statements.push(statement.ends);
      requireRows(statements.length);
      lastDate = '';
    } else if (tag === 'CURDEF') statement.currency = fieldText(value);
    else if (/^(BANK|CC)ACCTFROM$/.test(tag)) group = 'account';
    else if (tag === 'LEDGERBAL') group = 'balance';
    else if (/^\/((BANK|CC)ACCTFROM|LEDGERBAL)$/.test(tag)) {
      if (group === 'balance') addClosing(statement, lastDate);
      group = '';
    }
    // A payee's or the other account's own fields must not overwrite those of the transaction.
    else if (transaction) {
      if (TRANSACTION_TAGS.includes(tag) && !transaction.has(tag)) transaction.set(tag, fieldText(value));
    } else if (group === 'account' && ACCOUNT_TAGS.includes(tag)) {
      setAccount(statement, tag, value);
    } else if (group === 'balance' && BALANCE_TAGS.includes(tag)) {
      statement.balance.set(tag, fieldText(value));
    } else if (tag === 'DTEND') statement.lastDay = dateOf(fieldText(value));
  }
  finish();
  return { drafts, statements, columnNames: { date: NAMES.date, amount: NAMES.amount } };
}

function setAccount({ account, ends }: Statement, tag: string, value: string): void {
  account.set(tag, fieldText(value));
  requireAccountName(value);
  ends.account = ACCOUNT_TAGS.map((name) => account.get(name))
    .filter((text) => text)
    .join(' ');
}

/** What is known of an account before and after its transactions. */
interface Statement {
  ends: StatementEnds;
  account: Fields;
  balance: Fields;
  currency: string;
  lastDay?: string | undefined;
}

const newStatement = (): Statement => ({
  ends: { account: '' },
  account: new Map(),
  balance: new Map(),
  currency: '',
});

/** One character more than a cell may have shows that the text is too long. */
const fieldText = (value: string) => decodeEntities(value.trim()).slice(0, CELL_LENGTH_MAX + 1);

/** CDATA sections as escaped text. */
function withoutCdata(text: string): string {
  const [first = '', ...sections] = text.split('<![CDATA[');
  const escaped = sections.map((section) => {
    const end = section.indexOf(']]>');
    if (end === -1) return section;
    const content = section
      .slice(0, end)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;');
    return content + section.slice(end + ']]>'.length);
  });
  return first + escaped.join('');
}

/** Each tag with the text after it. Comments, declarations and processing instructions are left out. */
function* tagsOf(text: string): Generator<{ tag: string; value: string }> {
  for (let at = text.indexOf('<'); at !== -1; ) {
    const next = text.indexOf('<', at + 1);
    const part = text.slice(at + 1, next === -1 ? text.length : next);
    at = next;
    const end = part.indexOf('>');
    const [tag] = /^\/?[A-Za-z0-9_.]{1,32}/.exec(part) ?? [];
    if (end === -1 || tag === undefined) continue;
    yield { tag: tag.toUpperCase(), value: part.slice(end + 1) };
  }
}

const NAMES = {
  date: 'DTPOSTED',
  amount: 'TRNAMT',
  currency: 'CURDEF',
  description: 'MEMO',
  reference: 'FITID',
};

function draftOf(
  row: number,
  fields: Fields,
  { account, currency, ends }: Statement,
  accountLabel: string | undefined,
): Draft {
  const field = (name: string) => fields.get(name) ?? '';
  const texts = { date: field('DTPOSTED'), amount: field('TRNAMT') };
  const fitid = cleanText(field('FITID'));
  const prefix = accountLabel ?? account.get('ACCTID') ?? '';
  const reference = fittingReference(prefix === '' ? fitid : `${prefix}:${fitid}`, REFERENCE_LENGTH_MAX);
  const bankRow: BankRow = {
    ...{ row, statement: ends, currency, texts },
    date: dateOf(texts.date),
    dateProblem: { message: 'This is not a date of OFX.' },
    amount: amountOf(texts.amount),
    description: joinTexts([cleanText(field('NAME') || field('PAYEE')), cleanText(field('MEMO'))]),
    reference: fitid === '' ? '' : reference,
  };
  return draftOfBankRow(bankRow, NAMES);
}

const dateOf = (text: string) => (/^\d{8}/.test(text) ? readDate(text.slice(0, 8), 'ymd') : undefined);

const amountOf = (text: string) => readAmount(text, /^[^.]*,\d{0,2}$/.test(text) ? ',' : '.');

/**
 * The balance that the bank gives with the rows. It is the closing one if it is of the last day that the rows are of: many banks give
 * that of the day of the download, after which there may be rows that the file does not have.
 */
function addClosing({ balance, lastDay, ends }: Statement, lastDate: string): void {
  const date = dateOf(balance.get('DTASOF') ?? '');
  const amount = amountOf(balance.get('BALAMT') ?? '');
  if (date === undefined || !('pence' in amount)) return;
  const isOfRows = date >= lastDate && (lastDay === undefined || date <= lastDay);
  if (isOfRows) ends.closing = { date, pence: amount.pence };
}
