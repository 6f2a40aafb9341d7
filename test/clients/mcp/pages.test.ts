/** The size of results, and the pages with the rows that a result does not have: nothing is lost. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pages } from '../../../clients/mcp/pages.ts';
import { type Json, TestAccount } from '../../fixtures/client.ts';
import { typedRows } from '../typed-rows.ts';
import { type Assistant, newFolder, startAssistant, type ToolResult } from './assistant.ts';

setDefaultTimeout(120_000);

/** The most characters of a whole result of a tool with lists. */
const RESULT_LENGTH_MAX = 15_000;

const source = 'uk-property';
const folder = newFolder();
const account = await TestAccount.create();
let own: Assistant;
beforeAll(async () => {
  own = await startAssistant(account.key, { folder });
});
afterAll(() => own[Symbol.asyncDispose]());

const csv = (count: number, row: (n: number) => string) =>
  [
    ...typedRows(
      'Date,Description,Amount',
      Array.from({ length: count }, (_, n) => row(n)),
    ),
    '',
  ].join('\n');
const day = (n: number) => `2026-05-${String(1 + (n % 28)).padStart(2, '0')}`;
const LONG = 'Ä"\\ \u202e'.repeat(90);

/** More than one request creates. */
const ROWS = 700;

/** For each kind of file: its rows, and the lists that have one row for each of them. */
const KINDS: Record<string, { text: (count: number) => string; lists: string[] }> = {
  'new payments': {
    text: (count) => csv(count, (n) => `${day(n)},Payment ${n},${9_000 - n}.00`),
    lists: ['creates'],
  },
  'long descriptions': {
    text: (count) => csv(count, (n) => `${day(n)},"${n} ${LONG.replaceAll('"', '""')}",${9_000 - n}.00`),
    lists: ['creates'],
  },
  'invalid amounts': {
    text: (count) => csv(count, (n) => `${day(n)},Payment ${n},£x${n}`),
    lists: ['invalid'],
  },
  'unlikely dates': {
    text: (count) => csv(count, (n) => `19${10 + (n % 80)}-05-01,Payment ${n},${9_000 - n}.00`),
    lists: ['creates', 'warnings'],
  },
};

/** All rows of a list, by its pages. Each page is within the limit. */
async function allOf(list: Json, first: ToolResult) {
  const rows = [...list.rows];
  for (let next = list.next; next !== null; ) {
    const page = await own.call('read_page', { cursor: next });
    expect(page.text.length).toBeLessThanOrEqual(RESULT_LENGTH_MAX);
    expect([page.isError, page.value.from, page.value.count]).toEqual([false, rows.length, list.count]);
    rows.push(...page.value.rows);
    next = page.value.next;
  }
  expect(first.text.length).toBeLessThanOrEqual(RESULT_LENGTH_MAX);
  return rows;
}

test.each(Object.entries(KINDS))(
  'the preview of many %s is small, and its pages have every row once',
  async (kind, { text, lists }) => {
    const path = `${kind}.csv`;
    writeFileSync(join(folder, path), text(ROWS));
    const result = await own.call('preview_file', { path, source });
    expect([result.isError, result.value.rowsRead]).toEqual([false, ROWS]);
    expect(result.text.length).toBeLessThanOrEqual(RESULT_LENGTH_MAX);
    for (const name of lists) {
      const list = result.value[name];
      expect([name, list.count]).toEqual([name, ROWS]);
      expect(list.rows.length).toBeGreaterThan(0);
      if (name !== 'creates') expect(result.value.advice).toContain(`${name} (${ROWS})`);
      const rows = await allOf(list, result);
      expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: ROWS }, (_, n) => n + 2));
    }
  },
);

