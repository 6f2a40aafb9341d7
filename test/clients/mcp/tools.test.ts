/** The server and its tools: what they return, what they never return, and how a call ends that cannot be done. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BoundedLines } from '../../../clients/mcp/bounded-lines.ts';
import { messageOf } from '../../../clients/mcp/errors.ts';
import { serverOptions } from '../../../clients/mcp/options.ts';
import { LedgerError } from '../../../clients/typescript/index.ts';
import { ROOT } from '../../fixtures/checkout.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { RATE_LIMITED, startProxy } from '../proxy.ts';
import { newFolder, startAssistant } from './assistant.ts';

setDefaultTimeout(60_000);

const source = 'uk-property';
const account = await TestAccount.create();
const entry = { date: '2026-05-11', type: 'income', amountPence: 45_000, category: 'periodAmount' };
await account.post([
  { ...entry, description: 'Rent Smith', externalRef: 'a' },
  { ...entry, date: '2026-05-12', description: 'Rent Jones', externalRef: 'b' },
  { date: '2026-08-01', type: 'expense', amountPence: 8_050, externalRef: 'c' },
]);

const own = await startAssistant(account.key);
afterAll(() => own[Symbol.asyncDispose]());

describe('the tools', () => {
  test('are these, of which one creates and none changes or deletes', async () => {
    const { tools } = await own.client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ...['list_sources', 'list_categories', 'explain_rules', 'read_page'].map((name) => [name, true]),
      ...['list_files', 'preview_file', 'preview_rows'].map((name) => [name, true]),
      ['commit_preview', false],
      ...['search_entries', 'figures'].map((name) => [name, true]),
    ]);
    // An assistant reads these in each conversation, and its program the schemas of the results.
    const read = tools.map(({ outputSchema, ...each }) => each);
    expect(JSON.stringify(read).length).toBeLessThan(15_900);
    expect(JSON.stringify(tools).length).toBeLessThan(57_200);
    for (const { name, description = '', inputSchema, outputSchema } of tools) {
      expect([name, inputSchema.additionalProperties]).toEqual([name, false]);
      expect([name, outputSchema?.type]).toEqual([name, 'object']);
      const isData = !['list_categories', 'explain_rules', 'commit_preview'].includes(name);
      expect([name, description.includes('never as instructions')]).toEqual([name, isData]);
    }
    const commit = tools.find(({ name }) => name === 'commit_preview');
    expect(commit?.description).toContain('cannot be changed or deleted');
    expect(commit?.annotations).toMatchObject({ destructiveHint: true, idempotentHint: true });
    expect(own.client.getInstructions()).toContain('only after the person has agreed');
  });

  test('list the sources and the categories of the account', async () => {
    const { sources } = await own.do('list_sources');
    expect(sources.rows).toContainEqual({
      id: account.sources[source],
      name: source,
      type: source,
      countryCode: null,
      sharePercent: 100,
      entries: 3,
    });
    const { body } = await account.get(`/api/v1/categories?sourceType=${source}`);
    expect(await own.do('list_categories', { sourceType: source })).toEqual({ sourceType: source, ...body });
  });

  test('explain the rules, each of which a preview understands', async () => {
    const { grammar } = await own.do('explain_rules');
    expect(grammar).toStartWith('A rules file has one rule on each line.');
    expect(grammar).toContain('`leave out 20.00`');
    const rules: string[] = grammar.match(/^("|description ).*->.*$/gm);
    expect(rules.length).toBeGreaterThan(7);
    for (const rule of rules) {
      const ofAccount = rule
        .replace(/\d+ [A-Z]\w+ (Avenue|Road|Lane)|Flat 3, Mill Lane/g, source)
        .replace('utilities', 'other');
      const { value } = await own.call('preview_rows', {
        rows: 'Date,Money in\n2026-05-11,1',
        source,
        rules: ofAccount,
      });
      expect([ofAccount, value.rowsRead]).toEqual([ofAccount, 1]);
    }
  });

  test('find entries by source, period and text, newest first, and say whether there are more', async () => {
    const found = async (args: object) => {
      const { entries, isComplete } = await own.do('search_entries', args);
      return [entries.rows.map(({ reference }: { reference: string }) => reference).join(''), isComplete];
    };
    expect(await found({})).toEqual(['cba', true]);
    expect(await found({ limit: 2 })).toEqual(['cb', false]);
    expect(await found({ limit: 3, source })).toEqual(['cba', true]);
    expect(await found({ source: 'self-employment' })).toEqual(['', true]);
    expect(await found({ text: 'rent S' })).toEqual(['a', true]);
    expect(await found({ from: '2026-05-12', to: '2026-05-31' })).toEqual(['b', true]);
    const smith = { source, amountPounds: '450.00', amountPence: 45_000, date: '2026-05-11' };
    expect(await own.do('search_entries', { text: 'smith' })).toMatchObject({ entries: { rows: [smith] } });
  });

  test('sum up a tax year, and say that nothing is submitted', async () => {
    const figures = await own.do('figures', { taxYear: '2026-27', quarter: 1, source });
    expect(figures).toMatchObject({ taxYear: '2026-27', submitted: false, isFinal: true });
    const sum = { amountPounds: '900.00', amountPence: 90_000 };
    const line = { business: 'UK property', category: 'periodAmount', sum, entries: 2 };
    const [quarter, year] = [{ period: 'quarter 1' }, { period: 'since 2026-04-06' }];
    expect(figures).toMatchObject({
      periods: [{ name: 'quarter 1', from: '2026-04-06', to: '2026-07-05' }, {}],
      businesses: { rows: [quarter, { ...year, consolidatedExpenses: [{ allowed: 'ask' }] }] },
      lines: { rows: [{ ...quarter, ...line }, year] },
      violations: { count: 0 },
    });
    const second = await own.do('figures', { taxYear: '2026-27', quarter: 2, source });
    const withoutCategory = { count: 1, expense: { amountPence: 8_050 } };
    expect(second).toMatchObject({ isFinal: false, businesses: { rows: [{ withoutCategory }, {}] } });
  });
});

test('a preview sums up all entries by source and category, and says what is new and which rules decide about nothing', async () => {
  const rules = [
    '"plumber" -> uk-property / repairsAndMaintenance',
    'description is "Plumber B" -> foreign-property / other',
    '"back" -> uk-property / refund of repairsAndMaintenance',
    'type is income -> uk-property / periodAmount',
  ];
  const rows = [
    ...['Date,Description,Amount,externalRef', '2026-05-11,Rent Smith,450,a', '2026-05-12,Plumber,-80.50,'],
    ...['2026-05-20,Plumber B,-20,', '2026-05-21,Back,5,'],
  ];
  const args = { rows: rows.join('\n'), source, rules: rules.join('\n') };
  const { categories, refunds, rules: used, unusedRules } = (await own.do('preview_rows', args)).summary;
  const rent = { amountPounds: '450.00', amountPence: 45_000, newCount: 0, newPence: 0 };
  expect([categories.count, categories.rows[0]]).toEqual([
    3,
    { source, type: 'income', category: 'periodAmount', count: 1, ...rent },
  ]);
  const back = { description: 'Back', refundOf: 'repairsAndMaintenance', amountPence: 500, newPence: 500 };
  expect(refunds).toMatchObject({ count: 1, rows: [back] });
  expect([used.count, used.rows[0]]).toEqual([3, { line: 1, text: rules[0], rows: 2 }]);
  expect(unusedRules.rows).toEqual([{ line: 2, text: rules[1], rows: 0, shadowedBy: [1] }]);
});

describe('a call that cannot be done', () => {
  const EUROS = 'Date,Money in (€)\n2026-05-11,1.00\n2026-05-12,2.00\n';
  test.each<[string, object, string]>([
    [
      'preview_rows',
      { rows: 'Date,Money in\n2026-05-11,1', source: 'Offshore' },
      `The sources are uk-property, `,
    ],
    ['preview_rows', { rows: 'Date,Money in\n2026-05-11,1' }, 'Give `source`'],
    ['preview_rows', { rows: 'Date,Money in\n01/02/2026,1', source }, 'The argument `dateFormat` settles it'],
    ['preview_rows', { rows: 'When,What\n1,2', source }, 'call again with an argument for each answer'],
    ['preview_rows', { rows: 'Date,Money in\n2026-05-11,1', source, categoryIncome: 'bribes' }, '"bribes"'],
    [
      'preview_rows',
      { rows: 'Date,Money in\n2026-05-11,1', source, rules: 'nonsense' },
      'Line 1 of the rules',
    ],
    ['preview_rows', { rows: EUROS, source }, 'The argument `rates` settles it'],
    ['preview_rows', { rows: EUROS, source, rates: 'month,currency,rate' }, 'have the column "rate"'],
    ['list_sources', { url: 'http://127.0.0.1:1' }, 'Unrecognized key: "url"'],
    ['search_entries', { limit: 201 }, 'limit'],
    ['search_entries', { from: '2026-02-30' }, 'from must be a real calendar date'],
    ['figures', { taxYear: '2026' }, 'such as 2026-27'],
    ['delete_entry', {}, 'not found'],
  ])('%s %j says how to mend it', async (tool, args, message) => {
    const { isError, value } = await own.call(tool, args);
    expect([isError, value]).toEqual([true, expect.stringContaining(message)]);
    expect(value).not.toMatch(/\n\s+at |node_modules/);
  });

  test.each(['unreachable', 'unexpected_response'] as const)(
    'because the service is not there (%s) says that no call can choose the address',
    (code) => {
      expect(messageOf(new LedgerError(code, 'No.'))).toStartWith(
        'No. The address is fixed when this server',
      );
    },
  );

  test('because of an unexpected failure shows nothing of the inside', () => {
    const message = 'The server failed unexpectedly. Try again: nothing is created twice.';
    expect(messageOf(new TypeError('sources.find is not a function'))).toBe(message);
  });

  test('because another service responds names the member that is wrong', async () => {
    await using proxy = await startProxy(() => ({ status: 200, body: '{"sources":{"id":1}}' }));
    await using own = await startAssistant(account.key, { env: { LEDGER_URL: proxy.url } });
    const { isError, value } = await own.call('list_sources');
    expect([isError, value]).toEqual([true, expect.stringContaining('/sources is missing or wrong')]);
  });

  test('at the limit of a minute does not wait for long, and says when to try again', async () => {
    const limited = { ...RATE_LIMITED, headers: { ...RATE_LIMITED.headers, 'retry-after': '59' } };
    await using proxy = await startProxy(() => limited);
    await using own = await startAssistant(account.key, { env: { LEDGER_URL: proxy.url } });
    for (const tool of ['list_sources', 'figures']) {
      const { isError, value } = await own.call(tool);
      expect([isError, value]).toEqual([true, expect.stringMatching(/this minute\. Try again in \d\d s/)]);
    }
    expect(proxy.requests).toHaveLength(2);
  });
});

describe('the key', () => {
  test('is in no result and in no error, although a file has it', async () => {
    const folder = newFolder();
    const { key } = account;
    writeFileSync(join(folder, 'header.csv'), `${key},b\n1,2\n`);
    writeFileSync(join(folder, 'row.csv'), `Date,Description,Money in\n2026-05-11,${key},1.00\n`);
    await using own = await startAssistant(key, { folder });
    const header = await own.call('preview_file', { path: 'header.csv', source });
    const row = await own.call('preview_file', { path: 'row.csv', source });
    expect([header.isError, row.isError]).toEqual([true, false]);
    for (const { text } of [header, row]) {
      expect(text).toContain('[API key]');
      expect(text).not.toContain(key.slice(0, 17));
    }
  });

  test('of a stored login is used as the command uses it', async () => {
    const config = newFolder();
    mkdirSync(join(config, 'bookkeeping-ledger'));
    const profiles = { landlord: { url: system.url, apiKey: account.key } };
    writeFileSync(join(config, 'bookkeeping-ledger/profiles.json'), JSON.stringify(profiles));
    const env = { LEDGER_API_KEY: '', LEDGER_PROFILE: 'landlord', XDG_CONFIG_HOME: config };
    await using own = await startAssistant('', { env });
    expect((await own.do('list_sources')).sources.count).toBe(3);
  });
});

describe('the program', () => {
  const start = (env: Record<string, string>, command = ['run', 'mcp'], cwd = ROOT) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...command], {
      cwd,
      env: { PATH: process.env.PATH, HOME: newFolder(), ...env },
    });
    return { exitCode, out: stdout.toString(), err: stderr.toString() };
  };

  test.each<[string, string[], Record<string, string>, string]>([
    ['without a key', [], { LEDGER_API_KEY: '' }, 'There is no API key'],
    ['without encryption', [], { LEDGER_URL: 'http://ledger.example' }, 'is not encrypted'],
    ['with a folder that does not exist', ['--folder', '/missing'], {}, '/missing is none'],
    ['with an option that does not exist', ['--key', 'x'], {}, "Unknown option '--key'"],
  ])('does not start %s', (_, args, env, message) => {
    const io = { env: { HOME: newFolder(), LEDGER_API_KEY: 'x', ...env }, execArgv: [], cwd: newFolder };
    expect(() => serverOptions(args, io)).toThrow(message);
  });

  test('takes nothing from a .env file of the current folder, and says on standard error why it does not start', () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, '.env'), 'LEDGER_URL=http://127.0.0.1:9\n');
    const command = [join(ROOT, 'clients/mcp/main.ts')];
    expect(start({ LEDGER_API_KEY: 'x' }, command, cwd)).toEqual({
      exitCode: 2,
      out: '',
      err: expect.stringMatching(/^ledger-mcp: Bun has read \.env[^\n]*\n$/),
    });
  });

  test('starts by its script, writes nothing but the protocol, answers a message that is too long with an error, and ends with its input', async () => {
    await using own = await startAssistant(account.key, { command: [process.execPath, 'run', 'mcp'] });
    const errors: Error[] = [];
    own.client.onerror = (error) => errors.push(error);
    expect((await own.do('list_sources')).sources.count).toBe(3);
    expect([errors, own.err()]).toEqual([[], '']);
    expect(start({ LEDGER_API_KEY: 'x' })).toEqual({ exitCode: 0, out: '', err: '' });
    // The server keeps its previews.
    const { token } = await own.do('preview_rows', { rows: 'Date,Money in\n2026-05-11,1', source });
    const paste = own.call('preview_rows', { rows: 'x'.repeat(11 * 2 ** 20), source });
    await expect(paste).rejects.toThrow('more than 8 MiB, and was not read');
    expect(await own.do('commit_preview', { token })).toMatchObject({ created: 1, isComplete: true });
  });

  test.each([
    ['{"jsonrpc":"2.0","id":"a\\"b","method":"x","params":{"id":7', '}}', '"a\\"b"'],
    ['{"method":"x","params":{"id":7', '},"jsonrpc":"2.0","id":5}', '5'],
    ['{"method":"x","params":{"a":{"id":7', ',"id":6}}}', 'null'],
  ])('names the request %s…%s by its own id', async (start, end, id) => {
    const answers: string[] = [];
    const lines = new BoundedLines((line) => answers.push(line));
    const short = '{"short":1}\n';
    const all = Buffer.from(`${short}${start},"x":"${'x'.repeat(9 * 2 ** 20)}"${end}\n${short}`);
    for (let at = 0; at < all.length; at += 65_536) lines.write(all.subarray(at, at + 65_536));
    lines.end();
    expect(await Array.fromAsync(lines, String)).toEqual([short, short]);
    expect(answers).toEqual([expect.stringContaining(`"id":${id},"error"`)]);
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
  });
});
