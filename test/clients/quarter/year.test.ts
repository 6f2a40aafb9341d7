/** A landlord's year: four banks, three properties, a joint one and a business, by one rules file in one command. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '../../fixtures/books.ts';
import { admin } from '../../fixtures/system.ts';
import { directory, newUser } from '../cli/command.ts';
import { bankFiles } from './bank-files.ts';
import { figuresOf, paymentsOfYear, RULES, SOURCES } from './year-model.ts';

const payments = paymentsOfYear();
const files = bankFiles(payments);

describe('the model', () => {
  test('splits every payment into parts that are at most it, and has some of each kind', () => {
    const left = payments.filter(({ entries }) => entries.length === 0);
    expect([payments.length, left.length]).toEqual([281, 131]);
    for (const { text, pence, entries } of payments) {
      const sum = entries.reduce((total, { type, pence }) => total + (type === 'income' ? pence : -pence), 0);
      if (/MORTGAGE|EE Limited/.test(text) || entries.length === 0)
        expect(Math.abs(sum)).toBeLessThan(Math.abs(pence));
      else expect(sum).toBe(pence);
    }
  });

  test('has the figures of a first quarter that were added up by hand', () => {
    const { lines, without } = figuresOf(payments, 'uk-property', '2026-04-06', '2026-07-05');
    // May, June and July of 950.00 twice; Hunters on 6 April, 5 May, 6 June and 5 July; Harbour in May, June and July.
    const gross = [96_837, 96_874, 96_911, 96_948].map((net) => net + Math.round((net * 12) / 88));
    const rents = 6 * 95_000 + 3 * 70_001 + gross.reduce((sum, each) => sum + each, 0);
    expect(lines.get('income periodAmount')?.pence).toBe(rents);
    // The joint property counts by half.
    expect(lines.get('income periodAmount')?.sharePence).toBe(rents - 105_001);
    expect(lines.get('expense residentialFinancialCost')?.pence).toBe(3 * 41_250);
    expect(without).toEqual({ count: 1, pence: 1_234 });
  });
});

describe('the command', () => {
  let user: Awaited<ReturnType<typeof newUser>>;
  let paths: string[];
  let run: (...args: string[]) => ReturnType<typeof user.run>;
  const sourceIds = new Map<string, string>();

  beforeAll(async () => {
    user = await newUser();
    const { accountId } = user.account;
    for (const { name, type, sharePercent } of SOURCES) {
      const { id } = await admin.createSource({ accountId, name, type, role: 'owner', sharePercent });
      sourceIds.set(id, name);
    }
    const folder = mkdtempSync(join(directory, 'year-'));
    paths = files.map(({ name, text }) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    });
    writeFileSync(join(folder, 'rules.txt'), RULES);
    run = (...args) => user.run([...args, '--rules', join(folder, 'rules.txt')]);
  });

  const stored = async () =>
    (await rowsOf(user.account.accountId))
      .map(({ sourceId, date, type, category, amountPence }) =>
        [sourceIds.get(sourceId), date, type, category, amountPence].join(' '),
      )
      .sort();

  test('fills the books with what the model says, in one push; pushed again, nothing changes', async () => {
    const expected = payments
      .flatMap(({ date, entries }) =>
        entries.map(({ source, type, category, pence }) => [source, date, type, category, pence].join(' ')),
      )
      .sort();
    const first = await run('push', ...paths, '--yes', '--json');
    expect(first.exitCode).toBe(0);
    expect(first.json()).toMatchObject({ created: expected.length, remaining: 0 });
    expect(await stored()).toEqual(expected);
    const again = await run('push', ...paths, '--yes', '--json');
    expect([again.exitCode, again.json().created]).toEqual([0, 0]);
    expect(await stored()).toEqual(expected);
  });

  const QUARTERS = {
    standard: [
      ['2026-04-06', '2026-07-05'],
      ['2026-07-06', '2026-10-05'],
      ['2026-10-06', '2027-01-05'],
      ['2027-01-06', '2027-04-05'],
    ],
    calendar: [
      ['2026-04-01', '2026-06-30'],
      ['2026-07-01', '2026-09-30'],
      ['2026-10-01', '2026-12-31'],
      ['2027-01-01', '2027-03-31'],
    ],
  } as const;

  test.each(['standard', 'calendar'] as const)(
    'has the figures of the model, to the penny, in %s quarters',
    async (quarters) => {
      const start = QUARTERS[quarters][0][0];
      for (const [index, [from, to]] of QUARTERS[quarters].entries()) {
        const calendar = quarters === 'calendar' ? ['--calendar-quarters'] : [];
        const args = [
          'figures',
          '--tax-year',
          '2026-27',
          '--quarter',
          String(index + 1),
          ...calendar,
          '--json',
        ];
        const { periods } = (await run(...args)).json();
        for (const [period, first] of [
          [periods[0], from],
          [periods[1], start],
        ]) {
          expect([period.from, period.to]).toEqual([first, to]);
          for (const type of ['uk-property', 'self-employment']) {
            // The account has a source of each type beside those of the model, without entries.
            const businesses = period.businesses.filter(
              (each: { type: string; lines: unknown[] }) => each.type === type && each.lines.length > 0,
            );
            expect(businesses).toHaveLength(1);
            const [{ lines, withoutCategory }] = businesses;
            const shown = lines.map((line: Record<string, unknown>) => [
              `${line.type} ${line.category}`,
              { pence: line.pence, sharePence: line.sharePence },
            ]);
            const model = figuresOf(payments, type, first, to);
            expect(new Map(shown.sort())).toEqual(new Map([...model.lines].sort()));
            expect([withoutCategory.count, withoutCategory.incomePence]).toEqual([
              model.without.count,
              model.without.pence,
            ]);
          }
        }
      }
    },
  );
});
