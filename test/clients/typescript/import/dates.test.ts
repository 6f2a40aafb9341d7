/** Dates of statements: every spelling, and the order of day and month that is never guessed. */
import { describe, expect, test } from 'bun:test';
import { datedRows, readDate, resolveDateOrder } from '../../../../clients/typescript/import/values/dates.ts';
import { lines, readText } from './files.ts';

describe('spellings of 6 April 2026:', () => {
  test.each([
    '2026/4/6',
    '2026-04-06T10:12:33Z',
    '2026-04-06 10:12:33 +0000',
    '20260406',
    '6/4/2026',
    '06/04/26',
    '06.04.2026',
    '06 Apr 2026',
    '06-04-2026',
    '06/04/2026 23:59',
    '6 April 2026',
    '06-Apr-26',
    '06Apr2026',
    '6th April 2026',
    'Mon 6 Apr 2026',
    'Monday, 6 April 2026',
    'Mon, 06/04/2026',
    'Mo., 06.04.2026',
    'lunedì 6-4-26',
    'Lun. 2026-04-06 10:12',
    'April 6, 2026',
    'Apr 6, 2026, 10:12',
    '2026-Apr-06',
    '46118',
    '46118.75',
  ])('%s', (text) => {
    expect(readDate(text, 'dmy')).toBe('2026-04-06');
  });
});

test.each([
  '',
  '31/02/2026',
  '29 Feb 2026',
  '00/04/2026',
  '6/13/2026',
  'April',
  'Tue, 06/04/2026',
  'Tuesday 6 April 2026',
  'Di 06.04.2026',
  'Paid 06/04/2026',
  'Due 6 April 2026',
  'Until April 6, 2026',
  'Mon',
  '06 Abc 2026',
  '12345',
  '6/4',
  '1/2/3',
  '06/04-2026',
  '2026-04-06x',
  `6 Apr 2026${' '.repeat(80)}`,
])('%p is no date', (text) => {
  expect(readDate(text, 'dmy')).toBeUndefined();
});

test('a weekday is no month, and a month no weekday', () => {
  expect(readDate('Mar 10, 2026', 'dmy')).toBe('2026-03-10');
  expect(readDate('mar. 07/04/2026', 'dmy')).toBe('2026-04-07');
});

test('a weekday that is not the one of the date makes the row invalid', async () => {
  const { invalid } = await readText('Date,Amount\n"Tue, 13/04/2026",-1\n"Tue, 14/04/2026",-2\n');
  expect(invalid).toMatchObject([
    { row: 2, field: 'date', message: "The weekday is not the date's: 2026-04-13 is a Monday." },
  ]);
});

test('dates with a weekday settle the order of the file like others', async () => {
  const text = (second: string) => `Date,Amount\n"Fri, 03/04/2026",-1\n"${second}",-2\n`;
  expect(lines(await readText(text('Mon, 13/04/2026')))).toEqual(['2 2026-04-03 -100', '3 2026-04-13 -200']);
  await expect(readText(text('Sat, 04/04/2026'))).rejects.toMatchObject({ code: 'ambiguous_dates' });
});

describe('a day, a month and a year in three columns', () => {
  const read = (header: string, ...rows: string[]) => readText([header, ...rows, ''].join('\n'));
  test.each([
    ['Day,Month,Year,Details,Amount', '3,4,2026,a,-1'],
    ['Year,Month,Day,Details,Amount', '2026,April,3,a,-1'],
    ['Day,Month,Year,Details,Amount', '03,Apr,2026,a,-1'],
  ])('%s: %s', async (header, row) => {
    expect(lines(await read(header, row))).toEqual(['2 2026-04-03 -100 a']);
  });

  test.each(['31,2,2026,a,-1', 'Fri,4,2026,a,-1', '3,4,26,a,-1', ',4,2026,a,-1', '3,,2026,a,-1'])(
    'are no date: %s',
    async (row) => {
      const { entries, invalid } = await read('Day,Month,Year,Details,Amount', row, '4,4,2026,b,-2');
      expect([entries.length, invalid.map(({ field }) => field)]).toEqual([1, ['date']]);
    },
  );

  test('do not count beside a date', async () => {
    const table = read('Date,Day,Month,Year,Amount', '14/04/2026,13,4,2026,-1');
    await expect(table).rejects.toMatchObject({
      code: 'unresolved_columns',
      message: expect.stringContaining('"Day"'),
    });
  });
});

test('the given order is used, also for dots; without it dots are day-first', () => {
  expect(readDate('04/06/2026', 'mdy')).toBe('2026-04-06');
  expect(['31/12/69', '01/01/70'].map((text) => readDate(text, 'dmy'))).toEqual(['2069-12-31', '1970-01-01']);
  expect(readDate('26/04/06', 'ymd')).toBe('2026-04-06');
  expect(readDate('06.04.2026', 'mdy')).toBe('2026-04-06');
  expect(readDate('04.06.2026', { order: 'mdy', isOrderGiven: true })).toBe('2026-04-06');
});

