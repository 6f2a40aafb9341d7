/** OFX: the currency and the kind of a transaction, ids that are none, and elements that may hold money. */
import { describe, expect, test } from 'bun:test';
import { referenceDeriver } from '../../../../clients/typescript/import/values/derived-reference.ts';
import { lines, readText, references, rowsOf } from './files.ts';

const transaction = (fields: Record<string, string>, more = '') =>
  `<STMTTRN>${Object.entries({
    TRNTYPE: 'OTHER',
    DTPOSTED: '20260413',
    TRNAMT: '-1.00',
    NAME: 'a',
    ...fields,
  })
    .map(([tag, text]) => `<${tag}>${text}`)
    .join('')}${more}</STMTTRN>`;
const statement = (content: string, more = '', tag = 'STMTRS') =>
  `<${tag}><CURDEF>GBP<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${content}</BANKTRANLIST>${more}</${tag}>`;
const ofx = (...statements: string[]) => `<OFX>${statements.join('')}</OFX>\n`;
const read = (...transactions: string[]) => rowsOf(ofx(statement(transactions.join(''))));
/** The reference of a payment without an id. */
const derived = (date: string, description: string) =>
  referenceDeriver()({ account: '1', date, type: 'expense', pence: 100, description });
/** What becomes of the only row. */
const [IS_READ, IS_INVALID] = [
  [[1], [], []],
  [[], [], [1]],
];

test.each([
  ['<CURRENCY><CURRATE>1<CURSYM>EUR</CURRENCY>', false],
  ['<CURRENCY>EUR', false],
  ['<CURSYM>EUR', false],
  ['<ORIGCURRENCY><CURRATE>1<CURSYM>EUR</ORIGCURRENCY><CURSYM>USD', false],
  ['<ORIGCURRENCY><CURRATE>1<CURSYM>EUR</ORIGCURRENCY>', true],
  ['<CURRENCY><CURSYM>GBP</CURRENCY>', true],
])('the currency of a payment: %s', async (more, isRead) => {
  expect(await read(transaction({}, more))).toEqual(isRead ? IS_READ : IS_INVALID);
});

describe('a correction', () => {
  test.each<[string, Record<string, string>, number[][]]>([
    ['replaces a payment of the file', { CORRECTFITID: 'A', CORRECTACTION: 'REPLACE' }, [[], [1], [2]]],
    [
      'has the id of what it corrects',
      { FITID: 'A', CORRECTFITID: 'A', CORRECTACTION: 'DELETE' },
      [[], [1], [2]],
    ],
    ['is of another file', { CORRECTFITID: 'B', CORRECTACTION: 'DELETE' }, [[1], [], [2]]],
    ['does not say of what', { CORRECTACTION: 'DELETE' }, [[1], [], [2]]],
    ['is none if its elements are empty', { CORRECTFITID: '', CORRECTACTION: '' }, [[1, 2], [], []]],
  ])('%s', async (_, fields, expected) => {
    expect(await read(transaction({ FITID: 'A' }), transaction({ NAME: 'b', ...fields }))).toEqual(expected);
  });
});

test('an amount that is held is no payment', async () => {
  expect(await read(transaction({ TRNTYPE: 'HOLD' }), transaction({}))).toEqual([[2], [1], []]);
});

test.each(['0', '000', 'NONREF', 'N/A', ''])('the id "%s" of all payments is none', async (FITID) => {
  const all = [transaction({ FITID }), transaction({ FITID }), transaction({ FITID, NAME: 'b' })];
  expect(await read(...all)).toEqual([[1, 2, 3], [], []]);
});

test('different payments with one id are several, if the option says so, and their references do not depend on each other', async () => {
  const [a, b] = ['a', 'b'].map((NAME) => transaction({ FITID: 'X', NAME })) as [string, string];
  const one = ofx(statement(a + b + b));
  expect(await rowsOf(one)).toEqual([[1], [], [2, 3]]);
  expect((await readText(one)).invalid).toMatchObject([{ option: 'repeated' }, { option: 'repeated' }]);
  const referencesOf = async (...all: string[]) =>
    references(await readText(ofx(statement(all.join(''))), { repeated: 'another' }));
  const [ofA, ofB, again] = await referencesOf(a, b, b);
  expect(await referencesOf(b, a)).toEqual([ofB, ofA]);
  expect(new Set([ofA, ofB, again]).size).toBe(3);
});

