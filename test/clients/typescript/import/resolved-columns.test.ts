/** Money is never read from, and a row never skipped beside, a column that nobody has settled. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ImportError, type ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { runs } from '../../../fixtures/runs.ts';
import { lines, openColumns, readOpen, readText } from './files.ts';
import { csv } from './outcome.ts';
import { type Content, REAL_HEADERS } from './real-headers.ts';

const failure = (text: string, options?: ImportOptions) =>
  readText(text, options).then(
    () => undefined,
    (error) => error as ImportError,
  );

describe('a file is refused, with the columns and their values, if', () => {
  const RENTS = `Date,Tenant,Rent Due,Rent Paid,Expenses
2026-04-01,Patel,1025.00,1025.00,
2026-04-02,Okafor,895.00,895.00,
2026-04-03,Plumber,,,80.00
`;

  test('rent is due in one column and paid in another', async () => {
    const error = await failure(RENTS);
    expect(error).toMatchObject({ code: 'unresolved_columns', option: 'map' });
    expect(error?.message).toContain(
      '"Rent Due" has amounts that nothing explains: 1025.00, 895.00. "Rent Paid" has amounts',
    );
    expect(error?.table).toMatchObject({ columns: { date: 0, description: 1, moneyOut: 4 } });
    expect(error?.table?.rows).toHaveLength(4);
    const read = await readText(RENTS, { map: { moneyIn: 'Rent Paid' }, ignore: ['Rent Due'] });
    expect(lines(read)).toEqual([
      '2 2026-04-01 +102500 Patel',
      '3 2026-04-02 +89500 Okafor',
      '4 2026-04-03 -8000 Plumber',
    ]);
    expect(read.recognised.ignored).toEqual([2]);
  });

  test('a column that is left out would give its meaning to another one', async () => {
    const text =
      'Date,Details,Amount,Paid out,Gross\n2026-04-01,Ann,97.00,,100.00\n2026-04-02,Payout,,97.00,\n';
    const gross = { columns: ['Gross'], direction: 'in' } as const;
    expect(await openColumns(readText(text, { amounts: [gross], ignore: ['Amount'] }))).toEqual([3]);
  });

  test('a receipt may be its number', async () => {
    const text =
      'When,House,Rent £,Cost £,Receipt\n2026-04-01,12 Acacia Avenue,895.00,,\n2026-04-02,14 Elm Road,,40.00,1017\n';
    expect(await openColumns(readText(text))).toEqual([2, 3, 4]);
    const read = await readText(text, {
      map: { moneyIn: 'Rent £', moneyOut: 'Cost £', description: 'House' },
      ignore: ['Receipt'],
    });
    expect(lines(read)).toEqual(['2 2026-04-01 +89500 12 Acacia Avenue', '3 2026-04-02 -4000 14 Elm Road']);
  });

  /** The header, a row or more, and the columns that nobody has settled. */
  test.each<[string, string, string, number[]]>([
    ['money in holds a running number', 'Date,Money in', '1017|1018|1019', [1]],
    ['money in holds dates without marks', 'Date,Money in', '20260401', [1]],
    ['a pair has an amount beside it', 'Date,Money out,Money in,Amount', '5.00,,77.00', [3]],
    ['an amount has money in beside it', 'Date,Amount,Income', '5.00,6.00', [2]],
    ['a deposit may be that of a tenant', 'Date,Tenant,Deposit', 'a,895.00', [2]],
    [
      'receipts may be numbers, and payments those of tenants',
      'Date,Receipts,Payments',
      '1017,895.00',
      [1, 2],
    ],
    ['the amount may be one with or without tax', 'Date,Net,VAT,Amount', '100.00,20.00,120.00', [3]],
    ['a column has no name', 'Date,Details,,Amount', 'a,895,5.00', [2]],
    ['a reference has pounds', 'Date,Reference,Amount', '£12.50,5.00', [1]],
    ['all descriptions are numbers', 'Date,Item,Amount', '17,5.00|895,6.00', [1]],
    ['a rent has words behind it', 'Date,Details,Rent,Amount', 'a,£895 pcm,5.00', [2]],
    ['a formula has many decimals', 'Date,Details,Share,Amount', 'a,33.3333333333333,5.00', [2]],
    ['a name has percent', 'Date,Details,Income %', 'a,95.00', [2]],
    ['there are two dates', 'Date,Due date,Amount', '2026-03-25,5.00', [1]],
    ['a second column says what is income', 'Date,Type,Kind,Amount', 'DD,Expense,5.00', [2]],
    ['a column has words that nothing explains', 'Date,Details,Rent,Amount', 'a,late,5.00', [2]],
    ['only the date is known', 'Date,Tenant,Rent', 'a,895.00', [2]],
    ['only the amount is known', 'Due date,Tenant,Amount', 'a,895.00', [0]],
  ])('%s', async (_, header, rows, unresolved) => {
    const text = csv(header, ...rows.split('|').map((cells) => `2026-04-01,${cells}`));
    expect(await openColumns(readText(text))).toEqual(unresolved);
  });

  test('a file without a header has more amounts than those that are chosen', async () => {
    const text = '2026-04-01,a,5.00,895.00\n';
    const map = { date: '1', description: '2', amount: '3' };
    expect(await openColumns(readText(text, { map }))).toEqual([3]);
    expect(lines(await readText(text, { map, ignore: ['4'] }))).toEqual(['1 2026-04-01 +500 a']);
  });

  test("a bank's file has a column that is not the bank's", async () => {
    const text = `Date,Type,Description,Paid out,Paid in,Balance,Share\n2026-04-01,DD,a,5.00,,9.00,2.50\n`;
    expect(await openColumns(readText(text))).toEqual([6]);
    expect(lines(await readText(text, { ignore: ['share'] }))).toEqual(['2 2026-04-01 -500 a']);
  });
});