test('the given order holds for dates with dots in messages and in rows without an entry', async () => {
  const given = { dateFormat: 'mdy' as const };
  const message = "The weekday is not the date's: 2026-03-04 is a Wednesday.";
  const table = await readText('Date,Amount\n"Fri, 03.04.2026",-1\n03.04.2026,0.00\n03.05.2026,-2\n', given);
  expect(table.invalid).toMatchObject([{ row: 2, message }]);
  expect(table.rowsWithoutEntry).toMatchObject([{ row: 2 }, { row: 3, day: '2026-03-04' }]);
  const qif = await readText('!Type:Bank\nDFri, 03.04.2026\nT-1.00\n^\nD03.05.2026\nT-2.00\n^\n', given);
  expect(qif.invalid).toMatchObject([{ row: 2, message }]);
});

describe('the order of day and month', () => {
  const dated = (texts: string[]) => datedRows(texts.map((text, index) => ({ row: index + 2, text })));

  test('is settled by a day above 12', () => {
    expect(resolveDateOrder(dated(['03/04/2026', '13/04/2026']))).toBe('dmy');
    expect(resolveDateOrder(dated(['03/04/2026', '04/13/2026']))).toBe('mdy');
  });

  test('makes no difference when day and month are equal, or the month has a name', () => {
    expect(resolveDateOrder(dated(['05/05/2026', '2026-04-03', '3 Apr 2026', '03.04.2026']))).toBe('dmy');
  });

  test('is refused when no row settles it, and when rows contradict each other', async () => {
    const open = readText('Date,Amount\n2026-04-01,1\n03/04/2026,1\n');
    await expect(open).rejects.toMatchObject({ code: 'ambiguous_dates', option: 'dateFormat' });
    await expect(open).rejects.toThrow(/03\/04\/2026 in row 3 .* choose the order/);
    expect(() => resolveDateOrder(dated(['13/04/2026', '04/13/2026']))).toThrow(
      /Row 2 .* row 3 .* Write all dates in one way/,
    );
  });

  test.each(['13/13/2026', '14/13/2026', '13/14/2026', '32/04/2026', '04/32/2026'])(
    'is not settled by %s, which is no day',
    async (text) => {
      const rows = (first: string) => `Date,Amount\n${first},1\n03/04/2026,1\n`;
      await expect(readText(rows(text))).rejects.toMatchObject({ code: 'ambiguous_dates' });
      expect((await readText(rows('13/04/2026'))).entries).toHaveLength(2);
    },
  );

  test('is offered for a date that is none, and not for a month', async () => {
    const { invalid } = await readText('Date,Amount\nApr-26,900.00\n31/31/2026,5.00\n13/04/2026,1.00\n');
    expect(invalid.map(({ option }) => option)).toEqual([undefined, 'dateFormat']);
  });

  test('is taken from the option', async () => {
    const text = 'Date,Amount\n03/04/2026,1\n';
    expect(lines(await readText(text, { dateFormat: 'dmy' }))).toEqual(['2 2026-04-03 +100']);
    expect(lines(await readText(text, { dateFormat: 'mdy' }))).toEqual(['2 2026-03-04 +100']);
    await expect(readText(text, { dateFormat: 'dym' as 'dmy' })).rejects.toThrow(
      'The option dateFormat takes one of dmy, mdy, ymd.',
    );
  });
});

// The API takes any year.
describe('a date that is likely to be mistyped:', () => {
  test('before 2000, or more than a week ahead, is read with a warning that names the row', async () => {
    const dates = ['2026-04-06', '0026-04-06', '2062-04-06', '1999-12-31', '2000-01-01'];
    const json = dates.map((date) => ({ date, type: 'income', amountPence: 1 }));
    const result = await readText(JSON.stringify(json));
    expect(result.entries).toHaveLength(5);
    expect(result.warnings).toEqual([
      { row: 2, field: 'date', value: '0026-04-06', message: 'The date 0026-04-06 is before 2000.' },
      {
        row: 3,
        field: 'date',
        value: '2062-04-06',
        message: 'The date 2062-04-06 is more than a week ahead.',
      },
      { row: 4, field: 'date', value: '1999-12-31', message: 'The date 1999-12-31 is before 2000.' },
    ]);
  });

  test('that is corrected gives no warning, and a wrong correction gives one', async () => {
    const text = 'Date,Amount\n2062-04-06,5\n2026-04-06,6\n';
    const { warnings } = await readText(text, {
      corrections: { 2: { date: '2026-04-06' }, 3: { date: '0026-04-06' } },
    });
    expect(warnings.map(({ row }) => row)).toEqual([3]);
  });

  test('is not unlikely within a week of today: a bank may date it on the next working day', async () => {
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const rows = [6, 9].map((days) => `${day(days)},5`);
    expect((await readText(`Date,Amount\n${rows.join('\n')}\n`)).warnings.map(({ row }) => row)).toEqual([3]);
  });
});