test('equal payments of two statements of an account are asked about, if they have no ids', async () => {
  const twice = ofx(statement(transaction({})), statement(transaction({}) + transaction({})));
  expect(await rowsOf(twice)).toEqual([[1], [], [2, 3]]);
  expect((await readText(twice)).invalid).toMatchObject([{ option: 'repeated' }, { option: 'repeated' }]);
  expect(await rowsOf(twice, { repeated: 'same' })).toEqual([[1, 3], [2], []]);
  expect(await rowsOf(twice, { repeated: 'another' })).toEqual([[1, 2, 3], [], []]);
});

describe('ids that begin again in a further statement of the file', () => {
  const [june, july] = [
    [{ DTPOSTED: '20260601' }, { DTPOSTED: '20260602', NAME: 'b' }],
    [{ DTPOSTED: '20260701' }, { DTPOSTED: '20260702', NAME: 'b' }, { DTPOSTED: '20260703' }],
  ].map((rows) =>
    rows.map((fields, index) => transaction({ FITID: `${index + 1}`, ...fields })).join(''),
  ) as [string, string];
  const both = ofx(statement(june), statement(july));

  test('are none there: the rows have derived references, and all others keep theirs', async () => {
    const result = await readText(both);
    expect(result.invalid).toEqual([]);
    const [first, second] = [derived('2026-07-01', 'a'), derived('2026-07-02', 'b')];
    expect(references(result)).toEqual(['1:1', '1:2', first, second, '1:3']);
    expect(references(await readText(ofx(statement(june))))).toEqual(['1:1', '1:2']);
  });

  test('count if the statements overlap: a row of both is not read twice', async () => {
    const overlap = transaction({ DTPOSTED: '20260602', NAME: 'b', FITID: '1' });
    expect(await rowsOf(ofx(statement(june), statement(overlap)))).toEqual([[1, 2], [], [3]]);
    expect(await rowsOf(ofx(statement(june), statement(june)))).toEqual([[1, 2], [3, 4], []]);
  });

  test('are asked about if they repeat within the statement', async () => {
    const again = [{ DTPOSTED: '20260704' }, { DTPOSTED: '20260705' }].map((fields) =>
      transaction({ FITID: '1', ...fields }),
    );
    const twice = ofx(statement(june), statement(again.join('')));
    expect(await rowsOf(twice)).toEqual([[1, 2, 3], [], [4]]);
    const equal = ofx(statement(june), statement(`${again[0]}${again[0]}`));
    expect(await rowsOf(equal)).toEqual([[1, 2, 3], [], [4]]);
  });
});

test.each<[string, boolean]>([
  ['<CATEGORY>Bills and services', true],
  ['<BANKCODE>4711', true],
  ['<BANKEXT><MERCHANTID>77<ISCHEQUE>N</BANKEXT>', true],
  ['<BOOKED>20260413', true],
  ['<STATUS>BOOKED', true],
  ['<SURCHARGE>1.00', false],
  ['<EXTRA>-1', false],
  ['<FEEAMT>2', false],
  ['<STATUS>PENDING', false],
  ['<STATUS>X7', false],
  ['<REVERSED>Y', false],
  ['<NOTE>Declined', false],
  ['<SIDE>DEBIT', false],
  ['<UNIT>EUR', false],
])('an element that only the bank has: %s', async (more, isRead) => {
  expect(await read(transaction({}, more))).toEqual(isRead ? IS_READ : IS_INVALID);
});

describe('elements around the payments:', () => {
  test.each<[string, number[][]]>([
    [
      '<CASHADVBALAMT>500.00<INTRATEPURCH>19.9<MKTGINFO>Win 5.00<BALLIST><BAL><VALUE>5.00</BAL></BALLIST>',
      [[1], [], []],
    ],
    ['<INV401K><TOTAL>5.00</INV401K>', [[1], [], []]],
    ['<FEES><VALUE>-5.00</FEES>', [[1], [], [2]]],
    ['<BANKTRANLISTP><STMTTRNP><DTTRAN>20260401<TRNAMT>-9.00</STMTTRNP></BANKTRANLISTP>', [[1], [2], []]],
    ['<XLIST><XTRN><TRNAMT>-5</XTRN></XLIST>', [[1], [], [2]]],
  ])('%s', async (more, expected) => {
    expect(await rowsOf(ofx(statement(transaction({}), more)))).toEqual(expected);
  });

  test('a text about offers hides no balance', async () => {
    const more = '<MKTGINFO>Win<LEDGERBAL><BALAMT>5.00<DTASOF>20260430</LEDGERBAL>';
    expect((await readText(ofx(statement(transaction({}), more)))).statements[0]?.closing?.pence).toBe(500);
  });

  test('a balance of a card without a minus may be what is owed, and is none', async () => {
    const closing = async (amount: string) => {
      const more = `<LEDGERBAL><BALAMT>${amount}<DTASOF>20260430</LEDGERBAL>`;
      return (await readText(ofx(statement(transaction({}), more, 'CCSTMTRS')))).statements[0]?.closing
        ?.pence;
    };
    expect([await closing('-90.00'), await closing('90.00')]).toEqual([-9_000, undefined]);
  });
});

