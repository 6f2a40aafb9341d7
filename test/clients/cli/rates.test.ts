/** A foreign property's account in EUR, with rates that a person gives: pushed once, reconciled, and corrected where a rate was wrong. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { directory, landlord, writeFile } from './command.ts';

const ROWS = [
  '2026-10-01,RENT CASA,850.00',
  '2026-10-02,AGENT,836.00',
  '2026-10-03,REFUND PAINT,20.00',
  '2026-10-04,FEE,-1.01',
];
const RULES = `description is "AGENT" -> split: expense professionalFees 12 % of gross, rest rentIncome
description ends with "REFUND PAINT" -> refund of repairsAndMaintenance
`;
const euros = (...rows: string[]) => ['Currency: EUR', 'Date,Description,Amount', ...rows, ''].join('\n');
const rate = (text: string) => `month,currency,pounds per unit\n2026-10,EUR,${text}\n`;

async function prepared() {
  const user = await landlord(RULES);
  const name = (what: string) => `${what}-${user.account.accountId}.csv`;
  const file = writeFile(name('casa'), euros(...ROWS));
  const rates = writeFile(name('rates'), rate('0.8612'));
  const place = ['-s', 'foreign-property', '--rules', user.rules];
  const run = async (command: string, ...args: string[]) => {
    const { exitCode, err, json } = await user.run(command, file, ...place, '--json', ...args);
    return { exitCode, err, ...json() };
  };
  const push = (...args: string[]) => run('push', '--yes', ...args);
  const stored = async () =>
    (await user.account.entries(user.account.sources['foreign-property']))
      .map(
        ({ type, amountPence, description }) =>
          `${type === 'income' ? '' : '-'}${amountPence} ${description}`,
      )
      .sort();
  return {
    ...user,
    file,
    rates,
    place,
    run,
    push,
    stored,
    write: (rows: string[]) => writeFile(name('casa'), euros(...rows)),
  };
}

const STORED = [
  '-87 FEE - EUR 1.01 at 0.8612 GBP per EUR',
  '-9818 AGENT - EUR 836.00 at 0.8612 GBP per EUR',
  '1722 REFUND PAINT - EUR 20.00 at 0.8612 GBP per EUR',
  '73202 RENT CASA - EUR 850.00 at 0.8612 GBP per EUR',
  '81814 AGENT - EUR 836.00 at 0.8612 GBP per EUR',
].sort();

describe('an account in another currency', () => {
  test('is refused in one message without rates, which names the option', async () => {
    const { push, stored } = await prepared();
    const { exitCode, error } = await push();
    expect([exitCode, error.code]).toEqual([2, 'other_currency']);
    expect(error.message).toBe(
      'None of the 4 payments can be read, by line 1 "Currency: EUR": The amount is not in pounds, which is all that the ledger records. --rates FILE takes a CSV with month or date, currency, and pounds per unit.',
    );
    expect(await stored()).toEqual([]);
  });

  test('is pushed once with rates, in parts and whole, and reconciled', async () => {
    const { push, run, rates, stored, ledger, env, file, place } = await prepared();
    expect(await push('--rates', rates)).toMatchObject({ exitCode: 0, created: 5 });
    expect(await stored()).toEqual(STORED);
    expect(await push('--rates', rates)).toMatchObject({ exitCode: 0, created: 0, known: 5, conflicts: [] });
    const result = await run('reconcile', '--rates', rates);
    expect(result).toMatchObject({ exitCode: 0, isReconciled: true, counts: { 'in the books': 4 } });
    expect(result.rates.sha256).toBe(
      new Bun.CryptoHasher('sha256').update(readFileSync(rates)).digest('hex'),
    );
    expect(result.files[0].rows[0]).toMatchObject({ pence: 85_000, currency: 'EUR' });
    const shown = await ledger(['push', file, ...place, '--rates', rates, '--dry-run'], { env });
    expect(shown.err).toContain('Rates    4 rows in EUR, converted to pounds by --rates');
    // The rule of the refund matches the entry as it matches the row.
    const figures = await ledger(
      ['figures', '--tax-year', '2026-27', '--rules', place[3] as string, '--json'],
      { env },
    );
    const lines = figures
      .json()
      .periods.at(-1)
      .businesses.flatMap((each: { lines: object[] }) => each.lines);
    expect(lines).toContainEqual(
      expect.objectContaining({ category: 'repairsAndMaintenance', refundPence: 1722 }),
    );
  });

  test('with a corrected rate differs, makes no second entry, and is listed for the app', async () => {
    const { push, run, rates, stored, account, ledger, env, file, place } = await prepared();
    await push('--rates', rates);
    const corrected = writeFile(`corrected-${account.accountId}.csv`, rate('0.87'));
    const { exitCode, created, conflicts } = await push('--rates', corrected);
    expect([exitCode, created, conflicts.length]).toEqual([5, 0, 5]);
    expect(await stored()).toEqual(STORED);
    const list = join(directory, `list-${account.accountId}.csv`);
    const result = await run('reconcile', '--rates', corrected, '--corrections', list);
    expect(result).toMatchObject({ exitCode: 6, counts: { different: 4 } });
    const { out } = await ledger(['reconcile', file, ...place, '--rates', corrected], { env });
    expect(out).toMatch(/ 2026-10-\d\d +EUR -1\.01 +FEE/);
    expect(readFileSync(list, 'utf8')).toMatch(
      /change,foreign-property,2026-10-01,RENT CASA - EUR 850\.00 at 0\.8612 GBP per EUR,.*739\.50.*RENT CASA - EUR 850\.00 at 0\.87 GBP per EUR/,
    );
  });

  test('with a corrected amount is a question, and no second entry', async () => {
    const { push, rates, stored, write } = await prepared();
    await push('--rates', rates);
    write(['2026-10-01,RENT CASA,860.00', ...ROWS.slice(1)]);
    const again = await push('--rates', rates);
    expect(again).toMatchObject({ exitCode: 8, created: 0, probable: [{ row: 3, isEarlierVersion: true }] });
    expect(await stored()).toEqual(STORED);
  });

  test('lacks a rate for a row, which names the month and the currency', async () => {
    const { push, rates, stored, write } = await prepared();
    write([...ROWS, '2026-11-04,FEE,-1.01']);
    const { exitCode, invalid } = await push('--rates', rates);
    expect([exitCode, invalid]).toEqual([
      3,
      [
        expect.objectContaining({
          ...{ row: 7, value: '-1.01' },
          message: expect.stringContaining('The rates have no EUR for 2026-11-04, and none for 2026-11.'),
        }),
      ],
    ]);
    expect(await stored()).toEqual([]);
  });

  test('is not written over by a report, and neither are its rates', async () => {
    const { run, rates } = await prepared();
    const { exitCode, error } = await run('reconcile', '--rates', rates, '--report', rates);
    expect([exitCode, error.message]).toEqual([2, expect.stringContaining('this command reads it')]);
  });
});
