/** The Google Sheets recipe against the real service: what it writes into the books, and back into the sheet. */
import { beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { startProxy } from '../proxy.ts';
import { HEADER } from './columns.ts';
import { again, column, day, row, runSheet } from './google-sheets.ts';

setDefaultTimeout(60_000);

let account: TestAccount;
beforeEach(async () => {
  account = await TestAccount.create();
});
const run = (options: Parameters<typeof runSheet>[1]) => runSheet(account, options);
const books = () => rowsOf(account.accountId);

const UUID = /^[0-9a-f-]{36}$/;

describe('a push', () => {
  const cells = [
    HEADER,
    row(day('2026-06-01'), 'Rent', 950, { category: 'periodAmount' }),
    row(day('2026-01-31'), '=HYPERLINK("http://x.example";"x")', -0.3, { reference: 'own-1' }),
    row('2026-04-06', '', '£1,234.56', { type: 'Expense' }),
    row('', 'a note', ''),
    row(day('2026-04-07'), 'not selected', 5),
  ];

  test('stores the selected rows, and writes references, ids and statuses back', async () => {
    const result = await run({
      cells,
      selection: [
        [1, 3],
        [4, 5],
      ],
    });
    expect(result.alerts).toEqual(['3 created, 0 already in the books, 0 in conflict, 0 with problems.']);
    expect(column(result, 'Ledger status')).toEqual(['Created', 'Created', 'Created', '', '']);
    const rows = await books();
    expect(rows.map(({ id }) => id).sort()).toEqual(
      column(result, 'Ledger id').slice(0, 3).map(String).sort(),
    );
    expect(rows.map(({ externalRef }) => externalRef).sort()).toEqual(
      column(result, 'Reference').slice(0, 3).map(String).sort(),
    );
    expect(rows).toEqual([
      expect.objectContaining({
        date: '2026-06-01',
        type: 'income',
        amountPence: 95_000,
        category: 'periodAmount',
      }),
      expect.objectContaining({
        date: '2026-04-06',
        type: 'expense',
        amountPence: 123_456,
        description: null,
      }),
      expect.objectContaining({
        date: '2026-01-31',
        type: 'expense',
        amountPence: 30,
        description: '=HYPERLINK("http://x.example";"x")',
        externalRef: 'own-1',
        category: null,
      }),
    ]);
  });

  test('is repeated without a change', async () => {
    const first = await run({ cells, selection: [[2, 4]] });
    const second = await run({ cells: again(first), selection: [[2, 4]] });
    expect(column(second, 'Ledger status').slice(0, 3)).toEqual(Array(3).fill('Already in the books'));
    expect(column(second, 'Ledger id')).toEqual(column(first, 'Ledger id'));
    expect(await books()).toHaveLength(3);
  });

  test.each(['America/Los_Angeles', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Europe/London'])(
    'stores the day that the sheet shows in %s',
    async (timeZone) => {
      await run({ cells: [HEADER, row(day('2026-06-01'), '', 1)], timeZone });
      expect((await books()).map(({ date }) => date)).toEqual(['2026-06-01']);
    },
  );

  test('adds the columns that a sheet lacks', async () => {
    const result = await run({
      cells: [
        ['date ', 'AMOUNT'],
        [day('2026-04-06'), 12.5],
      ],
    });
    expect(result.cells[0]).toEqual(['date ', 'AMOUNT', 'Reference', 'Ledger id', 'Ledger status']);
    expect(column(result, 'Ledger id')[0]).toMatch(UUID);
    expect(await books()).toHaveLength(1);
  });

  test('leaves out rows that a filter hides', async () => {
    const filtered = [HEADER, row(day('2026-04-06'), 'shown', 1), row(day('2026-04-06'), 'hidden', 2)];
    await run({ cells: filtered, hiddenRows: [3] });
    expect((await books()).map(({ description }) => description)).toEqual(['shown']);
  });

  test('sends at most 500 rows in a request', async () => {
    const many = Array.from({ length: 1_001 }, (_, n) => row('2026-04-06', `Row ${n}`, n + 1));
    await using proxy = await startProxy();
    const result = await run({ cells: [HEADER, ...many], address: proxy.url });
    expect(proxy.requests.map(({ body }) => JSON.parse(body).length)).toEqual([500, 500, 1]);
    expect(new Set(column(result, 'Ledger status'))).toEqual(new Set(['Created']));
    expect(await books()).toHaveLength(1_001);
  });
});

describe('rows with problems', () => {
  test('are named, and the others are stored', async () => {
    const result = await run({
      cells: [
        HEADER,
        row(day('2026-04-06'), 'good', 1),
        row('06/04/2026', 'text as a date', 1),
        row(day('1899-12-30'), 'a time without a date', 1),
        row(day('2026-04-06'), 'too exact', 1.005),
        row(day('2026-04-06'), 'zero', 0),
        row(day('2026-04-06'), 'two signs', -5, { type: 'expense' }),
        row(day('2026-04-06'), 'x'.repeat(501), 1),
        row('2026-02-30', 'no such day', 1),
        row(day('2026-04-06'), 'category', 1, { category: 'turnover' }),
        row(day('2026-04-06'), 'reference', 1, { reference: 'r'.repeat(181) }),
        row(day('2026-04-06'), 'good too', 2),
      ],
    });
    const [first, ...statuses] = column(result, 'Ledger status').map(String);
    expect([first, statuses.pop()]).toEqual(['Created', 'Created']);
    const expected = [
      /"06\/04\/2026" is not a date of Sheets/,
      /"1899-12-30" is not a date of Sheets/,
      /1\.005 has more than two decimals/,
      /amount is zero/,
      /sign of the amount and the Type/,
      /longer than 500/,
      /Not sent: date .*calendar/,
      /Not sent: category .*Accepted: periodAmount, /,
      /Not sent: externalRef .*180/,
    ];
    for (const [index, pattern] of expected.entries()) expect(statuses[index]).toMatch(pattern);
    expect(result.alerts[0]).toStartWith(
      '2 created, 0 already in the books, 0 in conflict, 9 with problems.',
    );
    expect((await books()).map(({ description }) => description)).toEqual(['good too', 'good']);
  });

  test('a copied row is not sent before it has a reference of its own', async () => {
    const first = await run({ cells: [HEADER, row(day('2026-04-06'), 'Rent', 950)] });
    const [header = [], original = []] = again(first);
    const copy = [day('2026-05-06'), ...original.slice(1)];
    const copied = await run({ cells: [header, copy, original], selection: [[2, 2]] });
    expect(column(copied, 'Ledger status')[0]).toBe(
      'Not sent: rows 2 and 3 have the same reference. If one of them is a copy, clear its Reference',
    );
    expect(await books()).toHaveLength(1);
    const cleared = copy.map((cell, index) => (header[index] === 'Reference' ? '' : cell));
    const corrected = await run({ cells: [header, cleared, original] });
    expect(column(corrected, 'Ledger status')).toEqual(['Created', 'Already in the books']);
    expect((await books()).map(({ date }) => date)).toEqual(['2026-05-06', '2026-04-06']);
  });

  test('a row that was changed after it was pushed is a conflict, and the books stay', async () => {
    const first = await run({ cells: [HEADER, row(day('2026-04-06'), 'Rent', 950)] });
    const [header = [], [date = '', ...rest] = []] = again(first);
    rest[2] = 951;
    const changed = await run({ cells: [header, [date, ...rest]] });
    expect(column(changed, 'Ledger status')).toEqual(['Conflict: the books have another amountPence']);
    expect((await books()).map(({ amountPence }) => amountPence)).toEqual([95_000]);
  });
});

describe('a push that breaks off', () => {
  const cells = [HEADER, ...Array.from({ length: 3 }, (_, n) => row('2026-04-06', `Row ${n}`, n + 1))];

  test('after the request, before the ids are written: the next one creates nothing twice', async () => {
    const killed = await run({ cells, killAfterRequest: 1 });
    expect(column(killed, 'Reference').every((text) => /^gs-/.test(String(text)))).toBe(true);
    expect(column(killed, 'Ledger id')).toEqual(['', '', '']);
    expect(await books()).toHaveLength(3);
    const next = await run({ cells: again(killed) });
    expect(column(next, 'Ledger status')).toEqual(Array(3).fill('Already in the books'));
    expect(await books()).toHaveLength(3);
  });

  test('because the response is lost: the same run sends it again', async () => {
    await using proxy = await startProxy((_, n) => (n === 1 ? 'drop response' : 'pass'));
    const result = await run({ cells, address: proxy.url });
    expect(column(result, 'Ledger status')).toEqual(Array(3).fill('Already in the books'));
    expect(proxy.requests[1]?.body).toBe(proxy.requests[0]?.body);
    expect(await books()).toHaveLength(3);
  });

  test('because the service is gone: after five more attempts it says what to do', async () => {
    await using proxy = await startProxy(() => 'drop request');
    const result = await run({ cells, address: proxy.url });
    expect(result.sleepsMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(result.alerts[0]).toMatch(
      /3 rows were not sent: The service cannot be reached.*Push them again later/,
    );
    expect(column(result, 'Ledger status')).toEqual(Array(3).fill('Not confirmed: push again'));
  });

  test('because its 6 minutes are nearly over: it says how many rows are left', async () => {
    const many = Array.from({ length: 1_500 }, (_, n) => row('2026-04-06', `Row ${n}`, n + 1));
    const result = await run({ cells: [HEADER, ...many], requestMs: 150_000 });
    expect(result.alerts[0]).toMatch(/^1000 created.*500 rows were not sent: The time of one run is over\./s);
  });

  test('rows that a person moves during the request get their own ids', async () => {
    const result = await run({ cells, turnDuringRequest: 1 });
    const ids = new Map((await books()).map(({ description, id }) => [description, id]));
    expect(column(result, 'Description')).toEqual(['Row 2', 'Row 1', 'Row 0']);
    expect(column(result, 'Ledger id')).toEqual(
      ['Row 2', 'Row 1', 'Row 0'].map((name) => ids.get(name) ?? ''),
    );
  });
});
