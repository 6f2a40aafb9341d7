/** CAMT.053: booked entries of all statements, with their references, signs and parties. */
import { describe, expect, test } from 'bun:test';
import { lines, readFixture, readText, references } from './files.ts';
import { camtBalance as balance, camtEntry as entry, camt as statement } from './outcome.ts';

const document = (statements: string, version = '02') =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>${statements}</BkToCstmrStmt></Document>`;
const read = (...entries: string[]) => readText(document(statement(entries.join(''))));

test('version 8, with two accounts: entries, a reversal, a batch in its parts and one without amounts of its parts', async () => {
  const result = await readFixture('statement.xml');
  expect(result.recognised.format).toBe('camt');
  expect(lines(result)).toEqual([
    '1 2026-04-01 +95000 M Patel - RENT FLAT 2 APRIL',
    '2 2026-04-03 -2350 CARD PAYMENT B&Q LEEDS',
    '3 2026-04-07 +6000 British Gas - Direct debit returned',
    '4 2026-04-08 +9000 A Tenant',
    '5 2026-04-08 -500 Fee',
    '6 2026-04-09 -7000 BATCH OF 2',
  ]);
  expect(result.skipped).toEqual([{ row: 7, reason: 'The entry is not booked: its status is PDNG.' }]);
  expect(result.invalid).toMatchObject([{ row: 8, field: 'amount', column: 'Ccy', value: 'EUR' }]);
  const names = references(result).map((text) => text?.replace('GB33BUKB20201555555555:', 'bank:'));
  expect(names.map((text) => text?.replace(/^imp1-.*/, 'derived')).join(' ')).toBe(
    'bank:FP2604010001 derived bank:DD2604070001 bank:B1-1 bank:B1-2 bank:BATCH2',
  );
});

test('version 2, with prefixes, CDATA, comments, and the date of value where there is none of booking', async () => {
  const text = document(
    statement(`<Ntry><Amt Ccy="GBP">5.00000</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
      <ValDt><DtTm>2026-04-02T00:30:00+01:00</DtTm></ValDt><NtryDtls><TxDtls>
      <RltdPties><Dbtr><Nm>Me</Nm></Dbtr><Cdtr><Nm><![CDATA[A & B]]></Nm></Cdtr></RltdPties>
      <RmtInf><Ustrd>INV<!-- x -->OICE &#128512; &pound;</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`),
  ).replace(/<(\/?)(?=[A-Z])(?!!)/g, '<$1n:');
  expect(lines(await readText(text.replace('<n:![', '<![')))).toEqual([
    '1 2026-04-02 -500 A & B - INVOICE 😀 &pound;',
  ]);
});

test.each(['PDNG', 'INFO', 'FUTR'])('an entry that is %s is no payment yet', async (status) => {
  const { entries, skipped } = await read(entry('1.00', '', status), entry('2.00'));
  expect([entries.map(({ row }) => row), skipped.map(({ row }) => row)]).toEqual([[2], [1]]);
});

test('an entry whose status, sign, date or amount is not known is invalid', async () => {
  const { invalid, entries } = await read(
    entry('1.00', '', 'Booked'),
    entry('1.00').replace('CRDT', 'CR'),
    entry('1.00').replace('2026-04-01', '2026-04-31'),
    ...['1.234', '-1.00', '1,00', '1e2', ''].map((amount) => entry(amount)),
  );
  expect(entries).toEqual([]);
  expect(invalid.map(({ row, column }) => `${row} ${column}`).join()).toBe(
    '1 Sts,2 Amt,3 BookgDt,4 Amt,5 Amt,6 Amt,7 Amt,8 Amt',
  );
});

