/** What happens to files of OFX, QIF, CAMT and JSON. */
import type { ModelFile, Payment, Row } from './model.ts';
import { pounds } from './model.ts';
import { addRaw, anyRow, both, forget, forgetAll, isFormat, type Mutation } from './mutations.ts';
import type { Random } from './random.ts';

const unsigned = (text = '') => text.replace('-', '');
const expense = (file: ModelFile) => file.rows.find(({ payment }) => (payment?.pence ?? 0) < 0);
const hasExpense = (file: ModelFile) => expense(file) !== undefined;
const hasNoIds = (file: ModelFile) => file.rows.every(({ fields }) => fields.FITID === undefined);
const change = (file: ModelFile, from: string | RegExp, to: string) =>
  file.changesOfText.push((text) => text.replace(from, () => to));

/** After all other changes. */
const again = (file: ModelFile, twice: (text: string) => string) => {
  const { encode } = file;
  file.encode = (text) => encode(twice(text));
};

/** The fields of one row become others, and nobody can know its amount. */
const ofRow = (
  name: string,
  format: ModelFile['format'],
  fields: (row: Row, random: Random) => Record<string, string>,
): Mutation => ({
  name,
  fits: isFormat(format),
  apply: (file, random) => {
    const row = anyRow(file, random);
    const { raw = '', ...others } = fields(row, random);
    Object.assign(row.fields, others);
    addRaw(row, raw);
    forget(row);
  },
});
/** The text of the file changes. */
const ofText = (
  name: string,
  format: ModelFile['format'],
  from: string | RegExp,
  to: string,
  isKnown = false,
): Mutation => ({
  name,
  fits: isFormat(format),
  apply: (file) => {
    change(file, from, to);
    if (!isKnown) forgetAll(file);
  },
});

