/** The guides in docs/api: their examples do what they show, and their errors are those of the service. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, type ErrorCode, UNAVAILABLE_STATUS } from '../gateway/api/errors.ts';
import { GUIDES_OF_PAGE as guides } from '../gateway/api/guides.ts';
import { ERROR_TEXTS } from '../gateway/description/error-texts.ts';
import { send } from './fixtures/client.ts';
import { blocksOf, canRun, expectShown, type Language, runPage } from './fixtures/examples.ts';
import { newAccount } from './fixtures/new-account.ts';
import { admin, system } from './fixtures/system.ts';

setDefaultTimeout(60_000);

const DIRECTORY = join(import.meta.dir, '../docs/api');
const read = (file: string) => readFileSync(join(DIRECTORY, file), 'utf8');
const FILES = readdirSync(DIRECTORY);
const titleOf = (text: string) => /^# (.+)$/m.exec(text)?.[1] ?? '';
const withoutCode = (text: string) => text.replace(/^```.*?^```/gms, '');
const headings = [...withoutCode(guides).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replace(/[ _]/g, '-');

/** The account that the guides describe: one source, and nothing in the books. */
async function newEnvironment() {
  const { source: SOURCE, keys } = await newAccount(admin);
  return { LEDGER_URL: system.url, LEDGER_API_KEY: `${keys[0]}`, SOURCE };
}

describe.each(FILES)('docs/api/%s', (file) => {
  test('each example runs, and gets the response that follows it', async () => {
    const blocks = blocksOf(read(file)).filter(
      ({ language }) => language === 'json' || canRun(language as Language),
    );
    const counts = await runPage(read(file), await newEnvironment());
    const { length: shown } = blocks.filter(({ language }) => language === 'json');
    expect(counts.compared).toBe(shown);
    expect(counts.run).toBeGreaterThanOrEqual(blocks.length - shown);
  });
});

test('a response that differs from the shown one is found', () => {
  expectShown({ a: ['b…'], c: 1 }, { a: ['bcd'], c: 1 });
  for (const response of [
    { a: ['acd'], c: 1 },
    { a: ['bcd'] },
    { a: ['bcd', 'e'], c: 1 },
    { a: ['bcd'], c: 1, d: 1 },
  ]) {
    expect(() => expectShown({ a: ['b…'], c: 1 }, response)).toThrow();
  }
});

test('the page has every guide, and the links between them lead to headings of it', async () => {
  const { body } = await send('/api/v1/docs');
  expect(body).toContain(JSON.stringify(guides).replaceAll('<', '\\u003c'));
  expect(headings).toEqual(expect.arrayContaining(FILES.map((file) => titleOf(read(file)))));
  const links = [...withoutCode(guides).matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
  expect(links.length).toBeGreaterThan(10);
  const anchors = headings.map((heading) => `#description/${anchorOf(heading)}`);
  expect(links.filter((link) => !anchors.includes(String(link)))).toEqual([]);
  expect(guides).not.toContain('.md');
});

test('each guide is served in Markdown as it is, and /llms.txt leads to all of them', async () => {
  const index = await send('/llms.txt');
  expect(index.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(index.body).toMatch(/^# Bookkeeping Ledger API\n\n> \S.*\n\n\S.*\n\n## Guides\n/);
  const links = [...index.body.matchAll(/^- \[(.+)\]\((\S+)\)(?:: \S.*)?$/gm)].map(([, ...link]) => link);
  const guidePaths = FILES.map((file) => [titleOf(read(file)), `/api/v1/docs/${file}`]);
  expect(links.toSorted()).toEqual(
    [...guidePaths, ['OpenAPI description', '/api/v1/openapi.json'], ['Page', '/api/v1/docs']].toSorted(),
  );
  for (const file of FILES) {
    const { headers, body } = await send(`/api/v1/docs/${file}`);
    expect([file, headers.get('content-type'), body]).toEqual([
      file,
      'text/markdown; charset=utf-8',
      read(file),
    ]);
  }
});

test('headings have two levels, are unique and plain text, so that the page gives each an address', () => {
  expect(withoutCode(guides)).not.toMatch(/^###/m);
  expect(headings.filter((heading, index) => headings.indexOf(heading) !== index)).toEqual([]);
  expect(headings.filter((heading) => /[`*[]/.test(heading))).toEqual([]);
});

test('docs/api/error-codes.md has every error code with its status, cause and remedy, and no other', () => {
  const sections = read('error-codes.md').split(/^## /m).slice(1);
  expect(sections.map((section) => section.split('\n')[0]).toSorted()).toEqual(
    Object.keys(ERRORS).toSorted(),
  );
  for (const section of sections) {
    const [code = '', , status = '', , cause, , remedy] = section.split('\n');
    const [usual, error] = [ERRORS[code as ErrorCode], ERROR_TEXTS[code as ErrorCode]];
    expect([code, cause, remedy]).toEqual([code, `**Cause.** ${error.when}`, `**Remedy.** ${error.remedy}`]);
    const statuses = code === 'server_error' ? `${usual} or ${UNAVAILABLE_STATUS}` : usual;
    expect(status).toStartWith(`Status ${statuses}.`);
  }
});
