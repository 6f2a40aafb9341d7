/** Continuity: each statement of an account begins with the balance with which the one before ended. */
import { describe, expect, test } from 'bun:test';
import { checkStatements } from '../../../../clients/typescript/balances/continuity.ts';
import type { AccountStatement, Balance } from '../../../../clients/typescript/import/index.ts';
import { readText } from '../import/files.ts';
import { csvOf, type Payment } from './statements.ts';

const LABEL = { accountLabel: 'Joint' };
const statementOf = async (payments: readonly Payment[], options = LABEL): Promise<AccountStatement> => {
  const [statement] = (await readText(csvOf(payments), options)).statements;
  if (!statement) throw new Error('no statement');
  return statement;
};
const payment = (date: string, pence: number, balance: number): Payment => ({ date, pence, balance });
const MARCH = [payment('2026-03-01', 500, 1500), payment('2026-03-31', 100, 1600)];
const APRIL = [payment('2026-04-01', -200, 1400), payment('2026-04-30', 50, 1450)];
const statesOf = (all: AccountStatement[], closings?: Map<string, Balance>) =>
  checkStatements(all, closings).map(({ continuity }) => continuity.state);

describe('the next statement of an account', () => {
  test('begins with the balance with which the last known one ended', async () => {
    const april = await statementOf(APRIL);
    const last = (pence: number) => new Map([['Joint', { date: '2026-03-31', pence }]]);
    expect(statesOf([april], last(1600))).toEqual(['holds']);
    const message =
      'The last file of the account ended with 20.00 on 2026-03-31 and this one begins with 16.00 on 2026-04-01: -4.00 is missing.';
    const [checked] = checkStatements([april], last(2000));
    expect(checked?.continuity).toEqual({
      state: 'broken',
      missing: -400,
      since: '2026-03-31',
      message,
    });
  });

  test('is found among the others by its dates, whatever their order', async () => {
    const all = await Promise.all([APRIL, MARCH].map((payments) => statementOf(payments)));
    expect(statesOf(all)).toEqual(['holds', 'unchecked']);
    const without = await Promise.all([APRIL, MARCH.slice(0, 1)].map((payments) => statementOf(payments)));
    expect(checkStatements(without)[0]?.continuity).toMatchObject({ state: 'broken', missing: 100 });
  });

  test('may overlap the last one or repeat it, and a row that neither has is found', async () => {
    const all = [...MARCH, ...APRIL];
    const first = await statementOf(all.slice(0, 3));
    for (const start of [0, 1, 2, 3])
      expect(statesOf([first, await statementOf(all.slice(start))])[1]).toBe('holds');
    expect(statesOf([first, first])).toEqual(['unchecked', 'holds']);
    const gap = await Promise.all([MARCH, APRIL.slice(1)].map((payments) => statementOf(payments)));
    expect(checkStatements(gap)[1]?.continuity).toMatchObject({ state: 'broken', missing: -200 });
  });

  test('that overlaps shows a row that the last one did not have', async () => {
    const last = new Map([['Joint', { date: '2026-03-31', pence: 1500 }]]);
    expect(checkStatements([await statementOf([...MARCH, ...APRIL])], last)[0]?.continuity).toMatchObject({
      state: 'broken',
      missing: 100,
      message: expect.stringContaining('this one has 16.00 after that day'),
    });
  });
});

describe('what cannot be checked is not what holds:', () => {
  test.each<[string, Payment[], string, [date: string, pence: number]?]>([
    ['No earlier file of this account is known.', APRIL, 'Joint'],
    ['The file ends on 2026-03-31, before 2026-04-30, the end of', MARCH, 'Joint', ['2026-04-30', 1450]],
    ['The file does not name its account.', APRIL, '', ['2026-03-31', 1600]],
    ['', APRIL.map((each) => ({ ...each, balance: undefined })), 'Joint', ['2026-03-31', 1600]],
  ])('%s', async (message, payments, accountLabel, [date, pence] = ['', 0]) => {
    const last = date === '' ? undefined : new Map([[accountLabel, { date, pence }]]);
    const [checked] = checkStatements([await statementOf(payments, { accountLabel })], last);
    const found = { state: 'unchecked', message: expect.stringContaining(message) };
    expect(checked?.continuity).toEqual(found as never);
  });
});
