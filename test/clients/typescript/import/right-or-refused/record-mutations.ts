/** What happens to records of OFX, QIF, CAMT and JSON. */
import { type Payment, pounds, type Row } from './model.ts';
import {
  both,
  forget,
  hasRows,
  is,
  isWhole,
  type Mutation,
  ofAllRows,
  ofFile,
  ofRow,
  ofText,
  ofWholeText,
} from './mutation.ts';

const unsigned = (text = '') => text.replace('-', '');
const otherSign = (text = '') => (text.startsWith('-') ? text.slice(1) : `-${text}`);
const spent = { which: ({ payment }: Row) => (payment?.pence ?? 0) < 0 };
const ofType = (type: string) => ({ which: ({ fields }: Row) => fields.TRNTYPE === type });
const known = { effect: 'known' as const };
const isOfx = is('ofx');
const hasNoIds = both(isOfx, ({ rows }) => rows.every(({ fields }) => fields.FITID === undefined));
/** Of two rows, nobody can know how they are read. */
const ofFirstTwo = (name: string, format: string, change: (text: string) => string): Mutation => ({
  name,
  fits: both(is(format), hasRows(3)),
  apply: ({ rows, changesOfText }) => {
    rows.slice(0, 2).forEach(forget);
    changesOfText.push(change);
  },
});
const behindPayments = (more: string) => (text: string) =>
  text.replace('</BANKTRANLIST>', `</BANKTRANLIST>${more}`);

