/** Characters that reorder a text or are invisible: they are escaped in every result and error, and stored as they are. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printable } from '../../../platform/terminal.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { type Json, TestAccount } from '../../fixtures/client.ts';
import { newFolder, startAssistant } from './assistant.ts';

setDefaultTimeout(60_000);

/** An override of direction, a zero-width space, a tag, an isolate, a word joiner, a hidden selector. */
const HIDDEN = ['\u202e', '\u200b', '\u{e0041}', '\u2066', '\u2060', '\u{e0101}'];
const TEXT = `Rent${HIDDEN.join('x')}Smith ❤️`;
const source = 'uk-property';

test('they are in no result and in no error, in neither of the two contents', async () => {
  const account = await TestAccount.create();
  const folder = newFolder();
  const path = `may${HIDDEN[0]}.csv`;
  writeFileSync(
    join(folder, path),
    `Date,Description,Money in\n2026-05-11,${TEXT},450.00\n2026-05-12,A,£x${TEXT}\n`,
  );
  await using own = await startAssistant(account.key, { folder });
  const results: Json[] = [];
  const call = async (name: string, args: object = {}) => {
    const result = await own.call(name, args);
    results.push([name, result]);
    return result.value;
  };
  const { files } = await call('list_files');
  expect(files.rows[0].path).toBe('may\\u202e.csv');
  // The list's path opens the file.
  const shown = await call('preview_file', { path: files.rows[0].path, source, skipInvalid: true });
  expect(shown.creates.rows[0].description).toBe(printable(TEXT));
  expect(shown.invalid.rows[0].value).toBe(printable(`£x${TEXT}`));
  await call('commit_preview', { token: shown.token });
  const [stored] = await rowsOf(account.accountId);
  expect(stored?.description).toContain('\u202e');
  const { entries } = await call('search_entries', { text: 'Rent' });
  expect(entries.rows[0].description).toBe(printable(stored?.description ?? ''));
  await call('preview_rows', { rows: `Date,${TEXT}\n2026-05-11,1.00\n`, source });
  await call('preview_file', { path: `${TEXT}.csv`, source });
  await call('preview_rows', { rows: 'Date,Money in\n2026-05-11,1.00\n', source: TEXT });
  for (const [name, { text }] of results) {
    expect([name, HIDDEN.filter((each) => text.includes(each))]).toEqual([name, []]);
    if (name !== 'commit_preview') expect([name, text.includes('u202e')]).toEqual([name, true]);
  }
  expect(results.filter(([, { isError }]) => isError)).toHaveLength(3);
});

test('the lines of a text stay lines', async () => {
  const { key } = await TestAccount.create();
  await using own = await startAssistant(key);
  expect((await own.do('explain_rules')).grammar.split('\n').length).toBeGreaterThan(10);
});
