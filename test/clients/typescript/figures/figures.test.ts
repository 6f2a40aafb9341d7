/** Days and deadlines of quarters, refunds, and entries of categories that are on no list. The figures themselves: hmrc.test.ts. */
import { describe, expect, test } from 'bun:test';
import { notesOf } from '../../../../clients/typescript/figures/business-notes.ts';
import { KEY_NAMING } from '../../../../clients/typescript/figures/naming.ts';
import { type BusinessFigures, figuresOf } from '../../../../clients/typescript/figures/period-figures.ts';
import {
  QUARTERS,
  type Quarters,
  quarterDays,
  taxYearName,
  taxYearOf,
  taxYearStart,
  updatesOf,
} from '../../../../clients/typescript/figures/periods.ts';
import { lastYearQuestion, yearFigures } from '../../../../clients/typescript/figures/year.ts';
import { refundRules } from '../../../../clients/typescript/import/rules/compiled-rules.ts';
import type { StoredEntry } from '../../../../clients/typescript/match/stored-books.ts';
import { SOURCES as PLAN_SOURCES } from '../import/plan.ts';
import { sourceOf, storedIn } from '../sources.ts';

const SHOP = sourceOf('shop', { type: 'self-employment' });

describe('periods', () => {
  test('are standard quarters, or quarters of the calendar', () => {
    const daysOf = (quarters: Quarters) =>
      QUARTERS.map((quarter) => Object.values(quarterDays(2026, quarter, quarters)).join(' '));
    expect(daysOf('standard')).toEqual([
      ...['2026-04-06 2026-07-05', '2026-07-06 2026-10-05', '2026-10-06 2027-01-05', '2027-01-06 2027-04-05'],
    ]);
    expect(daysOf('calendar')).toEqual([
      ...['2026-04-01 2026-06-30', '2026-07-01 2026-09-30', '2026-10-01 2026-12-31', '2027-01-01 2027-03-31'],
    ]);
  });

  test('are of a tax year, which begins on the 6th of April and is named by two years that follow each other', () => {
    const days = ['2026-04-05', '2026-04-06', '2027-01-01', '2027-04-05'];
    expect(days.map(taxYearOf)).toEqual([2025, 2026, 2026, 2026]);
    const names = ['2026-27', '1999-00', '2026-28', '2026', '26-27', '2026-2027'];
    expect(names.map(taxYearStart)).toEqual([2026, 1999, undefined, undefined, undefined, undefined]);
    expect([2026, 1999, 2008].map(taxYearName)).toEqual(['2026-27', '1999-00', '2008-09']);
  });
});

describe('updates', () => {
  test('have a deadline each, and a state of today', () => {
    const updates = updatesOf(2026, 'standard', 'standard', '2026-10-06');
    expect(updates.map(({ from, to, deadline, state }) => [from, to, deadline, state].join(' '))).toEqual([
      '2026-04-06 2026-07-05 2026-08-07 past',
      '2026-04-06 2026-10-05 2026-11-07 due',
      '2026-04-06 2027-01-05 2027-02-07 open',
      '2026-04-06 2027-04-05 2027-05-07 to come',
    ]);
    const stateOf = (today: string) => updatesOf(2026, 'calendar', 'standard', today)[0]?.state;
    const days = ['2026-04-05', '2026-04-06', '2026-06-30', '2026-07-01', '2026-08-07', '2026-08-08'];
    expect(days.map(stateOf)).toEqual(['to come', 'open', 'open', 'due', 'due', 'past']);
  });

  test('of last year are asked when an entry of 1 to 5 April would move', () => {
    const books = (date: string) => {
      const stored = { date } as StoredEntry['stored'];
      return { byId: new Map([['e', { stored, source: sourceOf('s') }]]) };
    };
    const asked = (date: string, quarters: 'standard' | 'calendar', lastYear?: 'standard') =>
      lastYearQuestion(books(date), { start: 2026, quarters, lastYear }) !== undefined;
    expect(['2026-04-01', '2026-04-05', '2026-04-06'].map((date) => asked(date, 'calendar'))).toEqual([
      ...[true, true, false],
    ]);
    expect([asked('2026-04-05', 'calendar', 'standard'), asked('2026-04-05', 'standard')]).toEqual([
      ...[false, false],
    ]);
    const { notes } = yearFigures(
      { sources: [], ...books('2026-04-05') },
      { start: 2026, quarter: 1, quarters: 'standard', lastYear: undefined, today: '2026-05-01' },
    );
    expect(notes).toEqual([expect.stringContaining('1 entry of 1 to 5 April is not in these figures')]);
  });
});

test('an entry is a refund by the first rule that matches it, in the source of the rule', () => {
  const [acacia, mill] = PLAN_SOURCES.map(({ id }) => id);
  const rules = `
    description contains "NO" -> leave out
    description contains "PLUMBER" and type is income -> 12 Acacia Avenue / refund of repairsAndMaintenance
  `;
  const find = refundRules(rules, PLAN_SOURCES);
  const refund = (source = '', description = 'PLUMBER', type: 'income' | 'expense' = 'income') =>
    find(storedIn(SHOP, { type, description }).stored, source);
  expect(refund(acacia)).toEqual({ type: 'expense', category: 'repairsAndMaintenance' });
  const others = [refund(acacia, 'NO PLUMBER'), refund(mill), refund(acacia, 'PLUMBER', 'expense')];
  expect(others).toEqual([undefined, undefined, undefined]);
});

test('a category that is on no list is the last line, and said to have no field', () => {
  const other = { type: 'expense', category: 'otherExpenses' } as const;
  const entries = [storedIn(SHOP, { category: 'of another day' }), storedIn(SHOP, other)];
  const year = { from: '2026-04-06', to: '2027-04-05' };
  const [shop] = figuresOf([SHOP], entries, year) as [BusinessFigures];
  expect(shop.lines.map(({ category }) => category)).toEqual(['otherExpenses', 'of another day']);
  const period = { ...year, name: 'the year', isCumulative: true, isOfOneSource: false, businesses: [] };
  expect(notesOf(shop, period, KEY_NAMING)[0]).toBe(
    'of another day has no field in the summary, and is no category of this type any more.',
  );
});
