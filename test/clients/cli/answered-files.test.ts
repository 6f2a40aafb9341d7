/** Files that leave something open, one of each kind: the command names the options, and with the true ones it stores the payments. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { landlord, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const csv = (header: string, ...rows: string[]) => [header, ...rows, ''].join('\n');
const ofx = (...amounts: string[]) =>
  `OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP<BANKTRANLIST>${amounts
    .map(
      (amount, index) =>
        `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260${index + 1}05<TRNAMT>${amount}<FITID>${index}<NAME>N${index}</STMTTRN>`,
    )
    .join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
const qif = (...amounts: string[]) =>
  `!Type:Cash\n${amounts.map((amount, index) => `D${index + 21}/05/26\nT${amount}\nPP${index}\n^\n`).join('')}`;
const LIST = 'Date,Details,Amount';

/** The file, options that the refusal names, and what is stored, in pence. */
interface Kind {
  file: string;
  /** A literal part of the refusal. */
  proposed?: string;
  options: string[];
  /** Answers about rows, which are asked for once the columns are settled. */
  rows?: string;
  stored: number[];
}
const KINDS: Record<string, Kind> = {
  'no sign: words for both directions': {
    file: csv('Date,Item,Side,Amount', '2026-05-01,Lamp,Purchase,9.00', '2026-05-02,Lamp,Disposal,30.00'),
    proposed: `with an answer in place of each …: --map '…=Amount' --values 'Side: Purchase=…, Disposal=…'`,
    options: ['--values', 'Side: Purchase=out, Disposal=in', '--map', 'unsigned=Amount'],
    stored: [3000, -900],
  },
  'no sign: QIF': { file: qif('75.00', '8.00'), options: ['--map', 'moneyOut=T'], stored: [-7500, -800] },
  'one refund beside words': {
    file: csv(
      'Date,Class,Details,Amount',
      ...['2026-05-01,Rent,A,700.00', '2026-05-02,Bills,Gas,50.00', '2026-05-03,Bills,Gas,-5.00'],
    ),
    proposed: `names say: --map unsigned=Amount --values 'Class: Rent=in, Bills=out'`,
    options: ['--map', 'unsigned=Amount', '--values', 'Class: Rent=in, Bills=out'],
    stored: [70000, 500, -5000],
  },
  'a card as a bank: OFX': {
    file: ofx('75.00', '8.00', '-83.00'),
    options: ['--map', 'spent=TRNAMT'],
    stored: [8300, -7500, -800],
  },
  'a day of payment that is empty': {
    file: csv('Date,Tenant,Amount,Settled on', '2026-05-01,A,700.00,2026-05-01', '2026-05-02,B,600.00,'),
    options: ['--values', 'Settled on: ""=skip', '--map', 'moneyIn=Amount'],
    stored: [70000],
  },
  headings: {
    file: csv(LIST, 'Lodgements,,', '2026-05-01,A,700.00', 'Outgoings,,', '2026-05-02,Gas,50.00'),
    proposed: `…: --rows '2=…,4=…'`,
    options: ['--rows', '2=in,4=out'],
    stored: [70000, -5000],
  },
  'a heading of plans': {
    file: csv(
      LIST,
      '2026-05-01,Gas,-50.00',
      '2026-05-02,Water,-20.00',
      'Still to come,,',
      '2026-06-02,Gas,-55.00',
    ),
    options: ['--rows', '4=skip'],
    stored: [-5000, -2000],
  },
  totals: {
    file: csv(LIST, '2026-05-01,A,700.00', '2026-05-02,B,600.00', '2026-05-31,Lettings,1300.00'),
    options: ['--map', 'amount=Amount'],
    rows: '4=skip',
    stored: [70000, 60000],
  },
  'parts of a row': {
    file: csv(
      `${LIST},Part of`,
      '2026-05-01,Order,-75.00,',
      '2026-05-01,tiles,-67.00,Order',
      '2026-05-01,grout,-8.00,Order',
    ),
    options: ['--values', 'Part of: ""=keep, Order=skip'],
    stored: [-7500],
  },
  'double entry': {
    file: csv(
      'Date,Details,Account,Amount',
      ...['2026-05-01,Gas,Costs:Gas,50.00', '2026-05-01,Gas,Assets:Current,-50.00'],
      ...['2026-05-02,A,Assets:Current,700.00', '2026-05-02,A,Income:Rent,-700.00'],
    ),
    options: ['--values', 'Account: "Costs:Gas"=out, "Assets:Current"=skip, "Income:Rent"=in'],
    stored: [70000, -5000],
  },
  pence: {
    file: csv('Figures are in pence,,', LIST, '2026-05-01,A,70000', '2026-05-02,Gas,-5000'),
    options: ['--unit', 'pence', '--map', 'amount=Amount'],
    stored: [70000, -5000],
  },
  'a flag beside an amount of another name': {
    file: csv(
      'Transaction Date,Posting Date,Charged Amount,Merchant,Receipt No,Credit/Debit',
      ...['2026-05-01,2026-05-02,75.00,Howdens,7001,D', '2026-05-03,2026-05-03,83.00,Paid,7002,C'],
    ),
    proposed: `names say: --map 'amount=Charged Amount,type=Credit/Debit' --ignore 'Posting Date'`,
    options: ['--map', 'amount=Charged Amount,type=Credit/Debit', '--ignore', 'Posting Date'],
    stored: [8300, -7500],
  },
  'a cash book': {
    file: csv(
      'Date,Details,Rent,Repairs,Insurance',
      '2026-05-01,A,700.00,,',
      '2026-05-02,Roof,,90.00,',
      '2026-05-03,Policy,,,20.00',
    ),
    proposed: 'names say: --amount Rent=in --amount Repairs=out --amount Insurance=out',
    options: ['--amount', 'Rent=in', '--amount', 'Repairs=out', '--amount', 'Insurance=out'],
    stored: [70000, -9000, -2000],
  },
  'an agent': {
    file: csv(
      'Date,Rent,Commission,VAT,Net',
      '2026-05-13,700.00,70.00,14.00,616.00',
      '2026-06-13,700.00,70.00,14.00,616.00',
    ),
    proposed: 'names say: --map check=Net\n',
    options: ['--map', 'check=Net', '--amount', 'Rent=in', '--amount', 'Commission+VAT=out'],
    stored: [70000, 70000, -8400, -8400],
  },
};

test.each(Object.entries(KINDS))('%s', async (kind, { file, proposed = '', options, rows, stored }) => {
  const user = await landlord('');
  const [extension = 'csv'] = /OFX$|QIF$/i.exec(kind) ?? [];
  const path = writeFile(`answered-${kind.replace(/\W+/g, '-')}.${extension.toLowerCase()}`, file);
  const push = (...more: string[]) => user.run('push', path, '-s', 'uk-property', '--yes', ...more);
  const refused = await push();
  expect([refused.exitCode, refused.err]).toEqual([2, expect.stringContaining(proposed)]);
  if (rows) {
    const open = `--rows '${rows.replace(/\w+$/, '…')}'`;
    const { exitCode, err } = await push(...options);
    expect([exitCode, err]).toEqual([3, expect.stringContaining(open)]);
  }
  expect(await user.stored()).toEqual([]);
  const { exitCode, err } = await push(...options, ...(rows ? ['--rows', rows] : []));
  expect([exitCode, err]).toEqual([0, err]);
  const pence = (await user.stored()).map((line) => Number(line.split(' ').at(-1)));
  expect(pence.toSorted()).toEqual(stored.toSorted());
});
