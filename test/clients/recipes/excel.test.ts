/** The Office Script of the Excel recipe against the real service: what it writes into the books, and back into the sheet. */
import { beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import ts from 'typescript';
import { batch, rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { until } from '../../fixtures/until.ts';
import { RATE_LIMITED, startProxy } from '../proxy.ts';
import { HEADER } from './columns.ts';
import { runOfficeScript, SCRIPT, type ScriptRun } from './office-script.ts';

setDefaultTimeout(60_000);

type Cells = ExcelScript.Cell[][];
/** 2026-04-06, as Excel counts days. */
const APRIL_6 = 46_118;

let account: TestAccount;
beforeEach(async () => {
  account = await TestAccount.create();
});

const row = (
  date: string | number,
  description: string,
  amount: string | number,
  { type = '', category = '', reference = '' } = {},
) => [date, description, type, amount, category, reference, '', ''];
const run = (cells: Cells, options: Partial<ScriptRun> = {}) =>
  runOfficeScript({ cells, key: account.key, source: 'uk-property', ...options });
const column = (cells: Cells, name: string) => {
  const [header = [], ...rows] = cells;
  return rows.map((each) => each[header.indexOf(name)] ?? '');
};
const books = () => rowsOf(account.accountId);

describe('a push', () => {
  const sheet = (): Cells => [
    HEADER,
    row(46_174.75, 'Rent', 950, { category: 'periodAmount' }),
    row(APRIL_6, '=HYPERLINK("http://x.example","x")', -0.1 - 0.2, { reference: 'own-1' }),
    row('2026-01-31', '', '£1,234.56', { type: 'Expense' }),
    row('', 'a note', ''),
    row(APRIL_6, 'hidden', 5),
    row(APRIL_6, 'not selected', 5),
  ];

  test('stores the selected rows, and writes references, ids and statuses back; again, it changes nothing', async () => {
    const cells = sheet();
    const options: Partial<ScriptRun> = {
      selection: [
        [1, 3],
        [4, 6],
      ],
      hiddenRows: [6],
    };
    expect((await run(cells, options)).log).toEqual([
      '3 created, 0 already in the books, 0 in conflict, 0 with problems.',
    ]);
    expect(column(cells, 'Ledger status')).toEqual(['Created', 'Created', 'Created', '', '', '']);
    const rows = await books();
    const written = (name: string) => column(cells, name).slice(0, 3).map(String).sort();
    expect(rows.map(({ id }) => id).sort()).toEqual(written('Ledger id'));
    expect(rows.map(({ externalRef }) => String(externalRef)).sort()).toEqual(written('Reference'));
    expect(rows).toMatchObject([
      {
        date: '2026-06-01',
        type: 'income',
        amountPence: 95_000,
        category: 'periodAmount',
        description: 'Rent',
      },
      {
        date: '2026-04-06',
        type: 'expense',
        amountPence: 30,
        description: '=HYPERLINK("http://x.example","x")',
      },
      { date: '2026-01-31', type: 'expense', amountPence: 123_456, description: null, category: null },
    ]);

    await run(cells, options);
    expect(column(cells, 'Ledger status').slice(0, 3)).toEqual(Array(3).fill('Already in the books'));
    expect(await books()).toHaveLength(3);
  });

  test('adds the columns that a sheet lacks, and finds the source by its id', async () => {
    const cells: Cells = [
      ['date ', 'AMOUNT'],
      [APRIL_6, 12.5],
    ];
    await run(cells, { source: account.sources['self-employment'] });
    expect(cells[0]).toEqual(['date ', 'AMOUNT', 'Reference', 'Ledger id', 'Ledger status']);
    expect(await books()).toMatchObject([
      { id: cells[1]?.[3], externalRef: cells[1]?.[2], amountPence: 1_250 },
    ]);
  });

  test('sends at most 500 rows in a request', async () => {
    const cells: Cells = [
      HEADER,
      ...Array.from({ length: 1_001 }, (_, n) => row(APRIL_6, `Row ${n}`, n + 1)),
    ];
    await using proxy = await startProxy();
    await run(cells, { url: proxy.url });
    const posts = proxy.requests.filter(({ method }) => method === 'POST');
    expect(posts.map(({ body }) => JSON.parse(body).length)).toEqual([500, 500, 1]);
    expect(new Set(column(cells, 'Reference')).size).toBe(1_001);
    expect(await books()).toHaveLength(1_001);
  });

  test('the browser is closed after the request: the next push creates nothing twice', async () => {
    const cells = sheet();
    void run(cells, {
      onResponse: async () => ((await books()).length > 0 ? new Promise(() => {}) : undefined),
    });
    await until('the rows are stored', async () => (await books()).length > 0);
    await Bun.sleep(50);
    expect([column(cells, 'Ledger id')[0], column(cells, 'Reference')[0]]).toEqual([
      '',
      expect.stringMatching(/^xl-/),
    ]);
    const stored = (await books()).length;
    await run(cells);
    expect(column(cells, 'Ledger status')[0]).toBe('Already in the books');
    expect(await books()).toHaveLength(stored);
  });

  test('a lost response and the limit of a minute: it sends the request again', async () => {
    const cells = sheet();
    await using proxy = await startProxy((_, n) =>
      n === 2 ? 'drop response' : n === 3 ? RATE_LIMITED : 'pass',
    );
    const { pausesMs } = await run(cells, { url: proxy.url, selection: [[2, 4]] });
    expect(pausesMs).toEqual([1_000, 1_000]);
    expect(column(cells, 'Ledger status').slice(0, 3)).toEqual(Array(3).fill('Already in the books'));
    expect(await books()).toHaveLength(3);
  });

  test('rows that a person moves during the request get their own ids', async () => {
    const cells: Cells = [HEADER, row(APRIL_6, 'first', 1), row(APRIL_6, 'second', 2)];
    const turn = (live: Cells) => void live.splice(1, 2, ...live.slice(1).reverse());
    await run(cells, { onResponse: async (live) => ((await books()).length > 0 ? turn(live) : undefined) });
    const ids = new Map((await books()).map(({ description, id }) => [description, id]));
    expect(column(cells, 'Description')).toEqual(['second', 'first']);
    expect(column(cells, 'Ledger id')).toEqual([ids.get('second') ?? '', ids.get('first') ?? '']);
  });

  test('at the cap of the day it stores what fits', async () => {
    for (let n = 0; n < 10; n++) await account.post(batch(`day-${n}`, n === 9 ? 498 : 500));
    const cells: Cells = [HEADER, ...Array.from({ length: 5 }, (_, n) => row(APRIL_6, `new ${n}`, n + 1))];
    const { log } = await run(cells);
    expect(log[0]).toMatch(/^2 created.* 3 rows were not sent: .*24 hours/);
    expect(await books()).toHaveLength(5_000);
  });
});

describe('rows with problems', () => {
  test('are named, and the others are stored', async () => {
    const cells: Cells = [
      HEADER,
      row(APRIL_6, 'good', 1),
      row('06/04/2026', 'text as a date', 1),
      row(60, 'the day that never was', 1),
      row(APRIL_6, 'too exact', 1.005),
      row(APRIL_6, 'two signs', -5, { type: 'expense' }),
      row('2026-02-30', 'no such day', 1),
      row(APRIL_6, 'category', 1, { category: 'turnover' }),
      row(APRIL_6, 'copy', 1, { reference: 'twice' }),
      row(APRIL_6, 'copy', 1, { reference: 'twice' }),
    ];
    await run(cells);
    const expected = [
      /^Created$/,
      /"06\/04\/2026" is not a date/,
      /"60" is not a date/,
      /1\.005 has more than two decimals/,
      /sign and the Type/,
      /Not sent: date .*calendar/,
      /Not sent: category .*Accepted: periodAmount, /,
      /rows 9 and 10 have the same reference/,
      /rows 9 and 10 have the same reference/,
    ];
    const statuses = column(cells, 'Ledger status').map(String);
    for (const [index, pattern] of expected.entries()) expect(statuses[index]).toMatch(pattern);
    expect((await books()).map(({ description }) => description)).toEqual(['good']);
  });

  test('a number in a cell that is not formatted as a date is none', async () => {
    for (const dateFormat of ['General', '0.00', '[Red]0', '"day" 0']) {
      const cells: Cells = [HEADER, row(APRIL_6, '', 1)];
      await run(cells, { dateFormat });
      expect(column(cells, 'Ledger status')[0]).toMatch(/is not a date/);
    }
    const cells: Cells = [HEADER, row(APRIL_6, '', 1)];
    await run(cells, { dateFormat: '[$-809]d mmmm yyyy;@' });
    expect((await books()).map(({ date }) => date)).toEqual(['2026-04-06']);
  });

  test('a changed row is a conflict, and the books stay', async () => {
    const cells: Cells = [HEADER, row(APRIL_6, 'Rent', 950)];
    await run(cells);
    (cells[1] as ExcelScript.Cell[])[3] = 951;
    await run(cells);
    expect(column(cells, 'Ledger status')).toEqual(['Conflict: the books have another amountPence']);
  });

  test.each([
    ['a wrong key', { key: 'ledger_live_wrong' }, /key/],
    ['an unknown source', { source: 'Nowhere' }, /Name one of these sources, or its id: .*uk-property \(/],
    ['a URL without TLS', { address: 'http://ledger.example' }, /must be https/],
    ['no service', { url: 'http://127.0.0.1:1' }, /cannot be reached/],
    ['nothing selected', { selection: [[1, 1]] as [number, number][] }, /Select rows/],
  ])('%s is an error, and nothing is sent', async (_, options, message) => {
    await expect(run([HEADER, row(APRIL_6, '', 1)], options)).rejects.toThrow(message);
    expect(await books()).toEqual([]);
  });
});

test('the script compiles as Office Scripts demand: strict, ES2017, without any', () => {
  const program = ts.createProgram([SCRIPT, join(import.meta.dir, 'excel-script.d.ts')], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2017,
    lib: ['lib.es2017.d.ts', 'lib.dom.d.ts'],
    types: [],
  });
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  expect(problems).toEqual([]);
  const source = program.getSourceFile(SCRIPT)?.text ?? '';
  expect(source).not.toMatch(/\bany\b(?=[\])>,;=]|$)|function\*|\.sort\(|\beval\b/);
});