test('a file with a prefix of XML, an empty element that OFX does not have, a comment and the mark of an end', async () => {
  const text = ofx(statement(transaction({ FOO: '' }), '<!-- x -->')).replace(/<(\/?)OFX>/g, '<$1o:OFX>');
  expect(lines(await readText(`${text}<!-- end -->\x1a`))).toEqual(['1 2026-04-13 -100 a']);
  await expect(readText(text.replace('</o:OFX>', ''))).rejects.toThrow('not whole');
});

test('an account that is named behind the statement is not its own', async () => {
  const text = ofx(
    statement(transaction({ FITID: 'x' })),
    '<ACCTINFO><BANKACCTFROM><ACCTID>77</BANKACCTFROM><VERSION>1.02</ACCTINFO>',
  );
  expect(references(await readText(text))).toEqual(['1:x']);
});

test('an amount with a comma that may be pounds or thousands is invalid', async () => {
  const amounts = ['-1,500', '-1,00', '-1,234', '-1,500.00', '-1.00000000'].map((TRNAMT) =>
    transaction({ TRNAMT }),
  );
  const { entries, invalid } = await readText(ofx(statement(amounts.join(''))));
  expect(entries.map(({ entry }) => entry.amountPence)).toEqual([100, 123_400, 150_000, 100]);
  expect(invalid).toMatchObject([{ row: 1, message: 'The amount may be 1.50 or 1,500.00.' }]);
});

test('an amount with parts of a penny gets no advice about decimal marks', async () => {
  const { invalid } = await readText(ofx(statement(transaction({ TRNAMT: '-12.345' }))));
  expect(invalid).toMatchObject([{ message: expect.stringContaining('not in whole pence') }]);
});

describe('MEMO goes on with a NAME that is cut at 32 characters,', () => {
  test.each([
    // In a word, in capitals, in a name, in a number, by letters that are a part of it, with its spaces counted.
    ['Online Payment 1234567890 To Cap', 'ital One Bank'],
    ['NATIONWIDE BUILDING SOCIETY MORT', 'GAGE 4471'],
    ['Amznmktplace**********, amazon.c', 'o.uk 1234'],
    ['BRITISH GAS DIRECT DEBIT REF 123', '456'],
    ['THE HOMECARE COMPANY LTD LIMIT A', 'LTDA'],
    ['GROCER  AND  SONS  INC 12345 EXA', 'MPLE ROAD'],
  ])('%s', async (NAME, MEMO) => {
    const { entries } = await readText(ofx(statement(transaction({ NAME, MEMO }))));
    expect(entries[0]?.entry.description).toBe((NAME + MEMO).replace(/ +/g, ' '));
    // The reference is of the description of the first version.
    const description = `${NAME} - ${MEMO}`;
    expect(entries[0]?.entry.externalRef).toBe(derived('2026-04-13', description));
    expect(entries[0]?.earlier).toEqual({ description: description.replace(/ +/g, ' ') });
  });

  const both = (name: string, memo: string) => `${name} - ${memo}`;
  const onlyName = (name: string) => name;
  test.each<[string, string, string, (name: string, memo: string) => string]>([
    ['not a shorter one', 'NATIONWIDE BUILDING SOCIETY MOR', 'TGAGE', both],
    ['nor a longer one', 'NATIONWIDE BUILDING SOCIETY MORTG', 'AGE', both],
    [
      'nor one that it repeats',
      'DIRECT DEBIT PAYMENT TO EE LIMIT',
      'Direct debit payment to EE Limited 12',
      (_, memo) => memo,
    ],
    ['nor with a word of it', 'DIRECT DEBIT PAYMENT TO EE LIMIT', 'DIRECT DEBIT', onlyName],
    ['nor with another text', 'Mill Lane Property Management Lt', 'Rent for May', both],
    ['nor without a MEMO', 'NATIONWIDE BUILDING SOCIETY MORT', '', onlyName],
  ])('%s', async (_, NAME, MEMO, described) => {
    const expected = described(NAME, MEMO);
    const { entries } = await readText(ofx(statement(transaction({ NAME, MEMO }))));
    expect([entries[0]?.entry.description, entries[0]?.earlier]).toEqual([expected, undefined]);
    expect(entries[0]?.entry.externalRef).toBe(derived('2026-04-13', expected));
  });
});
