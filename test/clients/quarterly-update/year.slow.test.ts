/** A landlord's year: two banks, three properties, a joint one and a business, by one rules file in one command. */
import { expect, test } from 'bun:test';
import { expectedFigures, figuresOf } from './figures-model.ts';
import { expectedBooks, landlord } from './year-account.ts';
import { paymentsOfYear } from './year-model.ts';

type Landlord = Awaited<ReturnType<typeof landlord>>;

/** Pushes the files and expects that every entry is stored. @returns how many were created */
async function push({ run, rules }: Landlord, ...paths: string[]): Promise<number> {
  const { exitCode, err, json } = await run('push', ...paths, '--rules', rules, '--yes', '--json');
  expect([exitCode, err]).toEqual([0, '']);
  return json().created;
}

test('one push has the books and the figures of the model, pushed again it changes nothing, and all rows are reconciled', async () => {
  const payments = paymentsOfYear();
  const year = await landlord(payments);
  const expected = expectedBooks(payments);
  expect(await push(year, ...year.paths)).toBe(expected.length);
  expect(await push(year, ...year.paths)).toBe(0);
  expect(await year.books()).toEqual(expected);

  const { exitCode, json } = await year.run('reconcile', ...year.paths, '--rules', year.rules, '--json');
  expect(exitCode).toBe(0);
  const { isReconciled, fromElsewhere, breaks, counts } = json();
  expect([isReconciled, fromElsewhere, breaks]).toEqual([true, [], 0]);
  const rows = year.files.flatMap(({ lines }) => lines).filter(({ payment }) => payment);
  const sum = Object.values(counts as Record<string, number>).reduce((all, count) => all + count, 0);
  expect(sum).toBe(rows.length);

  const figures = await year.run('figures', '--tax-year', '2026-27', '--rules', year.rules, '--json');
  expect(figuresOf(figures.json())).toEqual(expectedFigures(payments));
});

// The test of the page pushes them in order.
test('the books are the same if the files are pushed one after the other, the last one first', async () => {
  const payments = paymentsOfYear();
  const year = await landlord(payments);
  for (const path of year.paths.toReversed()) await push(year, path);
  expect(await year.books()).toEqual(expectedBooks(payments));
});
