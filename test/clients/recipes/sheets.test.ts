/** The recipes for Google Sheets and Excel against the real service: what they write into the books, and back into the sheet. */
import { beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { batch, rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { RATE_LIMITED, startProxy } from '../proxy.ts';
import { type OfficeScriptRun, runOfficeScript } from './office-script.ts';
import { type Cell, column, day, HEADER, row, runAppsScript, SHEETS, type SheetRun } from './sheets.ts';

setDefaultTimeout(60_000);

let account: TestAccount;
beforeEach(async () => {
  account = await TestAccount.create();
});
const books = () => rowsOf(account.accountId);
const APRIL_6 = day('2026-04-06');
const KNOWN = 'Already in the books';

describe.each(SHEETS)('$name', (recipe) => {
  const run = (cells: Cell[][], options: Partial<SheetRun> = {}) =>
    recipe.run(account, { cells, ...options });
  const rent = () => [HEADER, row(APRIL_6, 'Rent', 950)];
  const three = () => [HEADER, ...[1, 2, 3].map((n) => row(APRIL_6, `Row ${n}`, n))];

  test('stores the rows that are selected and shown, and writes back; again, and with a change, it creates nothing', async () => {
    const cells = [
      HEADER,
      row(day('2026-06-01'), 'Rent', 950, { category: 'periodAmount' }),
      row(APRIL_6, '=HYPERLINK("http://x.example","x")', -0.1 - 0.2, { reference: 'own-1' }),
      row('2026-01-31', '', '£1,234.56', { type: 'Expense' }),
      row('', 'a note', ''),
      row(APRIL_6, 'hidden', 5),
      row(APRIL_6, 'not selected', 5),
    ];
    const selection: [number, number][] = [
      [1, 3],
      [4, 6],
    ];
    const first = await run(cells, { selection, hiddenRows: [6] });
    expect(first.report).toBe('3 created, 0 already in the books, 0 in conflict, 0 with problems.');
    expect(column(first, 'Ledger status')).toEqual(['Created', 'Created', 'Created', '', '', '']);
    const rows = await books();
    const written = (name: string) => column(first, name).slice(0, 3).sort();
    expect(rows.map(({ id }) => id).sort()).toEqual(written('Ledger id'));
    expect(rows.map(({ externalRef }) => String(externalRef)).sort()).toEqual(written('Reference'));
    const [hyperlink, note] = ['=HYPERLINK("http://x.example","x")', null];
    expect(rows).toMatchObject([
      { date: '2026-06-01', type: 'income', amountPence: 95_000, category: 'periodAmount' },
      { date: '2026-04-06', type: 'expense', amountPence: 30, description: hyperlink, category: null },
      { date: '2026-01-31', type: 'expense', amountPence: 123_456, description: note },
    ]);

    (first.cells[1] as Cell[])[3] = 951;
    const second = await run(first.cells, { selection, hiddenRows: [6] });
    const conflict = 'Conflict: the books have another amountPence';
    expect(column(second, 'Ledger status').slice(0, 3)).toEqual([conflict, KNOWN, KNOWN]);
    expect(column(second, 'Ledger id')).toEqual(column(first, 'Ledger id'));
    expect((await books()).map(({ amountPence }) => amountPence)).toEqual([95_000, 30, 123_456]);
  });

  test('adds the columns that a sheet lacks', async () => {
    const { cells } = await run([
      ['date ', 'AMOUNT'],
      [APRIL_6, 12.5],
    ]);
    expect(cells[0]).toEqual(['date ', 'AMOUNT', 'Reference', 'Ledger id', 'Ledger status']);
    const [externalRef, id] = cells[1]?.slice(2) ?? [];
    expect(await books()).toMatchObject([{ id, externalRef, amountPence: 1_250 }]);
  });

  test('names the rows with problems, and stores the others', async () => {
    const bad: [Cell[], RegExp][] = [
      [row('06/04/2026', 'text as a date', 1), /"06\/04\/2026" is not a date/],
      [row(recipe.noDate, 'the day that never was', 1), /is not a date/],
      [row(APRIL_6, 'too exact', 1.005), /1\.005 has more than two decimals/],
      [row(APRIL_6, 'zero', 0), /amount is zero/],
      [row(APRIL_6, 'two signs', -5, { type: 'expense' }), /sign .*Type both say/],
      [row(APRIL_6, 'x'.repeat(501), 1), /longer than 500/],
      [row('2026-02-30', 'no such day', 1), /Not sent: date .*calendar/],
      [row(APRIL_6, 'category', 1, { category: 'turnover' }), /category .*Accepted: periodAmount, /],
      [row(APRIL_6, 'reference', 1, { reference: 'r'.repeat(181) }), /Not sent: externalRef .*180/],
      [row(APRIL_6, 'copy', 1, { reference: 'twice' }), /rows 12 and 13 have the same reference/],
      [row(APRIL_6, 'copy', 1, { reference: 'twice' }), /rows 12 and 13 have the same reference/],
    ];
    const result = await run([HEADER, row(APRIL_6, 'good', 1), ...bad.map(([cells]) => cells)]);
    const statuses = column(result, 'Ledger status');
    expect(statuses[0]).toBe('Created');
    for (const [index, [, message]] of bad.entries()) expect(statuses[index + 1]).toMatch(message);
    expect(result.report).toStartWith('1 created, 0 already in the books, 0 in conflict, 10 with problems.');
    expect((await books()).map(({ description }) => description)).toEqual(['good']);
  });

  test('the run ends between a request and its response: the next one creates nothing twice', async () => {
    const ended = await run(three(), { meanwhile: 'the run ends' });
    for (const reference of column(ended, 'Reference')) expect(reference).toMatch(/^(gs|xl)-/);
    expect([column(ended, 'Ledger id'), (await books()).length]).toEqual([['', '', ''], 3]);
    const next = await run(ended.cells);
    expect(column(next, 'Ledger status')).toEqual(Array(3).fill(KNOWN));
    expect(await books()).toHaveLength(3);
  });

  test('rows that a person moves during the request get their own ids', async () => {
    const result = await run(three(), { meanwhile: 'a person turns the rows' });
    const ids = new Map((await books()).map(({ description, id }) => [description, id]));
    expect(column(result, 'Description')).toEqual(['Row 3', 'Row 2', 'Row 1']);
    expect(column(result, 'Ledger id')).toEqual(
      ['Row 3', 'Row 2', 'Row 1'].map((name) => ids.get(name) ?? ''),
    );
  });

  test('at most 500 rows in a request; a lost response and the limit of a minute: the request is sent again', async () => {
    const many = Array.from({ length: 501 }, (_, n) => row(APRIL_6, `Row ${n}`, n + 1));
    const actions = ['drop response', { ...RATE_LIMITED, headers: { 'Retry-After': '37' } }] as const;
    let posts = 0;
    await using proxy = await startProxy(({ method }) => (method === 'POST' && actions[posts++]) || 'pass');
    const result = await run([HEADER, ...many], { address: proxy.url });
    const bodies = proxy.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(bodies.map((body) => JSON.parse(body).length)).toEqual([500, 500, 500, 1]);
    expect([new Set(bodies).size, result.pausesMs]).toEqual([2, [1_000, 37_000]]);
    expect(new Set(column(result, 'Ledger status'))).toEqual(new Set([KNOWN, 'Created']));
    expect(await books()).toHaveLength(501);
  });

  test('a service that is lost: after five more attempts it says what to do', async () => {
    await using proxy = await startProxy(({ method }) => (method === 'POST' ? 'drop request' : 'pass'));
    const result = await run(three(), { address: proxy.url });
    expect(result.pausesMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(result.report).toMatch(
      /3 rows were not sent: The service cannot be reached.*Push them again later/,
    );
    expect(column(result, 'Ledger status')).toEqual(Array(3).fill('Not confirmed: push again'));
  });

  test('at the cap of the day it stores what fits, known rows included', async () => {
    for (let n = 0; n < 10; n++) await account.post(batch(`day-${n}`, n === 9 ? 498 : 500));
    const cells = [HEADER, row(APRIL_6, 'known', 1, { reference: 'day-0-0' })];
    for (let n = 0; n < 5; n++) cells.push(row(APRIL_6, `new ${n}`, n + 1));
    const result = await run(cells);
    expect(result.report).toMatch(
      /^2 created, 0 already .*, 1 in conflict.*3 rows were not sent: .*24 hours/s,
    );
    expect(column(result, 'Ledger status').slice(3)).toEqual(Array(3).fill('Not confirmed: push again'));
    expect(await books()).toHaveLength(5_000);
  });

  test.each<[string, Partial<SheetRun>, RegExp]>([
    ['a key that the service rejects', { key: 'ledger_live_no' }, /key/],
    ['another server', { address: 'http://127.0.0.1:1' }, /cannot be reached/],
    ['no such column', { cells: [['When', 'Amount'], rent()[1] ?? []] }, /Row 1 must name .*Date/],
    ['no row selected', { selection: [[1, 1]] }, /Select rows/],
  ])('%s is one sentence, and nothing is sent', async (_, options, message) => {
    const { report } = await run(rent(), options);
    expect(report).toMatch(message);
    expect(await books()).toEqual([]);
  });
});

describe('Google Sheets alone', () => {
  const run = (options: Partial<Parameters<typeof runAppsScript>[1]>) =>
    runAppsScript(account, { cells: [HEADER, row(day('2026-06-01'), '', 1)], ...options });

  test.each(['America/Los_Angeles', 'Pacific/Kiritimati'])(
    'stores the day that the sheet shows in %s',
    async (timeZone) => {
      await run({ timeZone });
      expect((await books()).map(({ date }) => date)).toEqual(['2026-06-01']);
    },
  );

  test('when its 6 minutes are nearly over it says how many rows are left', async () => {
    const many = Array.from({ length: 501 }, (_, n) => row(APRIL_6, `Row ${n}`, n + 1));
    const { report } = await run({ cells: [HEADER, ...many], requestMs: 300_000 });
    expect(report).toMatch(/^500 created.*1 rows were not sent: The time of one run is over\./s);
  });

  test('keeps a key that works, in the properties of the user only', async () => {
    const nothing = { call: 'setConnection', userProperties: {}, documentProperties: {} };
    const url = 'https://ledger.example';
    const stored = await run({ ...nothing, answers: [`${url}/api/v1/`, account.key] });
    expect(stored.userProperties).toEqual({ LEDGER_URL: url, LEDGER_API_KEY: account.key });
    expect([stored.documentProperties, JSON.stringify(stored.cells).includes(account.key)]).toEqual([
      {},
      false,
    ]);
    for (const answers of [['http://ledger.example'], [url, 'ledger_live_wrong'], [null]])
      expect((await run({ ...nothing, answers })).userProperties).toEqual({});
    const forgotten = await run({ call: 'forgetConnection' });
    expect(forgotten.userProperties.LEDGER_API_KEY).toBeUndefined();
  });

  test('without a key or a source it sends nothing; a source is chosen for the sheet', async () => {
    expect((await run({ userProperties: {} })).report).toMatch(/Set address and key first/);
    expect((await run({ documentProperties: {} })).report).toMatch(/Choose the source/);
    const { sources } = (await account.get('/api/v1/sources')).body;
    const choose = { call: 'chooseSource', documentProperties: {} };
    const chosen = await run({ ...choose, answers: ['2'] });
    expect(chosen.documentProperties).toEqual({ 'source of sheet 0': sources[1].id });
    const wrong = await run({ ...choose, answers: ['9'] });
    expect([wrong.documentProperties, wrong.report]).toEqual([{}, 'There is no source with the number 9.']);
  });
});

describe('Excel alone', () => {
  const run = (options: Partial<OfficeScriptRun> = {}) =>
    runOfficeScript({
      ...{ cells: [HEADER, row(APRIL_6, '', 1)], selection: [[2, 2]] },
      ...{ key: account.key, source: 'uk-property', address: system.url, ...options },
    });

  test('a number in a cell that is not formatted as a date is none; the source may be named', async () => {
    for (const dateFormat of ['General', '0.00', '[Red]0', '"day" 0'])
      expect(column(await run({ dateFormat }), 'Ledger status')[0]).toMatch(/is not a date/);
    await run({ dateFormat: '[$-809]d mmmm yyyy;@' });
    expect((await books()).map(({ date }) => date)).toEqual(['2026-04-06']);
  });

  test('an unknown source and an address without TLS are refused', async () => {
    const unknown = await run({ source: 'Nowhere' });
    expect(unknown.report).toMatch(/Name one of these sources, or its id: .*uk-property \(/);
    expect((await run({ url: 'http://ledger.example' })).report).toMatch(/must be https/);
    expect(await books()).toEqual([]);
  });
});
