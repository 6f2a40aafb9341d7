/** Files that look like others: data that resembles a header, payments that did not happen, CDATA. */
import { expect, test } from 'bun:test';
import { ImportError, readStatement } from '../../../../clients/typescript/import/index.ts';

const read = (text: string, options = {}) => readStatement(new TextEncoder().encode(text), options);

test('a row with a date and an amount is never the header', async () => {
  const paypal = `"Date","Time","Name","Type","Status","Currency","Gross","Fee","Net"
"20/04/2026","10:00:00","Guest","Payment","Completed","GBP","120.00","-3.78","116.22"
"21/04/2026","10:00:00","Guest","Payment","Completed","GBP","80.00","-1.78","78.22"
`;
  expect(await read(paypal).catch((error) => error)).toBeInstanceOf(ImportError);
  const { entries } = await read(paypal, {
    map: { amount: 'Net', description: 'Name' },
    ignore: ['Gross', 'Fee'],
  });
  expect(entries.map(({ entry }) => entry.amountPence)).toEqual([11_622, 7_822]);
});

test('payments that did not happen are skipped', async () => {
  const { entries, skipped } = await read(`Date,Description,Amount,Status
2026-04-20,A,1.00,Completed
2026-04-20,B,2.00,Pending
2026-04-20,C,3.00,DECLINED
`);
  expect(entries.map(({ entry }) => entry.description)).toEqual(['A']);
  expect(skipped.map(({ row }) => row)).toEqual([3, 4]);
});

test('the text of a CDATA section is read', async () => {
  const ofx = `<OFX><STMTRS><CURDEF>GBP</CURDEF><STMTTRN><DTPOSTED>20260420</DTPOSTED><TRNAMT>-5.00</TRNAMT>
<FITID>1</FITID><NAME><![CDATA[Tom & Co]]></NAME></STMTTRN></STMTRS></OFX>`;
  const { entries } = await read(ofx);
  expect(entries[0]?.entry).toMatchObject({ description: 'Tom & Co', amountPence: 500, type: 'expense' });
});

test('an unknown category suggests the one whose label has the word, or lists the keys', async () => {
  const categories = { income: [{ key: 'periodAmount', label: 'rent received' }], expense: [] };
  const csv = (category: string) => `Date,Description,Amount,Category\n2026-04-20,A,1.00,${category}\n`;
  const message = async (category: string) =>
    (await read(csv(category), { categories })).invalid[0]?.message ?? '';
  expect(await message('Rent')).toContain('Did you mean rent received (periodAmount)?');
  expect(await message('Nonsense')).toContain('The categories are rent received (periodAmount).');
});

test('of two columns with the name of an amount, none is chosen', async () => {
  const csv = 'Date,Description,Amount,Amount\n2026-04-20,A,1.00,2.00\n';
  expect(await read(csv).catch((error) => error)).toMatchObject({ option: 'map' });
  expect((await read(csv, { map: { amount: '4' }, ignore: ['3'] })).entries[0]?.entry.amountPence).toBe(200);
});

test.each(['constructor', 'tostring', 'valueof'])(
  'a name of every object is no entity and no extension: %s',
  async (name) => {
    const ofx = `<OFX><STMTTRN><DTPOSTED>20260420<TRNAMT>1<NAME>a &${name}; b</STMTTRN></OFX>`;
    expect((await read(ofx)).entries[0]?.entry.description).toBe(`a &${name}; b`);
    const json = '[{"date":"2026-04-20","type":"income","amountPence":1}]';
    expect((await read(json, { fileName: `file.${name}` })).format).toBe('json');
  },
);
