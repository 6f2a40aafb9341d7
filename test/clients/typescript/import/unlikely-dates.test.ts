/** The API takes any year; the reader warns of those that are likely to be mistyped. */
import { expect, test } from 'bun:test';
import { readText } from './files.ts';

test('a date before 2000, or more than a year ahead, is read with a warning that names the row', async () => {
  const dates = ['2026-04-06', '0026-04-06', '2062-04-06', '1999-12-31', '2000-01-01'];
  const json = dates.map((date) => ({ date, type: 'income', amountPence: 1 }));
  const result = await readText(JSON.stringify(json));
  expect(result.entries).toHaveLength(5);
  expect(result.warnings).toEqual([
    { row: 2, field: 'date', value: '0026-04-06', message: 'The date 0026-04-06 is before 2000.' },
    { row: 3, field: 'date', value: '2062-04-06', message: 'The date 2062-04-06 is more than a year ahead.' },
    { row: 4, field: 'date', value: '1999-12-31', message: 'The date 1999-12-31 is before 2000.' },
  ]);
});

test('a corrected date gives no warning, and a wrong correction gives one', async () => {
  const text = 'Date,Amount\n2062-04-06,5\n2026-04-06,6\n';
  const { warnings } = await readText(text, {
    corrections: { 2: { date: '2026-04-06' }, 3: { date: '0026-04-06' } },
  });
  expect(warnings.map(({ row }) => row)).toEqual([3]);
});

test('the limit is the same day of the next year', async () => {
  const now = new Date();
  const day = (days: number) =>
    new Date(Date.UTC(now.getUTCFullYear() + 1, now.getUTCMonth(), now.getUTCDate() + days));
  const rows = [-1, 2].map((days) => `${day(days).toISOString().slice(0, 10)},5`);
  expect((await readText(`Date,Amount\n${rows.join('\n')}\n`)).warnings.map(({ row }) => row)).toEqual([3]);
});