const OFX: Mutation[] = [
  ofRow('a debit without a minus', isOfx, ({ TRNAMT }) => ({ TRNAMT: unsigned(TRNAMT) }), ofType('DEBIT')),
  ofRow('a credit with a minus', isOfx, ({ TRNAMT }) => ({ TRNAMT: `-${TRNAMT}` }), ofType('CREDIT')),
  ofRow('CURRENCY', isOfx, () => ({ raw: '<CURRENCY><CURRATE>0.85<CURSYM>EUR</CURRENCY>' })),
  ofRow('ORIGCURRENCY', isOfx, () => ({ raw: '<ORIGCURRENCY><CURSYM>EUR</ORIGCURRENCY>' }), known),
  ofRow('zeros behind an amount', isOfx, ({ TRNAMT }) => ({ TRNAMT: `${TRNAMT}00000` }), known),
  ofRow('text behind markup', isOfx, () => ({ raw: '<MEMO>for <b>May</b> only' })),
  ofRow(
    'a payment in a shop without a minus',
    isOfx,
    ({ TRNAMT }) => ({ TRNTYPE: 'POS', TRNAMT: unsigned(TRNAMT) }),
    spent,
  ),
  ofRow('an amount that is held', isOfx, () => ({ TRNTYPE: 'HOLD' })),
  ofRow('a currency in an unusual place', isOfx, (_, random) => ({
    raw: random.pick(['<CURSYM>EUR', '<CURRENCY>EUR', '<CURRENCY><CURSYM>EUR</CURRENCY>']),
  })),
  ofRow('a correction without an id', isOfx, () => ({ raw: '<CORRECTACTION>DELETE' })),
  ofRow('an element with money that OFX does not have', isOfx, () => ({ raw: '<FEEAMT>5.00' })),
  ofFirstTwo('a start tag that is missing', 'ofx', (text) => text.replace(/<\/STMTTRN>\r?\n<STMTTRN>/, '')),
  ofText('an end tag that is missing', isOfx, (text) =>
    text.replace(/<\/STMTTRN>\r?\n<STMTTRN>(?![\s\S]*<STMTTRN>)/, '<STMTTRN>'),
  ),
  {
    name: 'a correction',
    fits: both(isOfx, hasRows(2)),
    apply: ({ rows: [first, second] }) => {
      for (const row of [first, second] as Row[]) forget(row);
      Object.assign(first?.fields ?? {}, { FITID: 'X1' });
      Object.assign(second?.fields ?? {}, { raw: '<CORRECTFITID>X1<CORRECTACTION>REPLACE' });
    },
  },
  ofRow(
    'two equal payments with one FITID',
    both(hasNoIds, isWhole),
    (fields, _, { rows }, { payment }) => {
      rows.push({ fields: { ...fields, FITID: 'SAME' }, payment });
      return { FITID: 'SAME' };
    },
    known,
  ),
  ofText(
    'a pending payment',
    isOfx,
    behindPayments(
      '<BANKTRANLISTP><STMTTRNP><TRNTYPE>DEBIT<DTTRAN>20260401<TRNAMT>-9.00<NAME>P</STMTTRNP></BANKTRANLISTP>',
    ),
  ),
  ofText(
    'money in an unknown group',
    isOfx,
    behindPayments('<FEES><FEE><DTPOSTED>20260401<VALUE>-5.00</FEE></FEES>'),
  ),
  ofText('an account in euros', isOfx, (text) => text.replace('<CURDEF>GBP', '<CURDEF>EUR'), 'unknown'),
  ofText('an investment', isOfx, (text) =>
    text.replace(
      '</STMTTRNRS>',
      '</STMTTRNRS><INVSTMTRS><INVTRANLIST><INCOME><INVTRAN><FITID>9<DTTRADE>20260401</INVTRAN><TOTAL>7.00</INCOME></INVTRANLIST></INVSTMTRS>',
    ),
  ),
  {
    name: 'no minus in a file of cheques and debits',
    fits: both(isOfx, isWhole),
    apply: ({ rows }) => {
      for (const [index, row] of rows.filter(spent.which).entries()) {
        row.fields.TRNAMT = unsigned(row.fields.TRNAMT);
        if (index > 0) row.fields.TRNTYPE = 'CHECK';
        forget(row);
      }
    },
  },
  ofAllRows(
    'all signs reversed, and some types other than debit and credit',
    both(isOfx, isWhole),
    ({ TRNAMT }, index) => ({ TRNAMT: otherSign(TRNAMT), ...(index > 2 && { TRNTYPE: 'OTHER' }) }),
  ),
  ...['0', 'NONREF', ''].map((FITID) =>
    ofAllRows(`the id "${FITID}" of all`, hasNoIds, () => ({ FITID }), 'known'),
  ),
  {
    name: 'the statement again, without ids',
    fits: hasNoIds,
    apply: (file) => {
      for (const { fields } of file.rows) fields.FITID = '';
      const { encode } = file;
      file.encode = (text) => encode(text.replace(/<STMTRS>[\s\S]*<\/STMTRS>/, (all) => all + all));
    },
  },
];

const isQif = is('qif');
const beforeBank = (name: string, more: string) =>
  ofText(name, isQif, (text) => text.replace('!Type:Bank', () => more), 'unknown');

const QIF: Mutation[] = [
  ofFirstTwo('a line ^ that is missing', 'qif', (text) => text.replace(/\^\r?\n/, '')),
  ofRow('a line that QIF does not have', isQif, () => ({ Z: 'x' })),
  ofRow('two amounts', isQif, () => ({ U: '12345.67' })),
  ofRow('splits', isQif, ({ T }) => ({ S: 'Repairs', $: `${T}` }), {
    ...known,
    which: ({ fields }) => fields.S === undefined,
  }),
  ofRow('splits that do not add up', isQif, () => ({ S: 'Repairs', $: '12345.67' })),
  ofRow('a void payment', isQif, ({ P }) => ({ P: `**VOID** ${P}` })),
  ofFile('a card without a minus', isQif, ({ rows, changesOfText }) => {
    for (const { fields } of rows) fields.T = unsigned(fields.T);
    changesOfText.push((text) => text.replace('!Type:Bank', '!Type:CCard'));
  }),
  beforeBank('an account in euros, by its name', '!Account\nNSavings EUR\n^\n!Type:Bank'),
  beforeBank('payments in a section of accounts', '!Account\nNSavings\n^'),
  ofWholeText('the file twice, one behind the other', isQif, (text) => text + text),
];

