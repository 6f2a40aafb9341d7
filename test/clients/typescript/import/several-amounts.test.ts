/** Several amounts in a row: each is an entry, together they are the payment, and a column can check their sum. */
import { describe, expect, test } from 'bun:test';
import {
  type AmountColumns,
  ImportError,
  type ImportOptions,
  type ImportResult,
  readImportFile,
} from '../../../../clients/typescript/import/index.ts';
import { eachColumn, withAnswer } from '../../../../clients/typescript/import/questions/answers.ts';
import { readText, references } from './files.ts';
import { problems } from './plan.ts';
import { workbook } from './workbook.ts';

const AMOUNTS: AmountColumns[] = [
  { columns: ['Rent'], direction: 'in' },
  { columns: ['Fee', 'VAT'], direction: 'out' },
  { columns: ['Repairs'], direction: 'out' },
];
const HEADER = 'Date,Tenant,Rent,Fee,VAT,Repairs,Net paid';
const ROW = '10/04/2026,Smith,950.00,95.00,19.00,60.00,776.00';
const OPTIONS: ImportOptions = { dateFormat: 'dmy', amounts: AMOUNTS, map: { check: 'Net paid' } };

const read = (rows: readonly string[], options: ImportOptions = OPTIONS) =>
  readText(rows.join('\n'), options);

/** `row[#part] ±pounds`, in the order of the parts, apart by commas. */
const amounts = ({ entries }: Pick<ImportResult, 'entries'>) =>
  entries
    .map(({ row, part, entry: { type, amountPence } }) => {
      const sign = type === 'income' ? '+' : '-';
      return `${row}${part === undefined ? '' : `#${part}`} ${sign}${(amountPence / 100).toFixed(2)}`;
    })
    .join(', ');

describe('the amounts of a row', () => {
  test('are the parts of one row, income first and then the larger one; columns with one entry add up', async () => {
    const result = await read([HEADER, ROW, '10/05/2026,Smith,950.00,95.00,19.00,,836.00']);
    expect(problems(result)).toEqual([]);
    expect(amounts(result)).toBe('2#1 +950.00, 2#2 -114.00, 2#3 -60.00, 3#1 +950.00, 3#2 -114.00');
    expect(result.statements[0]?.rows).toMatchObject([{ pence: 77_600 }, { pence: 83_600 }]);
    expect(result.recognised).toMatchObject({ columns: { check: 6 }, ignored: [] });
    expect(result.recognised.amounts).toEqual([
      { columns: [2], direction: 'in' },
      { columns: [3, 4], direction: 'out' },
      { columns: [5], direction: 'out' },
    ]);
  });

  test('may be blank, a dash or 0; a row with none is skipped, and a row with one is whole', async () => {
    const result = await read([
      HEADER,
      '10/04/2026,Smith,950.00,0.00,-,,950.00',
      '11/04/2026,Nobody,,,,,',
      '12/04/2026,Nobody,0.00,,,0,0.00',
      '13/04/2026,Plumber,,,,60.00,-60.00',
    ]);
    expect(amounts(result)).toBe('2 +950.00, 5 -60.00');
    expect(result.skipped.map(({ reason }) => reason)).toEqual([
      'There is no amount.',
      'The amount is 0.00.',
    ]);
  });

  test('with a minus go the other way, unless most amounts of the column have one', async () => {
    const refunded = await read([HEADER, ROW, ROW, '10/05/2026,Smith,950.00,-20.00,-4.00,,974.00']);
    expect(amounts(refunded)).toEndWith('4#1 +950.00, 4#2 +24.00');
    const negative = await read([
      HEADER,
      '10/04/2026,Smith,950.00,-95.00,-19.00,-60.00,776.00',
      '10/05/2026,Smith,950.00,-95.00,-19.00,,836.00',
      '10/06/2026,Smith,950.00,20.00,4.00,,974.00',
    ]);
    expect(amounts(negative)).toBe(
      '2#1 +950.00, 2#2 -114.00, 2#3 -60.00, 3#1 +950.00, 3#2 -114.00, 4#1 +950.00, 4#2 +24.00',
    );
  });

  test('of money in that mostly have a minus are invalid, and so is a plus in money out', async () => {
    const result = await read(['Date,Rent,Fee', '10/04/2026,-950.00,5.00', '11/04/2026,,+5.00'], {
      ...OPTIONS,
      amounts: [AMOUNTS[0] as AmountColumns, { columns: ['Fee'], direction: 'out' }],
      map: {},
    });
    expect(problems(result)).toEqual([
      '2 amount: Most amounts of "Rent", which is money in, have a minus; it may be money out.',
      '3 amount: The amount has a plus, and "Fee" is money out.',
    ]);
  });

  test('may cancel each other: the row is 0.00, and its parts are entries', async () => {
    const result = await read([HEADER, '10/04/2026,Smith,60.00,,,60.00,0.00']);
    expect([amounts(result), problems(result)]).toEqual(['2#1 +60.00, 2#2 -60.00', []]);
    expect(result.statements[0]?.rows).toMatchObject([{ pence: 0 }]);
  });

  test('in a unit of pence are pence', async () => {
    const result = await read([HEADER, '10/04/2026,Smith,95000,9500,1900,6000,77600'], {
      ...OPTIONS,
      unit: 'pence',
    });
    expect(amounts(result)).toBe('2#1 +950.00, 2#2 -114.00, 2#3 -60.00');
  });

  test('that cannot be read make the row invalid, whole', async () => {
    const result = await read([HEADER, '10/04/2026,Smith,950.00,95.00,19.00,sixty,776.00']);
    expect([result.entries, result.invalid[0]?.column]).toEqual([[], 'Repairs']);
    const corrections = new Map([[2, { amount: '776.00' }]]);
    expect(problems(await read([HEADER, ROW], { ...OPTIONS, corrections }))).toEqual([
      '2 amount: The row has several amounts: correct them in the file, or choose what their columns hold.',
    ]);
  });

  test('follow a corrected date, description and source, and keep the reference of the row', async () => {
    const corrections = new Map([[2, { date: '12/04/2026', description: 'Smith, April' }]]);
    const result = await read([HEADER, ROW], { ...OPTIONS, corrections });
    expect(amounts(result)).toBe('2#1 +950.00, 2#2 -114.00, 2#3 -60.00');
    expect(result.entries.map(({ entry }) => `${entry.date} ${entry.description}`)).toEqual(
      Array(3).fill('2026-04-12 Smith, April'),
    );
    expect(references(result)).toEqual(references(await read([HEADER, ROW])));
  });

  test('have a category and a source as other entries, from a workbook too', async () => {
    const numbers = ['950', '95', '19', '836'].map((number) => ({ number }));
    const bytes = workbook([
      {
        name: 'Statement',
        rows: {
          1: ['Landlord statement'],
          3: ['Date', 'Rent', 'Fee', 'VAT', 'Net'],
          4: [{ dateSerial: 45941 }, ...numbers],
          5: ['Total', ...numbers],
        },
      },
    ]);
    const result = await readImportFile(bytes, {
      fileName: 'agent.xlsx',
      amounts: [
        { columns: ['Rent'], direction: 'in', category: 'periodAmount' },
        { columns: ['Fee', 'VAT'], direction: 'out', category: 'professionalFees' },
      ],
      map: { check: 'Net' },
    });
    expect(amounts(result)).toBe('4#1 +950.00, 4#2 -114.00');
    expect(result.entries.map(({ entry }) => entry.category)).toEqual(['periodAmount', 'professionalFees']);
    expect(result.skipped).toEqual([{ row: 5, reason: 'This is a total, not a transaction.' }]);
  });
});

