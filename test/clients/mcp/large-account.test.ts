/** The size of results for an account with many sources and entries, each is small, and its pages have all rows. */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { type Json, TestAccount } from '../../fixtures/client.ts';
import { admin, sql } from '../../fixtures/system.ts';
import { type Assistant, type AssistantOptions, startAssistant, type ToolResult } from './assistant.ts';

setDefaultTimeout(120_000);

/** The most characters of a whole result of a tool with lists. */
const RESULT_LENGTH_MAX = 15_000;
/** The most characters of an error. */
const ERROR_LENGTH_MAX = 8_200;

const YEAR = { taxYear: '2026-27' };
const LONG_NAME = 'Business with a long name '.repeat(7);
/** HMRC takes no amount above 99,999,999,999.99. */
const REFUSED = 10_000_000_000_000;

/** An account with 40 properties at a share of 50 %, 40 businesses with long names, and 5,000 entries. */
async function largeAccount(): Promise<TestAccount> {
  const account = await TestAccount.create();
  const { accountId } = account;
  const post = async (entries: object[], source?: string) =>
    expect((await account.post(entries, source === undefined ? {} : { source })).status).toBe(201);
  for (let n = 0; n < 40; n++) {
    const property = { type: 'uk-property', name: `${n} ${LONG_NAME}`, role: 'sharer', sharePercent: 50 };
    await admin.createSource({ accountId, ...property });
    const business = { type: 'self-employment', name: `${n} ${LONG_NAME}`, role: 'owner', sharePercent: 100 };
    const { id } = await admin.createSource({ accountId, ...business });
    const refused = { date: '2026-05-01', type: 'income', amountPence: REFUSED, category: 'turnover' };
    await post([refused], id);
  }
  const open = { date: '2026-05-02', type: 'expense', amountPence: 100 };
  for (let n = 0; n < 9; n++) await post(Array(500).fill(open));
  await post(Array(460).fill({ ...open, type: 'income', category: 'periodAmount', amountPence: REFUSED }));
  return account;
}

let account: TestAccount;
beforeAll(async () => {
  account = await largeAccount();
});

/** A server with a key of its own: one key has 120 requests in a minute. */
async function startServer(accountId: string, options?: AssistantOptions): Promise<Assistant> {
  const { key } = await admin.createKey({ accountId });
  return startAssistant(key, options);
}

/** All rows of a list, by its pages. */
async function allOf(assistant: Assistant, { count, rows: first, next }: Json): Promise<Json[]> {
  const rows = [...first];
  for (let cursor = next; cursor !== null; ) {
    const page = await assistant.call('read_page', { cursor });
    expectSmall(page);
    rows.push(...page.value.rows);
    cursor = page.value.next;
  }
  expect(rows.length).toBe(count);
  return rows;
}

const expectSmall = ({ isError, text }: ToolResult) =>
  expect([isError, text.length <= RESULT_LENGTH_MAX, text.length]).toEqual([false, true, text.length]);

test('the figures of 80 businesses and 5,000 entries are small, and the pages have each business, line, note and violation', async () => {
  // A process: a result that is too large would keep this one from its time limit.
  const command: AssistantOptions['command'] = [process.execPath, 'run', 'mcp'];
  await using own = await startServer(account.accountId, { command });
  const result = await own.call('figures', YEAR);
  expectSmall(result);
  const { businesses, lines, notes, violations, periods, checks } = result.value;
  // Four quarters and the year, with the three sources that every account of the tests has.
  expect(periods).toHaveLength(5);
  const all = await allOf(own, businesses);
  expect(new Set(all.map((each) => `${each.period} ${each.business}`)).size).toBe(5 * 43);
  const property = all.filter(({ business }) => business === 'UK property');
  expect(property.map(({ sources }) => sources)).toEqual(Array(5).fill(41));
  expect(property.at(-1).withoutCategory).toMatchObject({ count: 4_500, expense: { amountPence: 450_000 } });
  // In the first quarter and in the year.
  expect((await allOf(own, lines)).map(({ entries }) => entries).sort()).toEqual(
    [...Array(80).fill(1), 460, 460].sort(),
  );
  const refused = await allOf(own, violations);
  expect(refused.filter(({ rule }) => rule === 'maximum').length).toBeGreaterThanOrEqual(41);
  const most = refused.find(({ entries }) => entries === 460);
  expect([most.business, most.ids.length]).toEqual(['UK property', 20]);
  const texts = (await allOf(own, notes)).map(({ note }) => note);
  expect(texts.filter((text) => text.startsWith('Your share of')).length).toBe(5 * 40);
  await allOf(own, checks);
});

test('500 sources are listed in pages, and an error that names them is short', async () => {
  const { accountId } = await TestAccount.create();
  await sql`
    insert into ledger.source (account_id, source_id, type, name, role, share_percent)
    select ${accountId}, gen_random_uuid(), 'self-employment', n || ${` ${LONG_NAME}`}, 'owner', 100
      from generate_series(1, 497) as n`;
  await using assistant = await startServer(accountId);
  const result = await assistant.call('list_sources');
  expectSmall(result);
  const rows = await allOf(assistant, result.value.sources);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(500);
  const refused = await assistant.call('search_entries', { source: 'Offshore' });
  expect([refused.isError, refused.value]).toEqual([
    true,
    expect.stringContaining('There is no source "Offshore"'),
  ]);
  expect(refused.text.length).toBeLessThan(ERROR_LENGTH_MAX);
});

test.each([
  ['list_categories', { sourceType: 'uk-property' }],
  ['explain_rules', {}],
  ['search_entries', { limit: 200 }],
])('the result of %s is small', async (tool, args) => {
  await using own = await startServer(account.accountId);
  expectSmall(await own.call(tool, args));
});
