/** The import of the page for several accounts, one after the other: nothing of one is shown or applied in another. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { importFileReader } from '../../../clients/typescript/import/index.ts';
import { importsByAccount } from '../../../clients/web/import/imports-by-account.ts';
import { openSession } from '../../../clients/web/key/session.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { admin, system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { CSV, check, file, fileOf, memory, openFile, push, statuses } from './importer-fixture.ts';

setDefaultTimeout(60_000);

const RULES = 'otherwise -> uk-property';

/** A page, and how somebody enters a key in it. */
function page(storage = memory().storage) {
  const refusals: string[] = [];
  const onKeyRefused = (reason: string) => void refusals.push(reason);
  const workOf = importsByAccount({ onKeyRefused, readerOf: importFileReader, storage: () => storage });
  const enter = async (key: string) => {
    const session = await openSession(system.url, key);
    workOf(undefined).importer.setSession(undefined);
    const { importer } = workOf(session);
    importer.setSession(session);
    return importer;
  };
  return { enter, refusals };
}

async function byRules(importer: Awaited<ReturnType<ReturnType<typeof page>['enter']>>): Promise<void> {
  importer.chooseSource('');
  await importer.setCategorising({ rules: RULES });
  await until('the categories are read', () => importer.state.value.allCategories !== undefined);
  await until('it is read', () => !importer.state.value.isBusy);
}

test('a key of another account keeps the file, and neither books, rules, result nor imported files', async () => {
  const [one, other] = await Promise.all([TestAccount.create(), TestAccount.create()]);
  const { enter, refusals } = page();
  const first = await enter(one.key);
  await openFile(first, file(CSV));
  await byRules(first);
  await check(first);
  await push(first);
  await openFile(first, file(CSV));
  await check(first);
  expect(statuses(first)).toEqual(['known', 'known']);

  const second = await enter(other.key);
  await until('the file is read', () => fileOf(second)?.read !== undefined);
  expect(second.state.value).toMatchObject({
    step: 'file',
    source: undefined,
    isByRules: false,
    compared: undefined,
    push: undefined,
    pushedFiles: [],
    files: [{ file: { name: 'file.csv' } }],
  });
  expect(second.state.value.categorising.rules).toBe('');
  await byRules(second);
  await check(second);
  expect(statuses(second)).toEqual(['new', 'new']);
  await push(second);
  expect([await rowsOf(other.accountId), refusals].map(({ length }) => length)).toEqual([2, 0]);
});

test('another key of the account goes on where the first one stopped', async () => {
  const account = await TestAccount.create();
  const { enter } = page();
  const first = await enter(account.key);
  await openFile(first, file(CSV));
  await byRules(first);
  await first.correct([2], { amount: '951.00' });
  const { key = '' } = await admin.createKey({ accountId: account.accountId });
  const second = await enter(key);
  expect(second).toBe(first);
  expect(fileOf(second).corrections.size).toBe(1);
});

test('rules are kept for the account: a tab with a key of another account does not apply them', async () => {
  const [one, other] = await Promise.all([TestAccount.create(), TestAccount.create()]);
  const { storage } = memory();
  await byRules(await page(storage).enter(one.key));
  const rulesOf = async ({ key }: TestAccount) =>
    (await page(storage).enter(key)).state.value.categorising.rules;
  expect([await rulesOf(one), await rulesOf(other)]).toEqual([RULES, '']);
});
