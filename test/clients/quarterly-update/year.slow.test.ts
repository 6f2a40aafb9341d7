/** A landlord's year: two banks, three properties, a joint one and a business, by one rules file in one command. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { expectedBooks, landlord } from './year-account.ts';
import { paymentsOfYear } from './year-model.ts';

setDefaultTimeout(60_000);

// The test of the page pushes all files at once.
test('files pushed one after the other, the last one first, have the books of the model, all of them again change nothing, and all rows are reconciled', async () => {
  const payments = paymentsOfYear();
  const year = await landlord(payments);
  for (const paths of [...year.paths.toReversed().map((path) => [path]), year.paths]) {
    const pushed = await year.run('push', ...paths, '--rules', year.rules, '--yes', '--json');
    expect([pushed.exitCode, pushed.err]).toEqual([0, '']);
    expect(pushed.json().created === 0).toBe(paths.length > 1);
  }
  expect(await year.books()).toEqual(expectedBooks(payments));

  const { exitCode, json } = await year.run('reconcile', ...year.paths, '--rules', year.rules, '--json');
  expect(exitCode).toBe(0);
  const { isReconciled, otherEntries, breaks, counts } = json();
  expect([isReconciled, otherEntries, breaks]).toEqual([true, [], 0]);
  const rows = year.files.flatMap(({ lines }) => lines).filter(({ payment }) => payment);
  const sum = Object.values(counts as Record<string, number>).reduce((all, count) => all + count, 0);
  expect(sum).toBe(rows.length);
});
