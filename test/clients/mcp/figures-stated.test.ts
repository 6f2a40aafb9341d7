/** Figures for assistants by facts that the rules of the profile state: HMRC's ids, and sums of other software. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json } from '../../fixtures/client.ts';
import { newUser } from '../cli/command.ts';
import { newFolder, startAssistant } from './assistant.ts';

setDefaultTimeout(60_000);

const ID = '8e8b8450-dc1b-4360-8109-7067337b42cb';

test('the year so far has the stated sums, a check names the entries that they replace, and property abroad has its id', async () => {
  const { account } = await newUser();
  await account.post([
    { type: 'income', category: 'periodAmount', date: '2026-08-31', amountPence: 20 },
    { type: 'income', category: 'periodAmount', date: '2026-09-01', amountPence: 4_000 },
  ]);
  const XDG_CONFIG_HOME = newFolder();
  const kept = join(XDG_CONFIG_HOME, 'bookkeeping-ledger', 'rules', 'default.txt');
  mkdirSync(dirname(kept), { recursive: true });
  const figuresBy = async (rules: string) => {
    writeFileSync(kept, rules);
    await using own = await startAssistant(account.key, { env: { XDG_CONFIG_HOME } });
    return await own.call('figures', { taxYear: '2026-27', quarter: 2 });
  };
  const sum = 'sum of uk-property / periodAmount up to 2026-08-31: 4500.00';
  const { value } = await figuresBy(`${sum}\nHMRC's id of foreign-property is ${ID}\n`);
  const ofProperty = ({ rows }: Json) => rows.filter(({ business }: Json) => business === 'UK property');
  const inQuarter = { period: 'quarter 2', sum: { amountPence: 4_000 } };
  const whole = { sum: { amountPence: 454_000 }, yourShare: { amountPence: 454_000 } };
  expect(ofProperty(value.lines)).toMatchObject([inQuarter, { period: 'since 2026-04-06', ...whole }]);
  expect(ofProperty(value.notes)[0].note).toContain(
    'sums of other software for 2026-04-06 to 2026-08-31, by your rules: periodAmount 4,500.00.',
  );
  expect(value.checks.rows.at(-1)).toMatchObject({
    message: expect.stringContaining('in no figure: '),
    ...{ entries: 1, ids: [expect.any(String)] },
  });
  expect(value.violations.count).toBe(0);
  const refused = await figuresBy(sum.replace('4500.00', 'many'));
  expect([refused.isError, refused.text]).toEqual([
    true,
    expect.stringContaining('Line 1 of the rules is no line about a sum'),
  ]);
});
