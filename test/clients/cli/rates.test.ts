/** A foreign property's account in EUR, with rates that a person gives: pushed once, reconciled, and corrected where a rate was wrong. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { typedRows } from '../typed-rows.ts';
import { directory, landlord, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const ROWS = ['2026-10-01,RENT CASA,850.00', '2026-10-02,AGENT,836.00', '2026-10-03,REFUND PAINT,20.00'];
const RULES = `description is "AGENT" -> split: expense professionalFees 12 % of gross, rest rentIncome
description ends with "REFUND PAINT" -> refund of repairsAndMaintenance
`;
const rate = (text: string) => `month,currency,pounds per unit\n2026-10,EUR,${text}\n`;

async function prepared() {
  const user = await landlord(RULES);
  const name = (what: string) => `${what}-${user.account.accountId}.csv`;
  const write = (...rows: string[]) =>
    writeFile(name('casa'), ['Currency: EUR', ...typedRows('Date,Description,Amount', rows), ''].join('\n'));
  const args = [write(...ROWS), '-s', 'foreign-property', '--rules', user.rules];
  const push = (...more: string[]) => user.json('push', ...args, '--yes', ...more);
  const reconcile = (...more: string[]) => user.json('reconcile', ...args, ...more);
  const rates = writeFile(name('rates'), rate('0.8612'));
  return { ...user, args, push, reconcile, rates, write };
}

test('an account in another currency is refused in one message without rates, which names the option', async () => {
  const { push } = await prepared();
  const { exitCode, error } = await push();
  expect([exitCode, error.code]).toEqual([2, 'other_currency']);
  expect(error.message).toBe(
    'None of the 3 payments can be read, by line 1 "Currency: EUR": The amount is not in pounds, which is all that the ledger records. --rates FILE takes a CSV with month or date, currency, and pounds per unit.',
  );
});

test('with rates it is pushed once, in parts and whole, and reconciled; a corrected amount is a question', async () => {
  const { push, reconcile, rates, stored, run, json, args, rules, write } = await prepared();
  expect(await push('--rates', rates)).toMatchObject({ exitCode: 0, created: 4 });
  expect(await stored()).toEqual([
    'foreign-property null 1722',
    'foreign-property null 73202',
    'foreign-property professionalFees -9818',
    'foreign-property rentIncome 81814',
  ]);
  expect(await push('--rates', rates)).toMatchObject({ exitCode: 0, created: 0, known: 4, conflicts: [] });
  const result = await reconcile('--rates', rates);
  expect(result).toMatchObject({ exitCode: 0, isReconciled: true, counts: { 'in the books': 3 } });
  expect(result.rates.sha256).toBe(new Bun.CryptoHasher('sha256').update(readFileSync(rates)).digest('hex'));
  expect(result.files[0].rows[0]).toMatchObject({ pence: 85_000, currency: 'EUR' });
  const shown = await run('push', ...args, '--rates', rates, '--dry-run');
  expect(shown.err).toContain('Rates    3 rows in EUR, converted to pounds by --rates');
  // The rule of the refund matches the entry as it matches the row.
  const { periods } = await json('figures', '--tax-year', '2026-27', '--rules', rules);
  const repairs = expect.objectContaining({ category: 'repairsAndMaintenance', refundPence: 1722 });
  const foreign = expect.objectContaining({ lines: expect.arrayContaining([repairs]) });
  expect(periods.at(-1).businesses).toContainEqual(foreign);

  write('2026-10-01,RENT CASA,860.00', ...ROWS.slice(1));
  const again = await push('--rates', rates);
  expect(again).toMatchObject({ exitCode: 8, created: 0, probable: [{ row: 3, isEarlierVersion: true }] });
});

test('with a corrected rate it differs, makes no second entry, and is listed for the app', async () => {
  const { push, reconcile, rates, account, run, args } = await prepared();
  await push('--rates', rates);
  const corrected = writeFile(`corrected-${account.accountId}.csv`, rate('0.87'));
  const { exitCode, created, conflicts } = await push('--rates', corrected);
  expect([exitCode, created, conflicts.length]).toEqual([5, 0, 4]);
  const list = join(directory, `list-${account.accountId}.csv`);
  const result = await reconcile('--rates', corrected, '--corrections', list);
  expect(result).toMatchObject({ exitCode: 6, counts: { different: 3 } });
  const { out } = await run('reconcile', ...args, '--rates', corrected);
  expect(out).toMatch(/ 2026-10-\d\d +EUR 850\.00 +RENT CASA/);
  expect(readFileSync(list, 'utf8')).toMatch(
    /change,foreign-property,2026-10-01,RENT CASA - EUR 850\.00 at 0\.8612 GBP per EUR,.*739\.50.*RENT CASA - EUR 850\.00 at 0\.87 GBP per EUR/,
  );
});

test('no report is written over the rates', async () => {
  const { reconcile, rates } = await prepared();
  const { exitCode, error } = await reconcile('--rates', rates, '--report', rates);
  expect([exitCode, error.message]).toEqual([2, expect.stringContaining('this command reads it')]);
});
