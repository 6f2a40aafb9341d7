/** What a person changes in single rows: it becomes the entry, and no reference changes by it. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { omittedRows } from '../../../../clients/typescript/import/entries/omitted-rows.ts';
import type {
  ImportOptions,
  ImportResult,
  RowCorrection,
} from '../../../../clients/typescript/import/index.ts';
import { runs } from '../../../fixtures/runs.ts';
import { lines, ofOneSource, readFixture, readText, references } from './files.ts';

const OF_SHOP = ofOneSource({
  income: [{ key: 'periodAmount', label: 'Rent received' }],
  expense: [{ key: 'other', label: 'Other costs' }],
});
const TEXT = `Date,Details,Amount
31/01/2026,Rent,950.00
01/02/2026,Boiler,-1.234
xx,Coffee,-3.20
02/02/2026,Nothing,0.00
`;
const read = (corrections: Record<number, RowCorrection>, options: ImportOptions = {}) =>
  readText(TEXT, { ...OF_SHOP, corrections, ...options });
const problems = ({ invalid }: ImportResult) =>
  invalid.map(({ row, field, column, value }) => [row, field, column, value]);

describe('a correction', () => {
  test('makes an invalid row an entry, with what the file says of the rest', async () => {
    const result = await read({ 3: { amount: '£1,234.56' }, 4: { date: '3 Feb 2026' } });
    expect(lines(result)).toEqual([
      '2 2026-01-31 +95000 Rent',
      '3 2026-02-01 -123456 Boiler',
      '4 2026-02-03 -320 Coffee',
    ]);
    expect([result.invalid, result.rowCount]).toEqual([[], 4]);
  });

  test('changes each value of an entry', async () => {
    const texts = { date: '28/02/2026', amount: ' (12.50) ', description: ' New\n text ' };
    const { entries } = await read({ 2: { ...texts, category: 'other costs' } });
    expect(entries[0]?.entry).toEqual({
      date: '2026-02-28',
      type: 'expense',
      amountPence: 1_250,
      category: 'other',
      description: 'New text',
      externalRef: references(await read({}))[0] as string,
    });
  });

  test('with wrong values makes an entry invalid, each cell with its message and what was typed', async () => {
    const description = 'y'.repeat(501);
    const wrong = { date: '30/02/2026', amount: 'ten', type: 'x', description, category: 'z' };
    expect(problems(await read({ 2: wrong })).slice(0, 5)).toEqual([
      [2, 'date', 'Date', '30/02/2026'],
      [2, 'amount', 'Amount', 'ten'],
      [2, 'type', 'type', 'x'],
      [2, 'description', 'Details', 'y'.repeat(200)],
      [2, 'category', 'category', 'z'],
    ]);
  });

  test('without an effect on the wrong cell leaves the row invalid, with the texts as they now are', async () => {
    const result = await read({ 3: { description: 'Heater' } });
    expect(problems(result)[0]).toEqual([3, 'amount', 'Amount', '-1.234']);
    const texts = { date: '01/02/2026', type: '', amount: '-1.234', description: 'Heater' };
    expect(result.rowsWithoutEntry[0]).toEqual({
      row: 3,
      ...texts,
      category: '',
      source: '',
      day: '2026-02-01',
    });
    expect(result.rowsWithoutEntry.map(({ row, description }) => `${row} ${description}`)).toEqual([
      ...['3 Heater', '4 Coffee', '5 Nothing'],
    ]);
  });

  test('that leaves a row out lists it, whatever was wrong with it', async () => {
    const result = await read({
      2: { isLeftOut: true, date: '?' },
      3: { isLeftOut: true },
      4: { isLeftOut: true },
    });
    const { entries, skipped, invalid, leftOut, leftOutUnreadable } = result;
    expect([entries, invalid]).toEqual([[], []]);
    expect(leftOut).toMatchObject([{ row: 2, amountPence: 95_000 }]);
    expect(leftOutUnreadable).toEqual([3, 4]);
    expect(skipped.map(({ row }) => row)).toEqual([5]);
    const byHand = { reason: 'It is left out.', isByHand: true as const };
    expect(omittedRows(result)).toEqual([...[2, 3, 4].map((row) => ({ row, ...byHand })), ...skipped]);
  });

  test('makes an entry of a skipped row only with an amount, which 0.00 is not', async () => {
    expect((await read({ 5: { description: 'a' } })).skipped).toMatchObject([{ row: 5 }]);
    expect(lines(await read({ 5: { amount: '-4' } }))).toContain('5 2026-02-02 -400 Nothing');
    expect(problems(await read({ 5: { amount: '0' } }))).toContainEqual([5, 'amount', 'Amount', '0']);
  });

  test('of a row with too many cells needs date, amount and type', async () => {
    const text = 'Date,Details,Money in,Money out\n01/02/2026,Smith, John,5.00,,x\n13/02/2026,a,1.00,\n';
    const one = await readText(text, { corrections: { 2: { date: '1/2/2026', amount: '5' } } });
    expect(problems(one)).toEqual([[2, 'type', 'type', '']]);
    const corrections = { 2: { date: '1/2/2026', amount: '5', type: 'Income' } };
    expect(lines(await readText(text, { corrections }))[0]).toBe('2 2026-02-01 +500 Smith');
  });

  test('of the amount is in pounds, whatever the currency of the row', async () => {
    const text = 'Date,Currency,Amount\n2026-04-01,USD,5\n';
    expect(problems(await readText(text))).toEqual([[2, 'amount', 'Currency', 'USD']]);
    const corrections = { 2: { amount: '4' } };
    expect(lines(await readText(text, { corrections }))).toEqual(['2 2026-04-01 +400']);
  });
});

describe('income and expense:', () => {
  const of = async (correction: RowCorrection, row = 2) =>
    lines(await read({ [row]: correction })).find((line) => line.startsWith(`${row} `));

  test('an amount without a sign keeps the type, one with a minus is an expense', async () => {
    expect(await of({ amount: '5' })).toContain('+500');
    expect(await of({ amount: '-5' })).toContain('-500');
    expect(await of({ amount: '5' }, 3)).toContain('-500');
  });

  test('the type that is given counts, unless the amount contradicts it', async () => {
    expect(await of({ type: 'expense' })).toContain('-95000');
    expect(await of({ type: 'income', amount: '5' }, 3)).toContain('+500');
    const [problem] = problems(await read({ 2: { type: 'income', amount: '-5' } }));
    expect(problem).toEqual([2, 'type', 'type', 'income']);
  });

  test('a type that cannot be read leaves the amount as it is', async () => {
    const text = 'Date,Amount,Type\n2026-04-01,5,income\n2026-04-02,6,oops\n';
    const values = { Type: { oops: 'keep' } } as const;
    const map = { type: 'Type' };
    expect(problems(await readText(text, { map, values }))).toEqual([[3, 'type', 'Type', 'oops']]);
    const { entries } = await readText(text, { map, values, corrections: { 3: { type: 'expense' } } });
    expect(entries[1]?.entry).toMatchObject({ type: 'expense', amountPence: 600 });
  });
});

describe('the category', () => {
  const text = 'Date,Amount,Category\n2026-04-01,5,rnt\n';
  const category = async (correction: RowCorrection) => {
    const rules = 'type is income -> periodAmount';
    const corrections = { 2: correction };
    const { entries } = await readText(text, { ...OF_SHOP, rules, corrections });
    return entries[0]?.entry.category ?? 'none';
  };

  test('is taken by key or label, and the empty text leaves it open whatever the rules say', async () => {
    expect(await category({ category: 'Rent Received' })).toBe('periodAmount');
    expect(await category({ category: '' })).toBe('none');
  });

  test('of rules is that of the corrected entry', async () => {
    const rules = 'description is "agent" -> other';
    const { entries } = await read({ 2: { description: 'Agent', type: 'expense' } }, { rules });
    expect(entries[0]?.entry.category).toBe('other');
  });
});

test('a decimal point is understood in a file with decimal commas, and the comma as well', async () => {
  const text = 'Date;Amount\n2026-04-01;1.234,50\n';
  const pence = async (amount: string) =>
    (await readText(text, { decimal: ',', corrections: { 2: { amount } } })).entries[0]?.entry.amountPence;
  expect([await pence('12.50'), await pence('12,50')]).toEqual([1_250, 1_250]);
  expect([await pence('1.234'), await pence('12,500')]).toEqual([123_400, undefined]);
});

test('rows of OFX, JSON and NDJSON are corrected too', async () => {
  const ofx = await readFixture('statement.ofx', { corrections: { 3: { amount: '-1.00' } } });
  expect(lines(ofx)).toContain('3 2026-04-04 -100 BROKEN');
  expect(ofx.invalid).toEqual([]);
  const json = await readFixture('entries.json');
  expect(json.invalid.map(({ field }) => field)).toEqual(['date', 'amount', 'description']);
  expect(json.rowsWithoutEntry).toMatchObject([{ row: 4, date: '2026-04-31', amount: '2.5' }]);
  const corrections = { 4: { date: '30/04/2026', amount: '2.50', description: 'Parking' } };
  expect(lines(await readFixture('entries.json', { corrections }))).toContain('4 2026-04-30 -250 Parking');
  const typed = { date: '2026-04-30', amount: '1', type: 'income' };
  const ndjson = await readFixture('entries.ndjson', { corrections: { 4: typed } });
  expect(lines(ndjson)).toContain('4 2026-04-30 +100');
});

describe('references', () => {
  const cells = fc.record({
    day: fc.constantFrom('01', '02', 'xx'),
    text: fc.constantFrom('a', 'b'),
    amount: fc.constantFrom('5.00', '-6.01', '0.00', '1.234', ''),
    reference: fc.constantFrom('', '', '', 'r', 's'),
  });
  const toText = (rows: { day: string; text: string; amount: string; reference: string }[]) =>
    ['Date,Details,Amount,Transaction ID']
      .concat(rows.map(({ day, text, amount, reference }) => `2026-04-${day},${text},${amount},${reference}`))
      .join('\n');
  const correction = fc.record(
    {
      date: fc.constantFrom('2026-04-01', '02/04/2026', 'zz'),
      amount: fc.constantFrom('5', '-6.01', 'zz'),
      type: fc.constantFrom('income', 'expense', 'zz'),
      description: fc.constantFrom('a', 'b', ''),
      isLeftOut: fc.constantFrom(true, false),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<RowCorrection>;
  const byRow = ({ entries }: ImportResult) =>
    new Map(entries.map(({ row, entry }) => [row, entry.externalRef]));

  test('of all rows that can be read are those of the file without corrections, and no two entries share one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(cells, { maxLength: 20 }),
        fc.dictionary(fc.integer({ min: 2, max: 21 }).map(String), correction),
        async (rows, corrections) => {
          const before = byRow(await readText(toText(rows)));
          const result = await readText(toText(rows), { corrections });
          const after = byRow(result);
          for (const [row, reference] of before) {
            const isEntry = after.has(row);
            if (corrections[row] === undefined) expect([row, isEntry]).toEqual([row, true]);
            if (isEntry) expect([row, after.get(row)]).toEqual([row, reference]);
          }
          expect(new Set(after.values()).size).toBe(after.size);
          const others = new Set([...omittedRows(result), ...result.invalid].map(({ row }) => row));
          expect(after.size + others.size).toBe(rows.length);
          expect(result.rowsWithoutEntry.map(({ row }) => row).sort()).toEqual([...others].sort());
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('of rows that are corrected to what a corrected file has are those of that file', async () => {
    const row = (day: string, amount: string) => ({ day, text: 'a', amount, reference: '' });
    const whole = ['5.00', '-6.01', '5.00', '5.00'].map((amount) => row('01', amount));
    const broken = [row('xx', '5.00'), row('01', '-1.2.3'), row('01', '5.00'), row('xx', '-1.2.3')];
    const correction = { date: '2026-04-01', amount: '5.00', type: 'income' };
    const corrections = { 2: correction, 3: { amount: '-6.01' }, 5: correction };
    const corrected = references(await readText(toText(broken), { corrections }));
    expect(corrected.sort()).toEqual(references(await readText(toText(whole))).sort());
  });

  test('of the file stay with a row that cannot be read, and a row that is left out frees its own for another content', async () => {
    const rows = ['2026-04-01,1.234,a', '2026-04-02,5,b', '2026-04-03,6,b', '2026-04-02,5,b'];
    const text = ['Date,Amount,Transaction ID', ...rows].join('\n');
    expect(references(await readText(text, { corrections: { 2: { amount: '1' } } }))).toEqual(['a', 'b']);
    const { entries } = await readText(text, { corrections: { 3: { isLeftOut: true } } });
    expect(entries.map(({ row, entry }) => [row, entry.externalRef])).toEqual([[4, 'b']]);
  });
});
