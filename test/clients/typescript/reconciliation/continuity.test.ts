/** Continuity: each statement of an account begins with the balance with which the one before ended. */
import { describe, expect, test } from 'bun:test';
import type { AccountStatement, Balance } from '../../../../clients/typescript/import/index.ts';
import { checkStatements } from '../../../../clients/typescript/reconciliation/continuity.ts';
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
    expect(checkStatements([april], last(2000)).map(({ continuity }) => continuity)).toEqual([
      {
        state: 'broken',
        missing: -400,
        message:
          'The last file of the account ended with 20.00 on 2026-03-31 and this one begins with 16.00 on 2026-04-01: -4.00 is missing.',
      },
    ]);
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
  test('no earlier file, an earlier file than the last known one, no account, no balances', async () => {
    const [march, april] = await Promise.all([MARCH, APRIL].map((payments) => statementOf(payments)));
    const messageOf = (statement: AccountStatement | undefined, closings?: Map<string, Balance>) =>
      statement && checkStatements([statement], closings)[0]?.continuity;
    expect(messageOf(april)).toEqual({
      state: 'unchecked',
      message: 'No earlier file of this account is known.',
    });
    expect(messageOf(march, new Map([['Joint', { date: '2026-04-30', pence: 1450 }]]))).toEqual({
      state: 'unchecked',
      message: 'The file ends on 2026-03-31, before 2026-04-30, the end of the last known file.',
    });
    const unnamed = await statementOf(APRIL, { accountLabel: '' });
    expect(messageOf(unnamed, new Map([['', { date: '2026-03-31', pence: 1600 }]]))).toEqual({
      state: 'unchecked',
      message: 'The file does not name its account.',
    });
    const bare = await statementOf(APRIL.map((each) => ({ ...each, balance: undefined })));
    expect(messageOf(bare)?.state).toBe('unchecked');
  });
});