describe('a file is read if', () => {
  test.each([
    ['Date,Description,Amount', '2026-04-01,a,5'],
    ['Date,Details,Money in,Money out,Balance', '2026-04-01,a,5.00,,99.00'],
    ['Date,Reference,Invoice number,Property,Amount', '2026-04-01,1017,33,14,5.00'],
    ['Date,Description,Notes,Amount', '2026-04-01,a,£50 is still to come,5.00'],
    ['Date,Details,Rent,Amount', '2026-04-01,a,0.00,5.00'],
    ['Date,Timestamp,Description,Amount', '2026-04-01,2026-04-01 10:12:13,a,5.00'],
  ])('names and values settle it: %s', async (header, row) => {
    const { entries } = await readText(`${header}\n${row}\n`);
    expect(entries.map(({ entry }) => [entry.date, entry.type, entry.amountPence])).toEqual([
      ['2026-04-01', 'income', 500],
    ]);
  });

  test('a date is chosen among several', async () => {
    const text = 'Date,Due date,Amount\n2026-04-01,2026-03-25,5.00\n';
    expect(lines(await readText(text, { map: { date: 'Due date' } }))).toEqual(['2 2026-03-25 +500']);
    expect(lines(await readText(text, { ignore: ['Due date'] }))).toEqual(['2 2026-04-01 +500']);
  });

  test('columns that are left out share a name', async () => {
    const text = 'Date,Sum,Sum,Amount\n2026-04-01,1.00,2.00,5.00\n';
    expect(lines(await readText(text, { ignore: ['Sum'] }))).toEqual(['2 2026-04-01 +500']);
  });
});

test('a column that is left out must be there, and no field', async () => {
  const text = 'Date,Details,Amount\n2026-04-01,a,5\n';
  expect(await failure(text, { ignore: ['Total'] })).toMatchObject({
    code: 'unknown_column',
    option: 'ignore',
  });
  expect(await failure(text, { ignore: ['3'], map: { amount: 'Amount' } })).toMatchObject({
    code: 'invalid_option',
    option: 'ignore',
  });
});

interface Payment {
  row: number;
  income: boolean;
  pence: number;
  pounds: (pence: number) => string;
  start: number;
}

const dateOf = (row: number) => `2026-04-${row + 11}`;

const CELLS: Record<Content, (payment: Payment) => string> = {
  date: ({ row }) => dateOf(row),
  otherDate: ({ row }) => `2026-03-${row + 11}`,
  signed: ({ income, pence, pounds }) => pounds(income ? pence : -pence),
  in: ({ income, pence, pounds }) => (income ? pounds(pence) : ''),
  out: ({ income, pence, pounds }) => (income ? '' : pounds(pence)),
  amountDue: ({ pence, pounds }) => pounds(pence + 100),
  number: ({ row, start }) => String(start + row * row * 7),
  runningNumber: ({ row, start }) => String(start + row),
  balance: ({ pence, pounds }) => pounds(500_000 + pence),
  text: ({ row }) => ['Rent April', 'Boiler', '12 Acacia Avenue', 'Flat 2'][row] ?? '',
  empty: () => '',
};

