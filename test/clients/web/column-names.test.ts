/** The columns of a file on the page: what each is read as, and what another choice means for the reader. */
import { describe, expect, test } from 'bun:test';
import { type ImportError, readStatement } from '../../../clients/typescript/import/index.ts';
import { columnsOf, mapFor, parseOptionsFor, type Use } from '../../../clients/web/import/column-names.ts';
import type { ParseOptions } from '../../../clients/web/import/state.ts';

describe('the columns', () => {
  test('are named by their header where that is the only one, else by their number', () => {
    const names = ['Date', 'Amount', 'amount', 'Text', '2026'];
    expect(mapFor(undefined, 'date', 0, names)).toEqual({ date: 'Date' });
    expect(mapFor({ date: 'Date' }, 'amount', 2, names)).toEqual({
      date: 'Date',
      amount: '3',
      moneyIn: '',
      moneyOut: '',
    });
    const pair = { amount: '3', moneyIn: '', moneyOut: '' };
    expect(mapFor(pair, 'moneyIn', 4, names)).toEqual({ moneyIn: '5' });
  });

  const RENTS = `Date,Tenant,Rent Due,Rent Paid,Expenses
01/10/2026,Patel,1025,1025,
13/10/2026,Plumber,,,120.50
`;
  /** As the page reads the file: a problem is kept beside the settings. */
  async function readWith(parseOptions: ParseOptions, text = RENTS) {
    try {
      return {
        parseOptions,
        problem: undefined,
        result: await readStatement(new TextEncoder().encode(text), parseOptions),
      };
    } catch (error) {
      return { parseOptions, problem: error as ImportError, result: undefined };
    }
  }
  const usesOf = (state: Parameters<typeof columnsOf>[0]) =>
    columnsOf(state).map(({ name, use, isUnresolved }) => `${name}: ${use}${isUnresolved ? '!' : ''}`);

  test('that nobody has resolved stand against reading the file, until a person says what they are', async () => {
    let state: Parameters<typeof columnsOf>[0] = await readWith({});
    expect(usesOf(state)).toEqual([
      'Date: date',
      'Tenant: description',
      'Rent Due: open!',
      'Rent Paid: open!',
      'Expenses: moneyOut',
    ]);
    expect(columnsOf(state)[2]?.values).toEqual(['1025']);
    const choose = async (name: string, use: Use) => {
      const columns = columnsOf(state);
      const index = columns.findIndex((column) => column.name === name);
      state = await readWith({
        ...state.parseOptions,
        ...parseOptionsFor(state.parseOptions, columns, index, use),
      });
    };
    await choose('Rent Due', 'none');
    expect(usesOf(state).slice(2, 4)).toEqual(['Rent Due: none', 'Rent Paid: open!']);
    await choose('Rent Paid', 'moneyIn');
    expect(state.problem).toBeUndefined();
    expect(usesOf(state).slice(2)).toEqual(['Rent Due: none', 'Rent Paid: moneyIn', 'Expenses: moneyOut']);
    expect(state.result?.entries.map(({ entry }) => [entry.type, entry.amountPence])).toEqual([
      ['income', 102_500],
      ['expense', 12_050],
    ]);
    await choose('Rent Due', 'moneyIn');
    expect(usesOf(state).slice(2, 4)).toEqual(['Rent Due: moneyIn', 'Rent Paid: none']);
    expect(state.problem).toBeUndefined();
    await choose('Tenant', 'reference');
    expect(state.parseOptions.map).toMatchObject({ description: '', reference: 'Tenant' });
    expect(usesOf(state)[1]).toBe('Tenant: reference');
    await choose('Rent Paid', 'none');
    await choose('Expenses', 'none');
    expect(usesOf(state).slice(2)).toEqual(['Rent Due: moneyIn', 'Rent Paid: none', 'Expenses: none']);
    expect(state.result?.entries.map(({ entry }) => entry.amountPence)).toEqual([102_500]);
  });

  test('offer an amount whose direction is open as money in, out, either by its sign, or spent', async () => {
    const list = 'Date,Description,Amount\n13/10/2026,PAINT,60.00\n14/10/2026,NAILS,-12.00\n';
    let state: Parameters<typeof columnsOf>[0] = await readWith({}, list);
    expect(usesOf(state)[2]).toBe('Amount: open!');
    const typesAs = async (use: Use) => {
      const change = parseOptionsFor(state.parseOptions, columnsOf(state), 2, use);
      state = await readWith({ ...state.parseOptions, ...change }, list);
      expect(usesOf(state)[2]).toBe(`Amount: ${use}`);
      return state.result?.entries.map(({ entry }) => entry.type);
    };
    expect(await typesAs('spent')).toEqual(['expense', 'income']);
    expect(await typesAs('amount')).toEqual(['income', 'expense']);
    expect(await typesAs('spent')).toEqual(['expense', 'income']);
    expect([await typesAs('none'), state.problem?.code]).toEqual([undefined, 'no_header']);
  });
});
