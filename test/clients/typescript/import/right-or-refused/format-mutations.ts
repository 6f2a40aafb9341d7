/** What happens to files of QIF, CAMT and JSON. */
import { again, change, ofRow, ofText, unsigned } from './changes.ts';
import { type Payment, pounds, type Row } from './model.ts';
import { anyRow, both, forget, forgetAll, isFormat, type Mutation } from './mutation.ts';

export const FORMAT_MUTATIONS: Mutation[] = [
  // QIF.
  {
    name: 'a line ^ that is missing',
    fits: both(isFormat('qif'), (file) => file.rows.length > 2),
    apply: (file) => {
      forget(file.rows[0] as Row);
      forget(file.rows[1] as Row);
      file.changesOfText.push((text) => text.replace(/\^\r?\n/, ''));
    },
  },
  {
    name: 'a line that QIF does not have',
    fits: isFormat('qif'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.Z = 'x';
      forget(row);
    },
  },
  {
    name: 'two amounts',
    fits: isFormat('qif'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.U = '12345.67';
      forget(row);
    },
  },
  {
    name: 'splits',
    fits: isFormat('qif'),
    apply: (file, random) => {
      const { fields } = anyRow(file, random);
      Object.assign(fields, { S: 'Repairs', $: `${fields.T}` });
    },
  },
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
  {
    name: 'pounds in the place of pence',
    fits: isFormat('json', 'ndjson'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.amountPence = `${row.fields.amountPence}.00`;
      forget(row);
    },
  },
  {
    name: 'an exponent',
    fits: isFormat('json', 'ndjson'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.amountPence = '1e2';
      forget(row);
    },
  },
  {
    name: 'a member twice',
    fits: isFormat('json', 'ndjson'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields['amountPence*'] = '1';
      forget(row);
    },
  },
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