const isCamt = is('camt');
const detailed = ({ detail = '' }: Row['fields'], more: string) => ({ detail: detail + more });
const partOf = ({ pence, description }: Payment) =>
  `<TxDtls><Amt Ccy="GBP">${unsigned(pounds(pence))}</Amt><RmtInf><Ustrd>${description}</Ustrd></RmtInf></TxDtls>`;

const CAMT: Mutation[] = [
  ofRow('a status that is not booked', isCamt, (_, random) => ({ Sts: random.pick(['PDNG', 'INFO', 'x']) })),
  ofRow('an entry in another currency', isCamt, () => ({ Ccy: 'EUR' })),
  ofRow('a transaction with another sign', isCamt, (fields) =>
    detailed(fields, `<CdtDbtInd>${fields.CdtDbtInd === 'DBIT' ? 'CRDT' : 'DBIT'}</CdtDbtInd>`),
  ),
  ofRow('two amounts in an entry', isCamt, () => ({ raw: '<Amt Ccy="GBP">12345.67</Amt>' })),
  ofRow(
    'an amount in the currency of the shop',
    isCamt,
    (fields) => {
      const amount = '<Amt Ccy="EUR">9.00</Amt>';
      return detailed(fields, `<AmtDtls><InstdAmt>${amount}</InstdAmt></AmtDtls>${amount}`);
    },
    known,
  ),
  ofRow(
    'an entry in two parts',
    both(isCamt, ({ changesOfText }) => changesOfText.length === 0),
    (_, _random, { optional }, { payment }) => {
      const { date, pence } = payment as Payment;
      const part = { date, pence: Math.sign(pence), description: 'PART 1' };
      const parts = [part, { date, pence: pence - part.pence, description: 'PART 2' }];
      optional.push(...parts);
      return { parts: parts.map(partOf).join('') };
    },
    { which: ({ payment }: Row) => Math.abs(payment?.pence ?? 0) > 1 },
  ),
  ofText(
    'an element with money that CAMT does not have',
    isCamt,
    (text) => text.replace('</Stmt>', '<Fee><Amt Ccy="GBP">5.00</Amt></Fee></Stmt>'),
    'unknown',
  ),
  ofText(
    'a report behind the statement',
    isCamt,
    (text) =>
      text.replace(
        '</BkToCstmrStmt>',
        '</BkToCstmrStmt><BkToCstmrAcctRpt><Rpt><Ntry><Amt Ccy="GBP">5.00</Amt></Ntry></Rpt></BkToCstmrAcctRpt>',
      ),
    'unknown',
  ),
  ofText(
    'an entry that is missing',
    both(isCamt, ({ rows }) => rows.every(({ fields }) => fields.parts === undefined)),
    (text) => text.replace(/<Ntry>.*<\/Ntry>\n/, ''),
    'unknown',
  ),
  ofWholeText('the statement again, without references', isCamt, (text) =>
    text.replace(/<Stmt>[\s\S]*<\/Stmt>/, (all) => all + all),
  ),
];

const isJson = is('json|ndjson');

const JSON_RECORDS: Mutation[] = [
  ofRow('pounds in the place of pence', isJson, ({ amountPence }) => ({ amountPence: `${amountPence}.00` })),
  ofRow('an exponent', isJson, () => ({ amountPence: '1e2' })),
  ofRow('a member twice', isJson, () => ({ 'amountPence*': '1' })),
  ofRow('a member twice with one value', is('json'), (fields) => ({
    'amountPence*': `${fields.amountPence}`,
  })),
  ...(['known', 'unknown'] as const).map((effect) => {
    const cursor = effect === 'known' ? 'null' : '"abc"';
    const page = (text: string) => `{"transactions":${text},"nextCursor":${cursor}}`;
    return ofText(`a page with the cursor ${cursor}`, is('json'), page, effect);
  }),
];

export const RECORD_MUTATIONS = [...OFX, ...QIF, ...CAMT, ...JSON_RECORDS];
