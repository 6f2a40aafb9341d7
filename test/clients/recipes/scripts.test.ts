/** The example in Python and the recipe in bash against the real service: what they write into the books, and what they print. */
import { beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { ownTable } from '../../../clients/typescript/export/csv.ts';
import { batch, rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { writeFile } from '../cli/command.ts';
import { requireProgram } from '../programs.ts';
import { RATE_LIMITED, startProxy } from '../proxy.ts';
import { runScript, SCRIPTS, type ScriptOptions, spawnScript } from './scripts.ts';

setDefaultTimeout(120_000);

beforeAll(async () => {
  for (const program of ['python3', 'curl', 'jq']) await requireProgram(program);
});

let account: TestAccount;
beforeEach(async () => {
  account = await TestAccount.create();
});
const books = () => rowsOf(account.accountId);

/** The outcomes that a push prints. */
const outcomes = (out: string) => {
  const table = ownTable(out, ['line', 'status', 'id', 'differs']);
  if (!('records' in table)) return [];
  return table.records.map(({ texts }) => ({ ...texts, line: Number(texts.line) }));
};
const statuses = (out: string) => outcomes(out).map(({ status }) => status);

const FILE = [
  'Date,Amount,Type,Category,Description,Reference',
  '2026-04-06,"£1,234.56",income,periodAmount,"Rent, April",r-1',
  '2026-04-07,0.30,expense,,"=HYPERLINK(""http://x.example"";""x"")",r-2',
  '2026-04-08,12.5,Expense,,"two',
  'lines é £",r-3',
  ',,,,,',
  '2026-04-09,90071992547.41,expense,,,r-4',
].join('\r\n');
const numbered = (count: number) =>
  [
    'date,amount,type,reference',
    ...Array.from({ length: count }, (_, n) => `2026-04-06,${n + 1}.01,income,n-${n}`),
  ].join('\n');

describe.each(SCRIPTS)('$name', (script) => {
  const push = (file: string, url?: string) =>
    runScript(script.push(file, account.sources['uk-property']), { key: account.key, ...(url && { url }) });
  const list = (from?: string, to?: string) =>
    runScript(script.list(account.sources['uk-property'], from, to), { key: account.key });

  test('pushes a file, and prints the outcome of each row; again, it creates nothing, and a changed row is a conflict', async () => {
    const { exitCode, out } = await push(writeFile('file.csv', `\ufeff${FILE}`));
    expect([exitCode, statuses(out)]).toEqual([0, Array(4).fill('created')]);
    const rows = await books();
    expect(outcomes(out).map(({ id }) => id)).toEqual(rows.map(({ id }) => id).reverse());
    const description = expect.stringMatching(/^two\r?\nlines é £$/);
    const formula = '=HYPERLINK("http://x.example";"x")';
    expect(rows).toMatchObject([
      { date: '2026-04-09', type: 'expense', amountPence: 9_007_199_254_741, description: null },
      { date: '2026-04-08', type: 'expense', amountPence: 1_250, description },
      { date: '2026-04-07', type: 'expense', amountPence: 30, description: formula },
      { date: '2026-04-06', type: 'income', amountPence: 123_456, category: 'periodAmount' },
    ]);
    const again = await push(writeFile('file.csv', FILE.replace('12.5,', '12.6,')));
    expect([again.exitCode, statuses(again.out)]).toEqual([0, ['known', 'known', 'conflict', 'known']]);
    expect(outcomes(again.out)[2]?.differs).toBe('amountPence');
    expect(await books()).toHaveLength(4);
  });

  test('sends at most 500 entries in a request, and reads over all pages', async () => {
    await using proxy = await startProxy();
    const { out } = await push(writeFile('many.csv', numbered(501)), proxy.url);
    expect(proxy.requests.map(({ body }) => JSON.parse(body).length)).toEqual([500, 1]);
    expect(outcomes(out).map(({ line }) => line)).toEqual(Array.from({ length: 501 }, (_, n) => n + 2));
    const listed = (await list()).out;
    for (const { externalRef } of await books()) expect(listed).toMatch(new RegExp(`\\b${externalRef}\\b`));
    expect(listed.trim().split('\n').length).toBeOneOf([501, 502]);
  });

  test('lists the entries between two dates, and keeps formulas from being executed', async () => {
    await push(writeFile('file.csv', FILE));
    const { out } = await list('2026-04-07', '2026-04-07');
    expect(out).toMatch(
      script.name === 'Python' ? /,0\.30,"'=HYPERLINK/ : /"amountPence":30,"description":"=HYPER/,
    );
    expect(out).not.toMatch(/2026-04-0[689]/);
    const refused = await list('2026-02-30');
    expect([refused.exitCode, refused.out.includes('{')]).toEqual([1, false]);
    expect(refused.err).toMatch(/\/from: .*calendar/);
  });

  test('lists the sources', async () => {
    const url = `${system.url}/api/v1/`;
    const { out } = await runScript(script.sources(), { key: account.key, url });
    expect(out.trim().split('\n').sort()).toEqual(
      Object.entries(account.sources)
        .map(([type, id]) => `${id}\t${type}\t${type}`)
        .sort(),
    );
  });

  test('names every row that it cannot read, and sends nothing', async () => {
    const rows = [
      'date,amount,type,reference',
      '2026-04-06,1,income,ok',
      '2026-04-06,1.005,income,a',
      '06/04/2026,1,income,b',
      '2026-04-06,"1,23",income,c',
      '2026-04-06,-1,expense,d',
      '2026-04-06,0,income,e',
      '2026-04-06,1,transfer,f',
      '2026-04-06,2,income,ok',
      '2026-04-06,1,,g',
    ];
    await using proxy = await startProxy();
    const { exitCode, err, out } = await push(writeFile('wrong.csv', rows.join('\n')), proxy.url);
    expect([exitCode, out, proxy.requests]).toEqual([1, '', []]);
    for (const line of [3, 4, 5, 6, 7, 8, 10]) expect(err).toContain(`line ${line}: `);
    expect(err).not.toContain('line 2: ');
    expect(err).toMatch(/same reference ok|the reference ok/);
  });

  test('shows the message of the API, and its issues by line', async () => {
    const rows = numbered(510).split('\n');
    rows[505] += 'x'.repeat(180);
    const file = writeFile('issues.csv', rows.join('\n'));
    const { exitCode, err, out } = await push(file);
    expect([exitCode, statuses(out).length, (await books()).length]).toEqual([1, 500, 500]);
    expect(err).toMatch(/line 506 externalRef: .*180/);
    expect(err).toContain('10 entries are not confirmed');
    const category = writeFile(
      'category.csv',
      'date,amount,type,category,reference\n2026-04-06,1,income,turnover,c',
    );
    expect((await push(category)).err).toMatch(/line 2 category: .*\n.*accepted categories: periodAmount/);
  });

  test('sends a request again when its response is lost, and after Retry-After', async () => {
    await using proxy = await startProxy((_, n) =>
      n === 1 ? 'drop response' : n === 2 ? RATE_LIMITED : 'pass',
    );
    const { exitCode, out } = await push(writeFile('file.csv', FILE), proxy.url);
    // The library sends an Idempotency-Key, so the repeated request has the response that was lost.
    expect([exitCode, statuses(out)]).toEqual([
      0,
      Array(4).fill(script.name === 'Python' ? 'created' : 'known'),
    ]);
    expect(new Set(proxy.requests.map(({ body }) => body)).size).toBe(1);
    expect(await books()).toHaveLength(4);
  });

  test('killed between the request and its response, it is run again and creates nothing twice', async () => {
    const file = writeFile('file.csv', FILE);
    await using proxy = await startProxy(() => ({ ...RATE_LIMITED, status: 503 }));
    const child = spawnScript(script.push(file, account.sources['uk-property']), {
      key: account.key,
      url: proxy.url,
    });
    await until('a request was sent', () => proxy.requests.length > 0);
    child.kill('SIGKILL');
    await child.exited;
    await account.post(JSON.parse(proxy.requests[0]?.body ?? ''));
    expect(statuses((await push(file)).out)).toEqual(Array(4).fill('known'));
    expect(await books()).toHaveLength(4);
  });

  test('at the cap of the day it stores what fits, known rows included, and says how many are left', async () => {
    for (let n = 0; n < 10; n++) await account.post(batch(`day-${n}`, n === 9 ? 498 : 500));
    const file = writeFile(
      'cap.csv',
      `${numbered(1)}\n2026-04-06,1,income,day-0-0\n${numbered(5).split('\n').slice(2).join('\n')}`,
    );
    const { exitCode, err, out } = await push(file);
    expect([exitCode, statuses(out)]).toEqual([1, ['created', 'conflict', 'created']]);
    expect(err).toMatch(/24 hours[\s\S]*3 entries are not confirmed/);
    const known = writeFile('known.csv', numbered(2));
    expect((await push(known)).exitCode).toBe(0);
    expect(await books()).toHaveLength(5_000);
  });

  test('a wrong key or address is one sentence, and the key is not shown', async () => {
    const cases: [Partial<ScriptOptions>, RegExp][] = [
      [{ key: 'ledger_live_wrong' }, /key/],
      [{ key: '' }, /(LEDGER_API_KEY|api_key) must be one word/],
      [{ key: 'SECRET"\nx' }, /(LEDGER_API_KEY|api_key) must be one word/],
      [{ url: 'http://ledger.example' }, /LEDGER_URL must be https/],
    ];
    for (const [options, message] of cases) {
      const { exitCode, out, err } = await runScript(script.sources(), { key: account.key, ...options });
      expect([exitCode, out, err]).toEqual([1, '', expect.stringMatching(message)]);
      expect(err.trim().split('\n')).toHaveLength(1);
      expect(err).not.toMatch(/SECRET|Traceback/);
    }
  });

  test('a redirect and a page of another server are errors, and the key goes nowhere', async () => {
    await using other = await startProxy();
    const location = `${other.url}/api/v1/sources`;
    await using proxy = await startProxy(({ path }) =>
      path.endsWith('/sources')
        ? { status: 302, headers: { location }, body: '' }
        : { status: 200, body: '<html>' },
    );
    for (const command of [script.sources(), script.list(account.sources['uk-property'])]) {
      const { exitCode, err } = await runScript(command, { key: account.key, url: proxy.url });
      expect(exitCode).toBe(1);
      expect(err).toMatch(
        /is not one of the (API: check LEDGER_URL|Bookkeeping Ledger API: check the URL)|no redirect is followed/,
      );
    }
    expect([proxy.requests.length, other.requests]).toEqual([2, []]);
  });
});
