/** Figures for assistants: their day, and the comparison with an earlier report. */
import { expect, setDefaultTimeout, setSystemTime, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newUser } from '../cli/command.ts';
import { newFolder, startAssistant } from './assistant.ts';

setDefaultTimeout(60_000);

test('each change since an earlier report is explained by amounts that add up; another file is refused', async () => {
  const { account, run } = await newUser();
  const rent = { type: 'income', category: 'periodAmount', date: '2026-04-06', amountPence: 90_000 };
  await account.post([rent]);
  const folder = newFolder();
  const of = { taxYear: '2026-27', quarter: 1 };
  const report = await run(['figures', '--tax-year', '2026-27', '--quarter', '1', '--json']);
  writeFileSync(join(folder, 'earlier.json'), report.out);
  writeFileSync(join(folder, 'other.json'), '{}');
  await using own = await startAssistant(account.key, { folder });
  const unchanged = await own.do('figures', { ...of, since: 'earlier.json' });
  expect(unchanged.since).toMatchObject({
    ...{ from: '2026-04-06', to: '2026-07-05' },
    ...{ figures: { count: 0 }, differences: { count: 0 } },
  });
  await account.post([
    { ...rent, date: '2026-07-05', amountPence: 5, description: 'late' },
    { ...rent, date: '2026-07-06', amountPence: 7 },
  ]);
  const { since } = await own.do('figures', { ...of, quarter: 2, since: 'earlier.json' });
  const pence = (amountPence: number) => expect.objectContaining({ amountPence });
  const figure = { business: 'UK property', type: 'income', category: 'periodAmount' };
  expect(since.figures.rows).toEqual([{ ...figure, before: pence(90_000), now: pence(90_012) }]);
  expect(since.differences.rows).toEqual([
    {
      ...figure,
      ...{ amountPounds: '0.07', amountPence: 7, yourSharePence: 7, because: '1 entry after 2026-07-05' },
    },
    {
      ...figure,
      ...{ amountPounds: '0.05', amountPence: 5, yourSharePence: 5, because: '2026-07-05 late (added)' },
    },
  ]);
  const { text } = await own.call('figures', { ...of, since: 'other.json' });
  expect(text).toContain('other.json is not the document of `ledger figures --json`');
});

// The clock is of all tests.
test.serial('today is the day in the United Kingdom', async () => {
  const { account } = await newUser();
  await using own = await startAssistant(account.key);
  setSystemTime(new Date('2027-04-05T23:30:00Z'));
  const { updates } = await own.do('figures', {}).finally(() => setSystemTime());
  expect(updates).toMatchObject([{ from: '2027-04-06', state: 'open' }, {}, {}, {}]);
});
