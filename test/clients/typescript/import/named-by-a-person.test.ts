/** A column that a person has named: its texts still count, and its known words need no answer. */
import { expect, test } from 'bun:test';
import { type ImportOptions, readStatement } from '../../../../clients/typescript/import/index.ts';
import { asked } from './answered.ts';

const read = (text: string, options: ImportOptions = {}) =>
  readStatement(new TextEncoder().encode(text), options);

test('a balance in a description that a person names is asked about', async () => {
  const text =
    'Date,Client,Amount\n2026-04-01,Float brought forward,570.00\n2026-04-02,Skipton,-5.00\n2026-04-03,Fuel,-6.00\n';
  const { invalid } = await read(text, { map: { description: 'Client' } });
  expect(invalid.map(({ row, option }) => [row, option])).toEqual([[2, 'rows']]);
});

const RECEIVED =
  'Date,Description,Amount,Received\n2026-04-01,A,10.00,Yes\n2026-04-02,B,-12.00,tbc\n2026-04-03,C,-13.00,Yes\n';

test('a known word of a state needs no answer beside the one that is unknown', async () => {
  expect(await asked(RECEIVED)).toEqual(['values Received']);
  const { entries } = await read(RECEIVED, {
    values: { Received: { tbc: 'skip' } },
    map: { amount: 'Amount' },
  });
  expect(entries.map(({ row }) => row)).toEqual([2, 4]);
});

test('a column whose words are the direction is named, and not left out', async () => {
  const text = 'Date,Description,Amount,Flag\n2026-04-01,A,10.00,C\n2026-04-02,B,12.00,D\n';
  const { recognised } = await read(text);
  expect([recognised.columns.type, recognised.ignored]).toEqual([3, []]);
});
