/** The running balance of a row and the statements of a file. */
import { describe, expect, test } from 'bun:test';
import { chainOf } from '../../../../clients/typescript/import/chain/chain.ts';
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { readText } from './files.ts';

const balances = async (text: string, options?: ImportOptions) =>
  (await readText(text, options)).statements.flatMap(({ rows }) => rows.map(({ balance }) => balance));
const HEADER = 'Date,Description,Amount';

describe('the running balance', () => {
  const NAMES = [
    'Balance',
    'Balance (GBP)',
    'Running balance',
    'Running total',
    'Account Balance',
    'BALANCE',
  ];
  test.each(NAMES)('is read from a column called %s', async (name) => {
    expect(await balances(`${HEADER},${name}\n2026-04-01,a,5.00,"£1,009.00"\n`)).toEqual([100_900]);
  });

  test.each(['Opening balance', 'Available balance'])('is not what a column called %s has', async (name) => {
    expect(await balances(`${HEADER},${name}\n2026-04-01,a,5.00,9.00\n`)).toEqual([undefined]);
  });

  test('is read from the column that is chosen, and left out by the option', async () => {
    const text = `${HEADER},Balance,Left\n2026-04-01,a,5.00,9.00,-7.00\n`;
    expect(await balances(text, { map: { balance: 'Left' }, ignore: ['Balance'] })).toEqual([-700]);
    expect(await balances(text, { map: { balance: '' }, ignore: ['Left'] })).toEqual([undefined]);
  });

  test('that is no amount is not there, and its row is an entry all the same', async () => {
    const rows = ['', '-', 'n/a', '1.234', '9.00 OD', '9.00 DR'].map((text) => `2026-04-01,a,5.00,${text}\n`);
    const result = await readText(`${HEADER},Balance\n${rows.join('')}`);
    expect(result.invalid).toEqual([]);
    const read = result.statements[0]?.rows.map(({ balance }) => balance);
    expect(read).toEqual([...Array(5).fill(undefined), -900]);
  });

  test('is no money of the row: what is read is the same with it and without it', async () => {
    const text = `${HEADER},Balance\n2026-04-01,a,5.00,9.00\n2026-04-01,b,-6.00,3.00\n`;
    const { entries } = await readText(text);
    expect(entries).toEqual((await readText(text, { map: { balance: '' } })).entries);
  });
});

describe('the statements of a file', () => {
  const text = `Date,Account,Description,Amount,Balance
2026-04-01,1,Rent,5.00,10.00
2026-04-01,2,Rent,6.00,20.00
2026-04-02,1,Shop,x,9.00
2026-04-03,1,Shop,-2.50,
2026-04-04,2,Nothing,0.00,20.00
`;

  test('are one for each account: its payments with their signs, and the rows that cannot be read', async () => {
    expect((await readText(text)).statements).toEqual([
      {
        account: '1',
        rows: [
          { row: 2, date: '2026-04-01', pence: 500, balance: 1000 },
          { row: 5, date: '2026-04-03', pence: -250 },
        ],
        unreadableRows: [{ row: 4, date: '2026-04-02' }],
      },
      { account: '2', rows: [{ row: 3, date: '2026-04-01', pence: 600, balance: 2000 }], unreadableRows: [] },
    ]);
  });

  test('are those of the file: rules, categories and corrections change nothing in them', async () => {
    const { statements } = await readText(text);
    const changed = await readText(text, {
      rules: 'description is "rent" -> rents',
      corrections: { 2: { isLeftOut: true, amount: '9' }, 4: { amount: '1.00' }, 5: { date: '2026-05-01' } },
    });
    expect(changed.entries.map(({ row }) => row)).toEqual([3, 4, 5]);
    expect(changed.statements).toEqual(statements);
  });

  test('have the name that the caller gives, if the file has one account', async () => {
    const names = async (from: string) =>
      (await readText(from, { accountLabel: 'Joint' })).statements.map(({ account }) => account);
    expect(await names(`${HEADER}\n2026-04-01,a,5.00\n`)).toEqual(['Joint']);
    expect(await names(text)).toEqual(['1', '2']);
  });

  test('count a row that repeats another one with the same reference once', async () => {
    const head = 'Date,Description,Amount,Transaction ID\n';
    const rows = ['2026-04-01,a,5.00,t1', '2026-04-01,a,5.00,t1', '2026-04-01,b,5.00,t1'];
    const [statement] = (await readText(`${head}${rows.join('\n')}\n`)).statements;
    expect(statement).toMatchObject({ rows: [{ row: 2 }], unreadableRows: [{ row: 4 }] });
  });

  test('count each of several payments that share a reference, and a stored entry without one once', async () => {
    const rows = ['2026-04-01,a,-10,90,t1', '2026-04-01,a,-10,80,t1', '2026-04-02,b,-5,75,t2'];
    const text = `Date,Description,Amount,Balance,Transaction ID\n${rows.join('\n')}\n`;
    const { entries, statements } = await readText(text, { repeated: 'another' });
    expect([entries.length, statements[0]?.rows.length]).toEqual([3, 3]);
    expect(statements.map((each) => chainOf(each).state)).toEqual(['holds']);
    const stored = '2026-04-01,income,100,a,0199a000-0000-7000-8000-000000000001';
    const twice = await readText(`date,type,amountPence,description,id\n${stored}\n${stored}\n`);
    expect([twice.entries.length, twice.statements[0]?.rows.length]).toEqual([1, 1]);
  });
});

describe('OFX:', () => {
  const ofx = (ledger: string, dates = '<DTEND>20260430') =>
    `<OFX><STMTRS><BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${dates}<STMTTRN><DTPOSTED>20260415<TRNAMT>1.00<FITID>1</STMTTRN></BANKTRANLIST><LEDGERBAL>${ledger}</LEDGERBAL><AVAILBAL><BALAMT>7<DTASOF>20260430</AVAILBAL></STMTRS></OFX>`;
  const closing = async (text: string) => (await readText(text)).statements[0]?.closing;

  test('the balance of the last day is the closing one', async () => {
    expect(await closing(ofx('<BALAMT>-100.00<DTASOF>20260430120000'))).toEqual({
      date: '2026-04-30',
      pence: -10_000,
    });
    expect(await closing(ofx('<BALAMT>1<DTASOF>20260416', ''))).toEqual({ date: '2026-04-16', pence: 100 });
  });

  test('the balance of a later or an earlier day is none, nor is one that cannot be read', async () => {
    for (const ledger of ['1<DTASOF>20260502', '1<DTASOF>20260414', 'x<DTASOF>20260430']) {
      expect(await closing(ofx(`<BALAMT>${ledger}`))).toBeUndefined();
    }
    expect(await closing(ofx(''))).toBeUndefined();
  });

  test('a statement without transactions is one', async () => {
    const text =
      '<OFX><STMTRS><BANKACCTFROM><BANKID>2<ACCTID>1</BANKACCTFROM><LEDGERBAL><BALAMT>5<DTASOF>20260430</LEDGERBAL></STMTRS></OFX>';
    const closing = { date: '2026-04-30', pence: 500 };
    expect((await readText(text)).statements).toEqual([
      { account: '2 1', rows: [], unreadableRows: [], closing },
    ]);
  });
});
