/** OFX and QFX: version 1 is SGML without closing tags, version 2 is XML. Both are read by their tags alone. */

import { CELL_LENGTH_MAX, requireAccountName, requireRows, textProblem } from '../files/bounds.ts';
import { cleanText, joinTexts } from '../files/cells.ts';
import { ImportError, REFERENCE_LENGTH_MAX } from '../options.ts';
import { readAmount } from '../values/amounts.ts';
import { readDate } from '../values/dates.ts';
import { fittingReference } from '../values/reference.ts';
import type { Draft, Drafts, Problem } from './draft.ts';

type Fields = Map<string, string>;

const TRANSACTION_TAGS = ['DTPOSTED', 'TRNAMT', 'NAME', 'PAYEE', 'MEMO', 'FITID'];
const ACCOUNT_TAGS = ['BANKID', 'ACCTID'];

/**
 * The transactions of all accounts of the file. The row is the ordinal of the transaction. FITID is unique within its account only, so
 * that the reference has the account before it.
 * @throws ImportError `unreadable_file`
 */
export function draftsOfOfx(text: string, accountLabel: string | undefined): Drafts {
  if (!/<OFX>/i.test(text))
    throw new ImportError('unreadable_file', 'The file is not OFX: it has no <OFX> element.', 'format');
  const drafts: Draft[] = [];
  let currency = '';
  let account: Fields = new Map();
  let transaction: Fields | undefined;
  let group = '';
  const finish = () => {
    if (transaction) drafts.push(draftOf(drafts.length + 1, transaction, account, currency, accountLabel));
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
      account = new Map();
      currency = '';
    } else if (tag === 'CURDEF') currency = fieldText(value);
    else if (/^(BANK|CC)ACCTFROM$/.test(tag)) group = 'account';
    else if (/^\/(BANK|CC)ACCTFROM$/.test(tag)) group = '';
    // A payee's or the other account's own fields must not overwrite those of the transaction.
    else if (transaction && TRANSACTION_TAGS.includes(tag) && !transaction.has(tag)) {
      transaction.set(tag, fieldText(value));
    } else if (!transaction && group === 'account' && ACCOUNT_TAGS.includes(tag)) {
      account.set(tag, fieldText(value));
      requireAccountName(value);
    }
  }
  finish();
  return { drafts, columnNames: { date: 'DTPOSTED', amount: 'TRNAMT' } };
}

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

const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }));

function decodeEntities(text: string): string {
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase()) ?? whole;
    const code = Number(name[1]?.toLowerCase() === 'x' ? `0x${name.slice(2)}` : name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function draftOf(
  row: number,
  fields: Fields,
  account: Fields,
  currency: string,
  accountLabel: string | undefined,
): Draft {
  const field = (name: string) => fields.get(name) ?? '';
  const posted = field('DTPOSTED');
  const date = /^\d{8}/.test(posted) ? readDate(posted.slice(0, 8), 'ymd') : undefined;
  const amountText = field('TRNAMT');
  const amount = readAmount(amountText, /^[^.]*,\d{0,2}$/.test(amountText) ? ',' : '.');
  const pence = 'pence' in amount ? amount.pence : undefined;
  const problems: Problem[] = [];
  if (!date) {
    problems.push({
      field: 'date',
      column: 'DTPOSTED',
      value: posted.slice(0, 200),
      message: 'This is not a date of OFX.',
    });
  }
  if ('problem' in amount) {
    problems.push({
      field: 'amount',
      column: 'TRNAMT',
      value: amountText.slice(0, 200),
      message: amount.problem,
    });
  }
  if (!['', 'GBP'].includes(currency.toUpperCase())) {
    const message = 'The account is not in pounds, which is all that the ledger records.';
    problems.push({ field: 'amount', column: 'CURDEF', value: currency.slice(0, 200), message });
  }
  const description = joinTexts([cleanText(field('NAME') || field('PAYEE')), cleanText(field('MEMO'))]);
  const tooCostly = textProblem(description);
  if (tooCostly) {
    problems.push({
      field: 'description',
      column: 'MEMO',
      value: description.slice(0, 200),
      message: tooCostly,
    });
  }
  const id = [account.get('BANKID'), account.get('ACCTID')].filter((text) => text).join(' ');
  const fitid = cleanText(field('FITID'));
  const prefix = accountLabel ?? account.get('ACCTID') ?? '';
  const reference = fittingReference(prefix === '' ? fitid : `${prefix}:${fitid}`, REFERENCE_LENGTH_MAX);
  return {
    row,
    date,
    type: pence === undefined ? undefined : pence > 0 ? 'income' : 'expense',
    ...(pence && { pence: Math.abs(pence) }),
    description,
    account: id,
    ...(fitid !== '' && { reference, referenceColumn: 'FITID' }),
    problems,
    ...(problems.length === 0 && pence === 0 && { skipReason: 'The amount is 0.00.' }),
    texts: () => ({
      date: date ?? posted,
      amount: amountText,
      type: '',
      description,
      category: '',
      source: '',
    }),
  };
}