describe('the check column', () => {
  test.each([
    ['780.00', 'add up to 776.00, and "Net paid" is 780.00.'],
    ['776.01', 'add up to 776.00, and "Net paid" is 776.01.'],
    ['-776.00', 'add up to 776.00, and "Net paid" is -776.00.'],
    ['', 'add up to 776.00, and "Net paid" is empty.'],
    ['n/a', 'add up to 776.00, and "Net paid" is n/a.'],
  ])('of %p makes the row invalid', async (net, message) => {
    const result = await read([HEADER, ROW.replace(/[^,]*$/, net)]);
    expect(result.entries).toEqual([]);
    expect(problems(result)).toEqual([`2 amount: The amounts of the row ${message}`]);
  });

  test('is no amount of a row without another one', async () => {
    const result = await read([HEADER, ROW, '11/04/2026,Paid to you,,,,,776.00']);
    expect(problems(result)).toEqual([
      '3 amount: The amounts of the row add up to 0.00, and "Net paid" is 776.00.',
    ]);
  });

  test('checks a single amount too', async () => {
    const rows = ['Date,Description,Sum,Copy', '10/04/2026,a,5.00,5.00', '11/04/2026,b,5.00,6.00'];
    const result = await read(rows, { dateFormat: 'dmy', map: { amount: 'Sum', check: 'Copy' } });
    expect(amounts(result)).toBe('2 +5.00');
    expect(problems(result)).toHaveLength(1);
  });
});