describe('the reference', () => {
  const refs = (...texts: string[]) =>
    read(...texts.map((text, index) => entry(`${index + 1}.00`, `<AcctSvcrRef>${text}</AcctSvcrRef>`)));

  test("is the bank's own, with the account before it", async () => {
    const text = document(
      statement(entry('1.00', '<AcctSvcrRef>7</AcctSvcrRef>'), 'GB1') +
        statement(entry('1.00', '<AcctSvcrRef>7</AcctSvcrRef>'), 'GB2'),
    );
    expect(references(await readText(text))).toEqual(['GB1:7', 'GB2:7']);
    expect(references(await readText(text, { accountLabel: 'Joint' }))).toEqual(['Joint:7']);
  });

  test('is derived where the bank has none', async () => {
    const { entries } = await refs('NONREF', 'Not Provided', '000', 'N/A', '7');
    const own = entries.filter(({ isReferenceDerived }) => !isReferenceDerived);
    expect([entries.length, own.map(({ row }) => row)]).toEqual([5, [5]]);
  });

  test('that two entries have makes the second one invalid, unless the same entry is in two statements', async () => {
    expect((await refs('7', '7')).invalid).toMatchObject([
      { row: 2, field: 'reference', column: 'AcctSvcrRef' },
    ]);
    const same = entry('1.00', '<AcctSvcrRef>7</AcctSvcrRef>');
    expect((await read(same, same)).invalid).toMatchObject([{ row: 2, option: 'repeated' }]);
    const { skipped, statements } = await readText(document(statement(same) + statement(same)));
    expect(skipped).toEqual([{ row: 2, reason: 'It repeats row 1, with the same reference.' }]);
    expect(statements.map(({ rows }) => rows.length)).toEqual([1, 0]);
    const unnamed = document(statement(entry('1.00')).repeat(2));
    expect((await readText(unnamed)).invalid).toMatchObject([{ row: 2, option: 'repeated' }]);
  });

  test('of the parts of an entry is derived, unless each has its own', async () => {
    const part = (reference: string) =>
      `<TxDtls><Refs><AcctSvcrRef>${reference}</AcctSvcrRef></Refs><AmtDtls><TxAmt><Amt Ccy="GBP">1.00</Amt></TxAmt></AmtDtls></TxDtls>`;
    const parts = (...all: string[]) =>
      `<AcctSvcrRef>B</AcctSvcrRef><NtryDtls>${all.map(part).join('')}</NtryDtls>`;
    expect(references(await read(entry('2.00', parts('x', 'y'))))).toEqual(['GB1:x', 'GB1:y']);
    const shared = await read(entry('2.00', parts('x', 'x')));
    expect(shared.entries.map(({ isReferenceDerived }) => isReferenceDerived)).toEqual([true, true]);
    expect(new Set(references(shared)).size).toBe(2);
    // Parts that do not add up are no rows.
    expect(references(await read(entry('3.00', parts('x', 'y'))))).toEqual(['GB1:B']);
  });
});

test('the balances are those that are booked: opening, else the closing one of the day before, and closing', async () => {
  const ends = async (...all: string[]) => {
    const [{ opening, closing } = {}] = (await readText(document(statement(all.join(''))))).statements;
    return [opening?.pence, closing?.pence];
  };
  const [opening, before] = [balance('OPBD', '1.00'), balance('PRCD', '9')];
  const closing = balance('CLBD', '2', 'DBIT');
  expect(await ends(opening, closing)).toEqual([100, -200]);
  expect(await ends(before, closing)).toEqual([900, -200]);
  expect(await ends(before, opening)).toEqual([100, undefined]);
  expect(await ends(balance('CLAV', '5'), balance('OPBD', 'x'))).toEqual([undefined, undefined]);
});

describe('what contradicts an entry makes it invalid:', () => {
  const detail = (sign: string) => `<NtryDtls><TxDtls><CdtDbtInd>${sign}</CdtDbtInd></TxDtls></NtryDtls>`;
  test.each<[string, string, string[]]>([
    ['the sign of its transaction', entry('1.00', detail('DBIT')), ['TxDtls/CdtDbtInd']],
    ['no sign of one that comes back', entry('1.00', `<RvslInd>true</RvslInd>${detail('DBIT')}`), []],
    ['a second amount', entry('1.00', '<Amt Ccy="GBP">2.00</Amt>'), ['Amt']],
    ['a second sign', entry('1.00', '<CdtDbtInd>DBIT</CdtDbtInd>'), ['CdtDbtInd']],
  ])('%s', async (_, text, columns) => {
    expect((await read(text)).invalid.map(({ column }) => column)).toEqual(columns);
  });

  test('the currency of the balance, if the account has none', async () => {
    const balance = '<Bal><Amt Ccy="EUR">1.00</Amt></Bal>';
    expect((await read(balance, entry('1.00'))).invalid).toMatchObject([
      { column: 'Acct/Ccy', value: 'EUR' },
    ]);
  });
});