test('a commit of 500 entries is small, and its pages have every outcome; known rows and entries are in pages, too', async () => {
  const text = csv(
    500,
    (n) => `2026-06-${String(1 + (n % 28)).padStart(2, '0')},Outcome ${n},${9_000 - n}.00`,
  );
  const { token } = await own.do('preview_rows', { rows: text, source });
  const result = await own.call('commit_preview', { token });
  expect(result.value).toMatchObject({ created: 500, entries: { count: 500 } });
  const outcomes = await allOf(result.value.entries, result);
  expect(new Set(outcomes.map(({ reference }) => reference)).size).toBe(500);

  const again = await own.call('preview_rows', { rows: text, source });
  const known = await allOf(again.value.known, again);
  expect(known.map(({ id }) => id).sort()).toEqual(outcomes.map(({ id }) => id).sort());

  const found = await own.call('search_entries', { from: '2026-06-01', to: '2026-06-30', limit: 200 });
  expect(found.value.entries.count).toBe(200);
  expect(new Set((await allOf(found.value.entries, found)).map(({ id }) => id)).size).toBe(200);
});

test('rows are in the structured content, and not once more in the text, which has all else', async () => {
  const args = { rows: csv(3, (n) => `2026-07-01,Only once ${n},1.00`), source };
  const { content, structuredContent } = (await own.client.callTool({
    name: 'preview_rows',
    arguments: args,
  })) as Json;
  expect(JSON.stringify(structuredContent)).toContain('Only once 1');
  expect(content[0].text).not.toContain('Only once 1');
  const { creates, token, advice } = JSON.parse(content[0].text);
  expect([creates.count, token, advice]).toEqual([3, structuredContent.token, structuredContent.advice]);
  expect(creates.rows).toBe('in structuredContent');
});

test('--text puts the rows into the text, for clients that show nothing else', async () => {
  await using text = await startAssistant(account.key, { args: ['--text'] });
  const args = { rows: csv(3, (n) => `2026-07-01,Only once ${n},1.00`), source };
  const result = (await text.client.callTool({ name: 'preview_rows', arguments: args })) as Json;
  expect(JSON.parse(result.content[0].text).creates.rows).toHaveLength(3);
  expect(result.structuredContent).toBeUndefined();
  const { tools } = await text.client.listTools();
  expect(tools.filter(({ outputSchema }) => outputSchema)).toEqual([]);
});

test.each(['', 'x', '00000000-0000-0000-0000-000000000000:0:0'])(
  'the cursor %p is refused',
  async (cursor) => {
    const { isError, value } = await own.call('read_page', { cursor });
    expect([isError, value]).toEqual([
      true,
      expect.stringContaining('No list of this server has this cursor'),
    ]);
  },
);

test('short lists are whole beside a long one, and a row that is longer than a page has a page', () => {
  const pages = new Pages();
  const rows = (count: number, text: string) => Array.from({ length: count }, () => ({ text }));
  const list = (of: object[]) => ({ count: of.length, rows: of, next: null });
  const first = pages.firstOf({
    long: list(rows(9_000, 'long')),
    short: { inside: list(rows(3, 'short')) },
    huge: list(rows(2, 'x'.repeat(20_000))),
  });
  expect(first.short.inside).toEqual(list(rows(3, 'short')));
  expect([first.long.rows.length > 100, first.huge.rows.length]).toEqual([true, 0]);
  const { rows: page, from, next } = pages.at(first.huge.next ?? '');
  expect([page.length, from, pages.at(next ?? '').next]).toEqual([1, 0, null]);
});

test('the pages of the last 50 results are kept', () => {
  const pages = new Pages();
  const rows = Array.from({ length: 9_000 }, (_, n) => ({ n }));
  const cursors = Array.from(
    { length: 51 },
    () => pages.firstOf({ count: 9_000, rows, next: null as string | null }).next,
  );
  const [oldest, ...others] = cursors.map((cursor) => cursor ?? '');
  expect(() => pages.at(oldest ?? '')).toThrow('Call the tool of the list again');
  for (const cursor of others) expect(pages.at(cursor).from).toBeGreaterThan(0);
});
