/** The recipes for Google Sheets and Excel against the real service: what they write into the books, and back into the sheet. */
import { beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { batch, rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { RATE_LIMITED, startProxy } from '../proxy.ts';
import { type Cell, newRun, type Run, runExcel, runGoogle, SERVICE } from './sheets.ts';

setDefaultTimeout(60_000);

let account: TestAccount;
beforeEach(async () => {
  account = await TestAccount.create();
});
const books = () => rowsOf(account.accountId);
const KNOWN = 'Already in the books';
const UNCONFIRMED = 'Not confirmed: push again';
const APRIL_6 = '2026-04-06';

const HEADER = 'Date,Description,Type,Amount,Category,Reference,Ledger id,Ledger status'.split(',');
/** A row, with its type, category and reference if it has them. */
const row = (
  date: Cell,
  description: string,
  amount: Cell,
  ...[type = 'income', category = '', ref = '']: string[]
) => [date, description, type, amount, category, ref, '', ''] as Cell[];
const rows = (count: number) => [
  HEADER,
  ...Array.from({ length: count }, (_, n) => row(APRIL_6, `Row ${n + 1}`, n + 1)),
];
const column = ({ cells: [header = [], ...others] }: Run, name: string) =>
  others.map((each) => String(each[header.indexOf(name)] ?? ''));

/** A day of the summer, and what the product takes for a date and is none. Google keeps midnight in the time zone of the spreadsheet. */
describe.each([
  [
    'Google Sheets',
    runGoogle,
    (date: string): Cell => new Date(`${date}T00:00+01:00`),
    new Date('1899-12-30'),
  ],
  ['Excel', runExcel, (date: string): Cell => Date.parse(date) / 86_400_000 + 25_569, 60],
] as const)('%s', (_, runScript, day, noDate) => {
  async function run(cells: Cell[][], options?: Partial<Run>) {
    const started = newRun(account.key, account.sources['uk-property'], cells, options);
    await runScript(started);
    return started;
  }

  test('stores the rows that are selected and shown, and writes back; again, and with a change, it creates nothing', async () => {
    const formula = '=HYPERLINK("http://x.example","x")';
    const cells = [
      HEADER,
      row(day('2026-06-01'), 'Rent', 950, 'income', 'periodAmount'),
      row(day(APRIL_6), formula, 0.1 + 0.2, 'expense', '', 'own-1'),
      row('2026-01-31', '', '£1,234.56', 'Expense'),
      row('', 'a note', ''),
      row(APRIL_6, 'hidden', 5),
      row(APRIL_6, 'not selected', 5),
    ];
    const options: Partial<Run> = {
      selection: [
        [1, 3],
        [4, 6],
      ],
      hiddenRows: [6],
    };
    const first = await run(cells, options);
    expect(first.report).toBe('3 created, 0 already in the books, 0 in conflict, 0 with problems.');
    expect(column(first, 'Ledger status')).toEqual(['Created', 'Created', 'Created', '', '', '']);
    const stored = await books();
    const [ids, references] = [
      column(first, 'Ledger id').slice(0, 3),
      column(first, 'Reference').slice(0, 3),
    ];
    expect(stored.map(({ id }) => id)).toEqual(ids);
    expect(stored.map(({ externalRef }) => externalRef)).toEqual(references);
    expect(references[1]).toBe('own-1');
    expect(stored).toMatchObject([
      { date: '2026-06-01', type: 'income', amountPence: 95_000, category: 'periodAmount' },
      { date: APRIL_6, type: 'expense', amountPence: 30, description: formula, category: null },
      { date: '2026-01-31', type: 'expense', amountPence: 123_456, description: null },
    ]);

    (cells[1] as Cell[])[3] = 951;
    const second = await run(cells, options);
    const conflict = 'Conflict: the books have another amountPence';
    expect(column(second, 'Ledger status').slice(0, 3)).toEqual([conflict, KNOWN, KNOWN]);
    expect(column(second, 'Ledger id').slice(0, 3)).toEqual(ids);
    expect(await books()).toEqual(stored);
  });

  test('adds the columns that a sheet lacks', async () => {
    const { cells } = await run([
      ['date ', 'AMOUNT', 'type'],
      [APRIL_6, 12.5, 'income'],
    ]);
    expect(cells[0]).toEqual(['date ', 'AMOUNT', 'type', 'Reference', 'Ledger id', 'Ledger status']);
    const [externalRef, id] = cells[1]?.slice(3) ?? [];
    expect(await books()).toMatchObject([{ id, externalRef, amountPence: 1_250 }]);
  });

  test('names the rows with problems, and stores the others', async () => {
    const bad: [Cell[], RegExp][] = [
      [row('06/04/2026', 'text as a date', 1), /"06\/04\/2026" is not a date/],
      [row(noDate, 'the day that never was', 1), /is not a date|1899-12-30 is before 2000/],
      [row(APRIL_6, 'too exact', 1.005), /1\.005 has more than two decimals/],
      [row(APRIL_6, 'zero', 0), /amount is zero/],
      [row(APRIL_6, 'a sign', -5, 'expense'), /"-5" is not an amount in pounds without a sign/],
      [row(APRIL_6, 'no type', 5, 'transfer'), /Type must be income or expense/],
      [row(APRIL_6, 'x'.repeat(501), 1), /longer than 500/],
      [row('2026-02-30', 'no such day', 1), /Not sent: date .*calendar/],
      [row(APRIL_6, 'category', 1, 'income', 'turnover'), /category .*Accepted: periodAmount, /],
      [row(APRIL_6, 'reference', 1, 'income', '', 'r'.repeat(181)), /Not sent: externalRef .*180/],
      [row(APRIL_6, 'copy', 1, 'income', '', 'twice'), /rows 13 and 14 have the same reference/],
      [row(APRIL_6, 'copy', 1, 'income', '', 'twice'), /rows 13 and 14 have the same reference/],
    ];
    const result = await run([HEADER, row(APRIL_6, 'good', 1), ...bad.map(([cells]) => cells)]);
    const statuses = column(result, 'Ledger status');
    expect(statuses[0]).toBe('Created');
    for (const [index, [, message]] of bad.entries()) expect(statuses[index + 1]).toMatch(message);
    expect(result.report).toStartWith('1 created, 0 already in the books, 0 in conflict, 11 with problems.');
    expect((await books()).map(({ description }) => description)).toEqual(['good']);
  });

  test('the references are saved before the request: if the run ends then, the next one creates nothing twice', async () => {
    const saved: Cell[][] = [];
    const first = newRun(account.key, account.sources['uk-property'], rows(3));
    await runScript(Object.assign(first, { onPush: () => saved.push(...first.saved) }));
    const next = await run(saved);
    expect(column(next, 'Ledger status')).toEqual(Array(3).fill(KNOWN));
    for (const reference of column(next, 'Reference')) expect(reference).toMatch(/^(gs|xl)-.{20}/);
    expect(await books()).toHaveLength(3);
  });

  test('rows that a person moves during the request get their own ids', async () => {
    const cells = rows(3);
    const moved = await run(cells, { onPush: () => cells.push(...cells.splice(1, 3).reverse()) });
    const ids = new Map((await books()).map(({ description, id }) => [String(description), id]));
    expect(column(moved, 'Description')).toEqual(['Row 3', 'Row 2', 'Row 1']);
    expect(column(moved, 'Ledger id')).toEqual(
      ['Row 3', 'Row 2', 'Row 1'].map((name) => ids.get(name) ?? ''),
    );
  });

  test('at most 500 rows in a request; a lost response and the limit of a minute: the request is sent again', async () => {
    const actions = ['drop response', { ...RATE_LIMITED, headers: { 'Retry-After': '37' } }] as const;
    let posts = 0;
    await using proxy = await startProxy(({ method }) => (method === 'POST' && actions[posts++]) || 'pass');
    const result = await run(rows(501), { address: proxy.url });
    const bodies = proxy.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(bodies.map((body) => JSON.parse(body).length)).toEqual([500, 500, 500, 1]);
    expect([new Set(bodies).size, result.pausesMs]).toEqual([2, [1_000, 37_000]]);
    expect(new Set(column(result, 'Ledger status'))).toEqual(new Set([KNOWN, 'Created']));
    expect(await books()).toHaveLength(501);
  });

  test('a service that is lost: after five more attempts it says what to do', async () => {
    await using proxy = await startProxy(({ method }) => (method === 'POST' ? 'drop request' : 'pass'));
    const result = await run(rows(3), { address: proxy.url });
    expect(result.pausesMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(result.report).toMatch(
      /3 rows are not confirmed: The service cannot be reached.*Push them again later/,
    );
    expect(column(result, 'Ledger status')).toEqual(Array(3).fill(UNCONFIRMED));
  });

  test('at the cap of the day it stores what fits, known rows included', async () => {
    for (let n = 0; n < 10; n++) await account.post(batch(`day-${n}`, n === 9 ? 498 : 500));
    const result = await run([
      ...rows(0),
      row(APRIL_6, 'known', 1, 'income', '', 'day-0-0'),
      ...rows(5).slice(1),
    ]);
    expect(result.report).toMatch(
      /^2 created, 0 already .*, 1 in conflict.*3 rows are not confirmed: .*24 hours/s,
    );
    expect(column(result, 'Ledger status').slice(3)).toEqual(Array(3).fill(UNCONFIRMED));
    expect(await books()).toHaveLength(5_000);
  });

  test.each<[string, Partial<Run>, RegExp]>([
    [
      'a key that the service rejects',
      { key: 'ledger_live_no', ofUser: { LEDGER_URL: SERVICE, LEDGER_API_KEY: 'ledger_live_no' } },
      /key/,
    ],
    ['another server', { address: 'http://127.0.0.1:1' }, /cannot be reached/],
    [
      'no such column',
      {
        cells: [
          ['Notes', 'Amount'],
          [APRIL_6, 1],
        ],
      },
      /Row 1 must name .*Date/,
    ],
    ['no row selected', { selection: [[1, 1]] }, /Select rows/],
  ])('%s is one sentence, and nothing is sent', async (_, options, message) => {
    expect((await run(rows(1), options)).report).toMatch(message);
    expect(await books()).toEqual([]);
  });

  test('a redirect is an error, and the key goes nowhere', async () => {
    await using other = await startProxy();
    await using proxy = await startProxy(() => ({ status: 302, headers: { location: other.url }, body: '' }));
    expect((await run(rows(1), { address: proxy.url })).report).toMatch(
      /is not one of the API|cannot be reached/,
    );
    expect(other.requests).toEqual([]);
  });
});

describe('Google Sheets alone', () => {
  async function run(options: Partial<Run>, call?: string) {
    const started = newRun(account.key, account.sources['uk-property'], rows(1), options);
    await runGoogle(started, call);
    return started;
  }

  test.each([
    ['America/Los_Angeles', '2026-06-01T00:00-07:00'],
    ['Pacific/Kiritimati', '2026-06-01T00:00+14:00'],
  ])('stores the day that the sheet shows in %s', async (timeZone, midnight) => {
    await run({ timeZone, cells: [HEADER, row(new Date(midnight), '', 1)] });
    expect((await books()).map(({ date }) => date)).toEqual(['2026-06-01']);
  });

  test('when its 6 minutes are nearly over it says how many rows are left', async () => {
    const long = newRun(account.key, account.sources['uk-property'], rows(501));
    await runGoogle(Object.assign(long, { onPush: () => Object.assign(long, { lateMs: 300_000 }) }));
    expect(long.report).toMatch(/^500 created.*1 rows are not confirmed: The time of one run is over\./s);
  });

  test('keeps a key that works, in the properties of the user only', async () => {
    const answered = (...answers: string[]) => run({ answers, ofUser: {}, ofDocument: {} }, 'setConnection');
    const stored = await answered(`${SERVICE}/api/v1/`, account.key);
    expect(stored.ofUser).toEqual({ LEDGER_URL: SERVICE, LEDGER_API_KEY: account.key });
    expect([stored.ofDocument, stored.cells]).toEqual([{}, rows(1)]);
    for (const answers of [['http://ledger.example'], [SERVICE, 'ledger_live_wrong'], []])
      expect((await answered(...answers)).ofUser).toEqual({});
    expect((await run({}, 'forgetConnection')).ofUser).toEqual({ LEDGER_URL: SERVICE });
  });

  test('without a key or a source it sends nothing; a source is chosen for the sheet', async () => {
    expect((await run({ ofUser: {} })).report).toMatch(/Set address and key first/);
    expect((await run({ ofDocument: {} })).report).toMatch(/Choose the source/);
    const choose = (answer: string) => run({ answers: [answer], ofDocument: {} }, 'chooseSource');
    const { sources } = (await account.get('/api/v1/sources')).body;
    expect((await choose('2')).ofDocument).toEqual({ 'source of sheet 0': sources[1].id });
    const wrong = { ofDocument: {}, report: 'There is no source with the number 9.' };
    expect(await choose('9')).toMatchObject(wrong);
  });
});

describe('Excel alone', () => {
  async function run(options: Partial<Run>, url?: string) {
    const started = newRun(account.key, 'uk-property', [HEADER, row(46_118, '', 1)], options);
    await runExcel(started, url);
    return started;
  }

  test('a number in a cell that is not formatted as a date is none; the source may be named', async () => {
    for (const dateFormat of ['General', '0.00', '[Red]0', '"day" 0'])
      expect(column(await run({ dateFormat }), 'Ledger status')[0]).toMatch(/is not a date/);
    await run({ dateFormat: '[$-809]d mmmm yyyy;@' });
    expect((await books()).map(({ date }) => date)).toEqual([APRIL_6]);
  });

  test('an unknown source and an address without TLS are refused', async () => {
    const unknown = await run({ source: 'Nowhere' });
    expect(unknown.report).toMatch(/Name one of these sources, or its id: .*uk-property \(/);
    expect((await run({}, 'http://ledger.example')).report).toMatch(/must be https/);
    expect(await books()).toEqual([]);
  });
});