test('the amount in the currency of a shop is none of the payment', async () => {
  const amount = '<Amt Ccy="EUR">9.00</Amt>';
  const details = `<TxDtls><AmtDtls><InstdAmt>${amount}</InstdAmt></AmtDtls>${amount}</TxDtls>`;
  const { entries, invalid } = await read(entry('1.00', `<NtryDtls>${details}</NtryDtls>`));
  expect([entries.map(({ entry }) => entry.amountPence), invalid]).toEqual([[100], []]);
});

test('parts with two amounts in one currency are no rows', async () => {
  const part = (amount: string) =>
    `<TxDtls><Amt Ccy="GBP">1.00</Amt><AmtDtls><TxAmt><Amt Ccy="GBP">${amount}</Amt></TxAmt></AmtDtls></TxDtls>`;
  const parts = (amount: string) => entry('2.00', `<NtryDtls>${part(amount)}${part('1.00')}</NtryDtls>`);
  expect([(await read(parts('1.00'))).rowCount, (await read(parts('1.50'))).rowCount]).toEqual([2, 1]);
});

describe('a file is refused in words', () => {
  const summary = '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry>';
  test('that says that it has more entries, unless it is a page', async () => {
    await expect(read(summary, entry('1.00'))).rejects.toThrow('says that it has 2 entries, and has 1');
    const page = '<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>';
    expect((await read(summary, entry('1.00'), entry('2.00'))).rowCount).toBe(2);
    expect((await read(page, summary, entry('1.00'))).rowCount).toBe(1);
  });

  test.each([
    ['in a statement', statement(`${entry('1.00')}<Fees><Amt Ccy="GBP">5.00</Amt></Fees>`), 'Fees'],
    ['in an entry', statement(entry('1.00', '<Fee Ccy="GBP">5.00</Fee>')), 'Fee'],
    ['beside the statements', `${statement('')}${entry('5.00')}`, 'Ntry'],
    [
      'in another report',
      `${statement('')}</BkToCstmrStmt><Rpt>${entry('5.00')}</Rpt><BkToCstmrStmt>`,
      'Ntry',
    ],
  ])('that has money in an element that is not of CAMT.053: %s', async (_, text, name) => {
    await expect(readText(document(text))).rejects.toThrow(`amounts in the element ${name}`);
  });

  test('but not for another element without money', async () => {
    expect((await read(entry('1.00', '<Note>x</Note>'))).rowCount).toBe(1);
  });

  test.each<[string, string, string, string?]>([
    ['that is cut off', document(statement(entry('1.00'))).slice(0, -30), 'not whole'],
    ['that is not XML', '<Document xmlns="camt.053.001.02"><BkToCstmrStmt><Stmt></BkToCstmrStmt>', 'not XML'],
    ['of a notification', '<Document><BkToCstmrDbtCdtNtfctn/></Document>', 'not CAMT.053'],
    ['with the extension of XML that is no statement', '<a/>', 'The file is not CAMT.053', 'a.xml'],
  ])('%s', async (_, text, message, fileName = '') => {
    const refused = { code: 'unreadable_file', message: expect.stringContaining(message) };
    await expect(readText(text, { fileName })).rejects.toMatchObject(refused);
  });
});

test('a file expands nothing and fetches nothing: entities of its own stay texts', async () => {
  const lol = Array.from({ length: 20 }, (_, n) => `<!ENTITY l${n + 1} "&l${n};&l${n};">`).join('');
  const doctype = `<!DOCTYPE Document [<!ENTITY l0 "lol"><!ENTITY x SYSTEM "file:///etc/passwd">${lol}]>`;
  const text = doctype + document(statement(entry('1.00', '<AddtlNtryInf>&l20; &x;</AddtlNtryInf>')));
  expect(lines(await readText(text))).toEqual(['1 2026-04-01 +100 &l20; &x;']);
});