export const FORMAT_MUTATIONS: Mutation[] = [
  // OFX.
  {
    name: 'a payment in a shop without a minus',
    fits: both(isFormat('ofx'), hasExpense),
    apply: (file) => {
      const row = expense(file) as Row;
      Object.assign(row.fields, { TRNTYPE: 'POS', TRNAMT: unsigned(row.fields.TRNAMT) });
      forget(row);
    },
  },
  {
    name: 'no minus in a file of cheques and debits',
    fits: both(isFormat('ofx'), (file) => file.rows.every(({ payment }) => payment)),
    apply: (file) => {
      for (const row of file.rows) {
        if ((row.payment?.pence ?? 0) >= 0) continue;
        Object.assign(row.fields, { TRNAMT: unsigned(row.fields.TRNAMT) });
        if (row !== expense(file)) row.fields.TRNTYPE = 'CHECK';
      }
      for (const row of file.rows) if ((row.payment?.pence ?? 0) < 0) forget(row);
    },
  },
  {
    name: 'all signs reversed, and some types other than debit and credit',
    fits: both(isFormat('ofx'), (file) => file.rows.every(({ payment }) => payment)),
    apply: (file) => {
      for (const [index, row] of file.rows.entries()) {
        const { fields } = row;
        fields.TRNAMT = fields.TRNAMT?.startsWith('-') ? unsigned(fields.TRNAMT) : `-${fields.TRNAMT}`;
        if (index > 2) fields.TRNTYPE = 'OTHER';
        forget(row);
      }
    },
  },
  ofRow('an amount that is held', 'ofx', () => ({ TRNTYPE: 'HOLD' })),
  ofRow('a currency in an unusual place', 'ofx', (_, random) => ({
    raw: random.pick(['<CURSYM>EUR', '<CURRENCY>EUR', '<CURRENCY><CURSYM>EUR</CURRENCY>']),
  })),
  ofRow('a correction without an id', 'ofx', () => ({ raw: '<CORRECTACTION>DELETE' })),
  ofRow('an element with money that OFX does not have', 'ofx', () => ({ raw: '<FEEAMT>5.00' })),
  {
    name: 'ids that are none',
    fits: both(isFormat('ofx'), hasNoIds),
    apply: (file, random) => {
      const FITID = random.pick(['0', 'NONREF', '']);
      for (const { fields } of file.rows) fields.FITID = FITID;
    },
  },
  {
    name: 'the statement again, without ids',
    fits: both(isFormat('ofx'), hasNoIds),
    apply: (file) => {
      for (const { fields } of file.rows) fields.FITID = '';
      again(file, (text) => text.replace(/<STMTRS>[\s\S]*<\/STMTRS>/, (all) => all + all));
    },
  },
  ofText(
    'money in an unknown group',
    'ofx',
    '</BANKTRANLIST>',
    '</BANKTRANLIST><FEES><FEE><DTPOSTED>20260401<VALUE>-5.00</FEE></FEES>',
    true,
  ),
  ofText('an account in euros', 'ofx', '<CURDEF>GBP', '<CURDEF>EUR'),
  ofText(
    'an investment',
    'ofx',
    '</STMTTRNRS>',
    '</STMTTRNRS><INVSTMTRS><INVTRANLIST><INCOME><INVTRAN><FITID>9<DTTRADE>20260401</INVTRAN><TOTAL>7.00</INCOME></INVTRANLIST></INVSTMTRS>',
    true,
  ),
  // QIF.
  ofRow('splits that do not add up', 'qif', () => ({ S: 'Repairs', $: '12345.67' })),
  ofRow('a void payment', 'qif', ({ fields }) => ({ P: `**VOID** ${fields.P}` })),
  {
    name: 'a card without a minus',
    fits: isFormat('qif'),
    apply: (file) => {
      for (const { fields } of file.rows) fields.T = unsigned(fields.T);
      change(file, '!Type:Bank', '!Type:CCard');
      forgetAll(file);
    },
  },
  ofText('an account in euros, by its name', 'qif', '!Type:Bank', '!Account\nNSavings EUR\n^\n!Type:Bank'),
  ofText('payments in a section of accounts', 'qif', '!Type:Bank', '!Account\nNSavings\n^'),
  {
    name: 'the file twice, one behind the other',
    fits: isFormat('qif'),
    apply: (file) => again(file, (text) => text + text),
  },
  // CAMT.
  ofRow('a status that is not booked', 'camt', (_, random) => ({ Sts: random.pick(['PDNG', 'INFO', 'x']) })),
  ofRow('an entry in another currency', 'camt', () => ({ Ccy: 'EUR' })),
  ofRow('a transaction with another sign', 'camt', ({ fields }) => ({
    detail: `${fields.detail ?? ''}<CdtDbtInd>${fields.CdtDbtInd === 'DBIT' ? 'CRDT' : 'DBIT'}</CdtDbtInd>`,
  })),
  ofRow('two amounts in an entry', 'camt', () => ({ raw: '<Amt Ccy="GBP">12345.67</Amt>' })),
  {
    name: 'an amount in the currency of the shop',
    fits: isFormat('camt'),
    apply: (file, random) => {
      const { fields } = anyRow(file, random);
      fields.detail = `${fields.detail ?? ''}<AmtDtls><InstdAmt><Amt Ccy="EUR">9.00</Amt></InstdAmt></AmtDtls><Amt Ccy="EUR">9.00</Amt>`;
    },
  },
  {
    name: 'an entry in two parts',
    fits: isFormat('camt'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      if (
        file.changesOfText.length > 0 ||
        !row.payment ||
        row.payment.pence === 1 ||
        row.payment.pence === -1
      )
        return;
      const sign = Math.sign(row.payment.pence);
      const part = (pence: number, description: string): Payment => ({
        ...{ date: row.payment?.date ?? '', pence, description },
      });
      const parts = [part(sign, 'PART 1'), part(row.payment.pence - sign, 'PART 2')];
      row.fields.parts = parts
        .map(
          ({ pence, description }) =>
            `<TxDtls><Amt Ccy="GBP">${unsigned(pounds(pence))}</Amt><RmtInf><Ustrd>${description}</Ustrd></RmtInf></TxDtls>`,
        )
        .join('');
      file.optional.push(...parts);
      forget(row);
    },
  },
  ofText(
    'an element with money that CAMT does not have',
    'camt',
    '</Stmt>',
    '<Fee><Amt Ccy="GBP">5.00</Amt></Fee></Stmt>',
  ),
  ofText(
    'a report behind the statement',
    'camt',
    '</BkToCstmrStmt>',
    '</BkToCstmrStmt><BkToCstmrAcctRpt><Rpt><Ntry><Amt Ccy="GBP">5.00</Amt></Ntry></Rpt></BkToCstmrAcctRpt>',
  ),
  {
    name: 'an entry that is missing',
    fits: both(isFormat('camt'), (file) => file.rows.every(({ fields }) => fields.parts === undefined)),
    apply: (file) => {
      change(file, /<Ntry>.*<\/Ntry>\n/, '');
      forgetAll(file);
    },
  },
  {
    name: 'the statement again, without references',
    fits: isFormat('camt'),
    apply: (file) => again(file, (text) => text.replace(/<Stmt>[\s\S]*<\/Stmt>/, (all) => all + all)),
  },
  // JSON.
  ...['"abc"', 'null'].map(
    (cursor): Mutation => ({
      name: `a page with the cursor ${cursor}`,
      fits: isFormat('json'),
      apply: (file) => {
        file.changesOfText.push((text) => `{"transactions":${text},"nextCursor":${cursor}}`);
        if (cursor !== 'null') forgetAll(file);
      },
    }),
  ),
  ofRow('a member twice with one value', 'json', ({ fields }) => ({
    'amountPence*': `${fields.amountPence}`,
  })),
];
