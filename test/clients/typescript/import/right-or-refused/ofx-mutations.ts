/** What happens to files of OFX. */
import { again, expense, hasExpense, hasNoIds, ofRow, ofText, unsigned } from './changes.ts';
import type { Row } from './model.ts';
import { addRaw, anyRow, both, forget, isFormat, type Mutation } from './mutation.ts';

export const OFX_MUTATIONS: Mutation[] = [
  {
    name: 'a debit without a minus',
    fits: isFormat('ofx'),
    apply: (file) => {
      const row = file.rows.find(({ fields }) => fields.TRNTYPE === 'DEBIT') as Row;
      row.fields.TRNAMT = `${row.fields.TRNAMT}`.slice(1);
      forget(row);
    },
  },
  {
    name: 'a credit with a minus',
    fits: isFormat('ofx'),
    apply: (file) => {
      const row = file.rows.find(({ fields }) => fields.TRNTYPE === 'CREDIT') as Row;
      row.fields.TRNAMT = `-${row.fields.TRNAMT}`;
      forget(row);
    },
  },
  {
    name: 'CURRENCY of one payment',
    fits: isFormat('ofx'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      addRaw(row, '<CURRENCY><CURRATE>0.85<CURSYM>EUR</CURRENCY>');
      forget(row);
    },
  },
  {
    name: 'ORIGCURRENCY of one payment',
    fits: isFormat('ofx'),
    apply: (file, random) => {
      addRaw(anyRow(file, random), '<ORIGCURRENCY><CURRATE>0.85<CURSYM>EUR</ORIGCURRENCY>');
    },
  },
  {
    name: 'zeros behind an amount',
    fits: isFormat('ofx'),
    apply: (file, random) => {
      anyRow(file, random).fields.TRNAMT += '00000';
    },
  },
  {
    name: 'a start tag that is missing',
    fits: both(isFormat('ofx'), (file) => file.rows.length > 2),
    apply: (file) => {
      forget(file.rows[1] as Row);
      forget(file.rows[0] as Row);
      file.changesOfText.push((text) => text.replace(/<\/STMTTRN>\r?\n<STMTTRN>/, ''));
    },
  },
  {
    name: 'an end tag that is missing',
    fits: isFormat('ofx'),
    apply: (file) =>
      file.changesOfText.push((text) =>
        text.replace(/<\/STMTTRN>\r?\n<STMTTRN>(?![\s\S]*<STMTTRN>)/, '<STMTTRN>'),
      ),
  },
  {
    name: 'text behind markup',
    fits: isFormat('ofx'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      addRaw(row, '<MEMO>for <b>May</b> only');
      forget(row);
    },
  },
  {
    name: 'a correction',
    fits: both(isFormat('ofx'), (file) => file.rows.length > 1),
    apply: (file) => {
      const [first, second] = file.rows as [Row, Row];
      first.fields.FITID = 'X1';
      addRaw(second, '<CORRECTFITID>X1<CORRECTACTION>REPLACE');
      forget(first);
      forget(second);
    },
  },
  {
    name: 'two equal payments with one FITID',
    fits: both(isFormat('ofx'), (file) =>
      file.rows.every(({ fields, payment }) => fields.FITID === undefined && payment !== undefined),
    ),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.FITID = 'SAME';
      file.rows.push({ fields: { ...row.fields }, payment: row.payment });
    },
  },
  {
    name: 'a pending payment',
    fits: isFormat('ofx'),
    apply: (file) =>
      file.changesOfText.push((text) =>
        text.replace(
          '</BANKTRANLIST>',
          '</BANKTRANLIST><BANKTRANLISTP><STMTTRNP><TRNTYPE>DEBIT<DTTRAN>20260401<TRNAMT>-9.00<NAME>PENDING</STMTTRNP></BANKTRANLISTP>',
        ),
      ),
  },
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
];