/** A table of which the test knows what each column holds. */
interface Table {
  text: string;
  /** `date ±pence` of each row that has money; undefined if one amount and one date do not say it. */
  truth: string[] | undefined;
}

const ROWS = 4;
const MONEY: Content[] = ['signed', 'in', 'out'];

/** Most columns have one meaning, or nearly all tables would be refused. */
const header = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...REAL_HEADERS.filter(({ contents }) => contents.length < 5)) },
  { weight: 1, arbitrary: fc.constantFrom(...REAL_HEADERS) },
);

const tables: fc.Arbitrary<Table> = fc
  .uniqueArray(header, { minLength: 1, maxLength: 7, selector: ({ name }) => name })
  .chain((headers) =>
    fc.record({
      columns: fc.tuple(
        ...headers.map(({ name, contents }) =>
          fc.record({ name: fc.constant(name), content: fc.constantFrom(...contents) }),
        ),
      ),
      hasDate: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
      isIncome: fc.tuple(fc.constant(true), fc.constant(false), fc.boolean(), fc.boolean()),
      pence: fc.array(fc.integer({ min: 1, max: 250_000 }), { minLength: ROWS, maxLength: ROWS }),
      isWhole: fc.boolean(),
      start: fc.integer({ min: 1, max: 3_000 }),
    }),
  )
  .map(({ columns, hasDate, isIncome, pence, isWhole, start }) => {
    const all = hasDate
      ? [{ name: 'Date', content: 'date' as Content }, ...columns.filter(({ name }) => name !== 'Date')]
      : columns;
    const amounts = pence.map((each) => (isWhole ? Math.ceil(each / 100) * 100 : each));
    const pounds = (amount: number) => (isWhole ? String(amount / 100) : (amount / 100).toFixed(2));
    const cells = isIncome.map((income, row) =>
      all.map(({ content }) => CELLS[content]({ row, income, pence: amounts[row] ?? 0, pounds, start })),
    );
    const contents = all.map(({ content }) => content);
    const count = (wanted: Content) => contents.filter((content) => content === wanted).length;
    const isMoneyClear =
      count('signed') === 1
        ? count('in') + count('out') === 0
        : count('signed') === 0 && count('in') <= 1 && count('out') <= 1;
    const isClear =
      isMoneyClear && (count('date') > 0 || !contents.some((content) => MONEY.includes(content)));
    const truth = isIncome.flatMap((income, row) => {
      const hasMoney = contents.some(
        (content) => content === 'signed' || content === (income ? 'in' : 'out'),
      );
      return hasMoney ? [`${row + 2} ${dateOf(row)} ${income ? '+' : '-'}${amounts[row]}`] : [];
    });
    return {
      text: [all.map(({ name }) => name), ...cells].map((row) => row.join(',')).join('\n'),
      truth: isClear ? truth : undefined,
    };
  });

test('generated tables of real headers are read rightly or refused, never wrongly', async () => {
  expect(REAL_HEADERS.length).toBeGreaterThanOrEqual(100);
  const counts = { right: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(tables, async ({ text, truth }) => {
      try {
        const result = await readOpen(text);
        const found = result.entries.map(
          ({ row, entry: { date, type, amountPence } }) =>
            `${row} ${date} ${type === 'income' ? '+' : '-'}${amountPence}`,
        );
        const invalid = new Set(result.invalid.map((problem) => String(problem.row)));
        const expected = truth?.filter((line) => !invalid.has(line.split(' ')[0] ?? ''));
        expect({ text, entries: found }).toEqual({ text, entries: expected as string[] });
        if (invalid.size > 0) counts.refused++;
        else counts.right++;
      } catch (error) {
        if (!(error instanceof ImportError)) throw error;
        counts.refused++;
      }
    }),
    { numRuns: runs(1_500) },
  );
  console.info(
    `${REAL_HEADERS.length} names of columns: ${counts.right} tables read rightly, ${counts.refused} refused`,
  );
  expect(counts.right).toBeGreaterThan(runs(100));
  expect(counts.refused).toBeGreaterThan(runs(100));
}, 60_000);