describe('columns', () => {
  const refusal = async (rows: readonly string[], options: ImportOptions) => {
    const error = await read(rows, options).catch((error: unknown) => error);
    if (!(error instanceof ImportError)) throw new Error('The file was read.');
    return error;
  };

  const vatAgain: AmountColumns = { columns: ['VAT'], direction: 'out' };
  const inOf = (...columns: string[]): AmountColumns[] => [{ columns, direction: 'in' }];
  test.each<[string, Partial<ImportOptions>, ImportError['code'], string]>([
    ['a missing one', { amounts: inOf('Rant') }, 'unknown_column', 'did you mean "Rent"'],
    ['one twice', { amounts: [...AMOUNTS, vatAgain] }, 'invalid_option', '"VAT" is chosen twice'],
    ['one that is also the check', { map: { check: 'Rent' } }, 'invalid_option', '"Rent" is chosen twice'],
    ['one that is left out', { ignore: ['VAT'] }, 'invalid_option', '"VAT" is both chosen and left out'],
    ['none', { amounts: inOf() }, 'invalid_option', 'has no column'],
    ['21 amounts', { amounts: Array(21).fill(AMOUNTS[0]) }, 'invalid_option', 'at most 20'],
  ])('%s is refused', async (_, more, code, message) => {
    const error = await refusal([HEADER, ROW], { ...OPTIONS, ...more });
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('that add up in all rows are one question, and its answer is their direction', async () => {
    const rows = [HEADER, ROW, '10/05/2026,Smith,950.00,95.00,19.00,-8.00,844.00'];
    const options: ImportOptions = { dateFormat: 'dmy' };
    const { questions = [] } = await refusal(rows, options);
    expect(questions.map(({ name }) => name)).toEqual(['Net paid']);
    expect(questions[0]?.message).toContain(
      '"Rent", money in, less "Fee" and "VAT" and "Repairs", money out',
    );
    const [question] = questions;
    if (!question) throw new Error('nothing is asked');
    const sum = withAnswer(options, question, 'check');
    expect(amounts(await read(rows, sum))).toBe(
      '2#1 +950.00, 2#2 -95.00, 2#3 -60.00, 2#4 -19.00, 3#1 +950.00, 3#2 +8.00, 3#3 -95.00, 3#4 -19.00',
    );
    // In another way, or in one row not at all, they say nothing.
    for (const row of [
      '10/05/2026,Smith,950.00,95.00,19.00,60.00,777.00',
      '10/05/2026,Smith,0.00,0.00,0.00,0.00,5.00',
    ]) {
      const open = await refusal([...rows, row], sum);
      expect(eachColumn(open.questions).map(({ name }) => name)).toEqual(['Rent', 'Fee', 'VAT', 'Repairs']);
    }
    const net = await refusal(rows, withAnswer(options, question, 'moneyIn'));
    expect(eachColumn(net.questions).map(({ name }) => name)).toEqual(['Rent', 'Fee', 'VAT', 'Repairs']);
  });

  test('with a certain name, and those of map, are amounts beside the others', async () => {
    const named = await read(['Date,Received,Fee', '10/04/2026,950.00,95.00'], {
      dateFormat: 'dmy',
      amounts: [{ columns: ['Fee'], direction: 'out' }],
    });
    expect(amounts(named)).toBe('2#1 +950.00, 2#2 -95.00');
    const mapped = await read(['Date,Rent,Fee,Other,Card', '10/04/2026,950.00,95.00,-5.00,7.00'], {
      dateFormat: 'dmy',
      amounts: [{ columns: ['Fee'], direction: 'out' }],
      map: { amount: 'Other', spent: 'Card', moneyIn: 'Rent' },
    });
    expect(amounts(mapped)).toBe('2#1 +950.00, 2#2 -95.00, 2#3 -7.00, 2#4 -5.00');
  });

  test('are one question, and one answer settles all of them', async () => {
    const rows = [
      'Date,Details,Rent,Repairs,Insurance',
      '10/04/2026,April,950.00,,',
      '12/04/2026,Shop,,12.99,',
      '15/04/2026,Insurer,,,210.50',
    ];
    const options: ImportOptions = { dateFormat: 'dmy', map: { description: 'Details' } };
    const { questions: [question, ...others] = [] } = await refusal(rows, options);
    if (!question) throw new Error('nothing is asked');
    expect(others).toEqual([]);
    expect(question).toMatchObject({ kind: 'amounts', columns: [2, 3, 4] });
    const out = { Repairs: 'moneyOut', Insurance: 'moneyOut' } as const;
    const answered = withAnswer(options, question, { Rent: 'moneyIn', ...out });
    expect(amounts(await read(rows, answered))).toBe('2 +950.00, 3 -12.99, 4 -210.50');
    // A column without an answer has none.
    const { questions: left = [] } = await refusal(rows, withAnswer(options, question, out));
    expect(left.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['amount Rent']);
    // None of them has an answer of its own accord.
    expect(withAnswer(options, question, {})).toEqual(options);
  });

  test('are one question with the sum of some of them', async () => {
    const rows = [
      'Date,Details,Gross,Fee,Net,Payout,Kind',
      '10/04/2026,April,950.00,95.00,855.00,,Rent',
      '11/04/2026,Paid to you,,,,855.00,Payout',
      '10/05/2026,May,900.00,90.00,810.00,,Rent',
    ];
    const options: ImportOptions = { dateFormat: 'dmy' };
    const { questions = [] } = await refusal(rows, options);
    expect(questions.map(({ kind, name }) => `${kind} ${name}`.trim())).toEqual(['amounts', 'values Kind']);
    const [ofAmounts, ofKinds] = questions;
    if (!ofAmounts || !ofKinds) throw new Error('less is asked');
    const sum = withAnswer(options, ofAmounts, { Net: 'check', Payout: 'ignore' });
    expect(amounts(await read(rows, withAnswer(sum, ofKinds, { Rent: 'keep', Payout: 'skip' })))).toBe(
      '2#1 +950.00, 2#2 -95.00, 4#1 +900.00, 4#2 -90.00',
    );
  });
});
