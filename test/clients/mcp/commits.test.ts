/** What a preview shows and a commit creates: exactly that, once, whatever happens between them. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { type Json, TestAccount } from '../../fixtures/client.ts';
import { used } from '../../fixtures/day.ts';
import { sql } from '../../fixtures/system.ts';
import { RATE_LIMITED, startProxy } from '../proxy.ts';
import { typedRows } from '../typed-rows.ts';
import { type Assistant, type AssistantOptions, startAssistant } from './assistant.ts';

setDefaultTimeout(60_000);

const source = 'uk-property';
const csv = (...rows: string[]) =>
  typedRows('Date,Description,Amount', rows)
    .map((row) => `${row}\n`)
    .join('');
const ROWS = csv('2026-05-11,Rent Smith,450.00', '2026-05-12,Plumber,-80.50');
const IN_CAPITALS = csv('2026-05-11,RENT SMITH,450.00', '2026-05-12,PLUMBER,-80.50');

async function user(options: AssistantOptions = {}, account?: TestAccount) {
  const own = account ?? (await TestAccount.create());
  const assistant = await startAssistant(own.key, options);
  return {
    account: own,
    assistant,
    preview: (rows: string, more: object = {}): Promise<Json> =>
      assistant.do('preview_rows', { rows, source, ...more }),
    commit: (token: string): Promise<Json> => assistant.do('commit_preview', { token }),
    stored: () => rowsOf(own.accountId),
    [Symbol.asyncDispose]: assistant[Symbol.asyncDispose],
  };
}

type User = Awaited<ReturnType<typeof user>>;
const statusesOf = ({ entries }: Json) => entries.rows.map(({ status }: { status: string }) => status);

async function refusal(assistant: Assistant, token: string): Promise<string> {
  const { isError, value } = await assistant.call('commit_preview', { token });
  expect(isError).toBe(true);
  return value;
}

describe('a preview', () => {
  test('of another currency has the amounts in pounds, by the rates of a person', async () => {
    await using own = await user();
    const rates = 'date,currency,units per pound\n2026-05-11,EUR,1.25\n';
    const rows = 'Date,Description,Money in\n2026-05-11,Rent,€100.00\n';
    const { token, creates } = await own.preview(rows, { rates });
    const rent = { amountPence: 8_000, description: 'Rent - EUR 100.00 at 1.25 EUR per GBP' };
    expect(creates.rows).toMatchObject([rent]);
    await own.commit(token);
    expect(await own.stored()).toMatchObject([rent]);
    expect((await own.preview(rows, { rates })).token).toBeNull();
  });

  test('shows each entry with its amount in pounds and in pence, and creates nothing; its commit creates exactly that, once', async () => {
    await using own = await user();
    const { token, creates } = await own.preview(ROWS, { categoryIncome: 'periodAmount' });
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const [income, expense] = [
      { amountPounds: '450.00', amountPence: 45_000 },
      { amountPounds: '80.50', amountPence: 8_050 },
    ];
    const references = creates.rows.map(({ reference }: Json) => reference);
    for (const reference of references) expect(reference).toMatch(/^imp1-/);
    const common = { source, part: null, reference: expect.any(String) };
    const rent = { row: 2, date: '2026-05-11', type: 'income', description: 'Rent Smith', ...income };
    const plumber = { row: 3, date: '2026-05-12', type: 'expense', description: 'Plumber', ...expense };
    expect(creates).toEqual({
      count: 2,
      from: '2026-05-11',
      to: '2026-05-12',
      withoutCategory: 1,
      income,
      expense,
      next: null,
      rows: [
        { ...common, ...rent, category: 'periodAmount' },
        { ...common, ...plumber, category: null },
      ],
    });
    expect(await own.stored()).toEqual([]);

    expect(await own.commit(token)).toMatchObject({ created: 2, known: 0, notCreated: 0, isComplete: true });
    expect((await own.stored()).toReversed()).toMatchObject([
      { externalRef: references[0], amountPence: 45_000, description: 'Rent Smith' },
      { externalRef: references[1], amountPence: 8_050, description: 'Plumber' },
    ]);
    const again = await own.commit(token);
    expect(again).toMatchObject({ created: 0, known: 2, notCreated: 0, isComplete: true });
    expect(again.advice).toBe('Nothing was created: the entries are known.');
    expect(await own.stored()).toHaveLength(2);
  });

  test('says of each other row why it is not created, and how to mend it', async () => {
    await using own = await user();
    await own.commit((await own.preview(ROWS)).token);
    const rows = csv(
      ...['2026-05-11,Rent Smith,450.00', '2026-05-13,Plumber,-80.50', '2026-05-14,Paint,£x', ',Total,'],
      '2026-05-15,New,1.00',
    );
    const shown = await own.preview(rows);
    expect(shown).toMatchObject({
      token: null,
      advice: expect.stringContaining('skipInvalid'),
      creates: { count: 1, rows: [{ row: 6 }] },
      known: { count: 1, rows: [{ row: 2 }] },
      probablyKnown: { count: 1, rows: [{ row: 3, stored: { date: '2026-05-12', amountPounds: '80.50' } }] },
      invalid: { count: 1, rows: [{ row: 4, value: '£x' }] },
      skipped: { count: 1 },
    });
    const { token } = await own.preview(rows, { skipInvalid: true });
    const { text } = await own.assistant.call('commit_preview', { token });
    expect(text).toContain('`stayOpen` [3]');
    expect(await own.stored()).toHaveLength(2);
    const { entries } = await own.assistant.do('commit_preview', { token, stayOpen: [3] });
    expect(entries.rows).toMatchObject([{ status: 'created' }]);
    expect(await own.stored()).toHaveLength(3);
  });

  test('of more entries than one request creates has no token', async () => {
    await using own = await user();
    const rows = csv(...Array.from({ length: 501 }, (_, n) => `2026-05-11,Row ${n},1.00`));
    const { token, advice, creates } = await own.preview(rows);
    expect([token, creates.count]).toEqual([null, 501]);
    expect(advice).toContain('501');
  });

  test('leaves out what another source has; of a whole file that one has already it has no token', async () => {
    await using own = await user();
    await own.commit((await own.preview(ROWS)).token);
    const more = `${ROWS}2026-05-20,Another,9.00,income\n`;
    const { token, creates, elsewhere } = await own.preview(more, { source: 'self-employment' });
    expect([creates.count, elsewhere.count]).toEqual([1, 2]);
    await own.commit(token);
    expect(await own.stored()).toHaveLength(3);

    const rows = csv('2026-06-11,A,1.00', '2026-06-12,B,2.00', '2026-06-13,C,4.00');
    await own.commit((await own.preview(rows)).token);
    const shown = await own.preview(`${rows}2026-06-14,D,5.00,income\n`, { source: 'self-employment' });
    expect(shown).toMatchObject({
      token: null,
      creates: { count: 1 },
      advice: expect.stringContaining('another source'),
    });
    expect(shown.elsewhere).toMatchObject({ count: 3, rows: [{ source }, { source }, { source }] });
  });

  test.each(['450.00', '4.5e2'])('refuses pounds in the place of pence: %s', async (amount) => {
    await using own = await user();
    const rows = `[{"date":"2026-05-11","type":"income","amountPence":${amount}}]`;
    const { token, invalid } = await own.preview(rows);
    const message = expect.stringContaining('whole number of pence');
    expect([token, invalid.rows]).toEqual([
      null,
      [{ row: 1, column: 'amountPence', value: amount, message }],
    ]);
  });

  test('of equal rows with one reference of the bank asks what they are', async () => {
    await using own = await user();
    const rows = 'Date,Money in,Transaction ID\n2026-05-11,4.50,a\n2026-05-11,4.50,a\n';
    const asked = await own.preview(rows);
    expect([asked.token, asked.invalid.rows[0].message]).toEqual([
      ...[null, expect.stringContaining('`repeated` settles it')],
    ]);
    const counts = ['same', 'another'].map(async (repeated) => {
      return (await own.preview(rows, { repeated })).creates.count;
    });
    expect(await Promise.all(counts)).toEqual([1, 2]);
  });
});

describe('a commit', () => {
  test('with a date that is likely to be mistyped creates nothing until the date is named', async () => {
    await using own = await user();
    const { token, warnings } = await own.preview(`${ROWS}0026-05-11,Rent Smith,450.00,income\n`);
    expect(warnings.rows).toMatchObject([{ row: 4, value: '0026-05-11' }]);
    const names = expect.stringContaining('Row 4: The date 0026-05-11 is before 2000.');
    for (const allowDates of [undefined, ['2026-05-11']]) {
      const refused = await own.assistant.call('commit_preview', { token, allowDates });
      expect([refused.isError, refused.value]).toEqual([true, names]);
    }
    expect(await own.stored()).toEqual([]);
    await own.assistant.do('commit_preview', { token, allowDates: ['0026-05-11'] });
    expect(await own.stored()).toHaveLength(3);
  });

  test('after a restart of the server needs a new preview, which knows what is stored', async () => {
    const account = await TestAccount.create();
    await using first = await user({}, account);
    const { token } = await first.preview(ROWS);
    await using second = await user({}, account);
    expect(await refusal(second.assistant, token)).toContain('Preview the same file or rows again');
    // The same account, books and rows: the same entries, and so the same token.
    expect((await second.preview(ROWS)).token).toBe(token);
    await second.commit(token);
    const shown = await first.preview(ROWS);
    expect(shown).toMatchObject({ token: null, creates: { count: 0 }, known: { count: 2 } });
    expect(shown.advice).toContain('nothing to create');
    expect(await first.commit(token)).toMatchObject({ created: 0, known: 2 });
    expect(await rowsOf(account.accountId)).toHaveLength(2);
  });

  test('with a token that no preview gave, or one of another account, creates nothing', async () => {
    await using own = await user();
    await using other = await user();
    const { token } = await own.preview(ROWS);
    expect((await other.preview(ROWS)).token).not.toBe(token);
    const digit = token.startsWith('0') ? '1' : '0';
    for (const wrong of [`${digit}${token.slice(1)}`, '', '__proto__', token.slice(0, -1)]) {
      expect(await refusal(own.assistant, wrong)).toContain('No preview of this server has this token');
    }
    expect(await refusal(other.assistant, token)).toContain('for one account');
    // Nothing is taken beside the token.
    const extra = await own.assistant.call('commit_preview', { token, amountPence: 1 });
    expect(extra.isError).toBe(true);
    expect([...(await own.stored()), ...(await other.stored())]).toEqual([]);
  });

  test('has another token for other content under the same reference', async () => {
    await using own = await user();
    const rows = (amount: string) => `Date,Description,Money in,Reference\n2026-05-11,A,${amount},ref-1\n`;
    const map = { reference: 'Reference' };
    const tokens = [
      await own.preview(rows('1.00'), { map }),
      await own.preview(rows('2.00'), { map }),
      await own.preview(rows('1.00'), { map, categoryIncome: 'periodAmount' }),
    ].map(({ token }) => token);
    expect(new Set(tokens).size).toBe(3);
    await own.commit(tokens[1]);
    expect(await own.commit(tokens[0])).toMatchObject({ created: 0, notCreated: 1, isComplete: true });
    expect(await own.stored()).toMatchObject([{ amountPence: 200, externalRef: 'ref-1' }]);
  });

  test.each<[string, (own: User) => Promise<Json>, string]>([
    ['of the same payments in other words', (own) => own.preview(IN_CAPITALS), 'probably known'],
    [
      'of the same rows for another source',
      (own) => own.preview(ROWS, { source: 'self-employment' }),
      'elsewhere',
    ],
  ])('at once with others, %s, creates them once', async (_, preview, status) => {
    await using own = await user();
    const [one, other] = [await own.preview(ROWS), await preview(own)];
    expect(other.token).not.toBe(one.token);
    const tokens = [one.token, other.token, one.token, other.token];
    const [first, second, ...more] = await Promise.all(tokens.map(own.commit));
    expect(first).toMatchObject({ created: 2 });
    expect(second).toMatchObject({ created: 0, notCreated: 2, isComplete: true });
    expect(statusesOf(second)).toEqual([status, status]);
    expect(more.map(({ created }) => created)).toEqual([0, 0]);
    expect(await own.stored()).toHaveLength(2);
  });

  test('creates no row that was not shown as new, although it is new by now', async () => {
    await using own = await user();
    await own.commit((await own.preview(csv('2026-05-11,Rent Smith,450.00'))).token);
    const { token, known } = await own.preview(csv('2026-05-11,Rent Smith,450.00', '2026-05-12,B,1.00'));
    expect(known.count).toBe(1);
    // The books change between the preview and the commit.
    await sql`delete from ledger.entry where account_id = ${own.account.accountId}`;
    expect(await own.commit(token)).toMatchObject({ created: 1, isComplete: true });
    expect((await own.stored()).map(({ amountPence }) => amountPence)).toEqual([100]);
  });

  test('at the limit of a minute does not wait for long; the same token goes on', async () => {
    let isLimited = true;
    const limited = { ...RATE_LIMITED, headers: { ...RATE_LIMITED.headers, 'retry-after': '59' } };
    await using proxy = await startProxy(({ method }) => (method === 'POST' && isLimited ? limited : 'pass'));
    await using own = await user({ env: { LEDGER_URL: proxy.url } });
    const { token } = await own.preview(ROWS);
    const result = await own.commit(token);
    expect(result).toMatchObject({ created: 0, notCreated: 2, isComplete: false });
    expect(result.advice).toMatch(/requests of this minute\. Try again in \d\d s\. Commit the same token/);
    isLimited = false;
    expect(await own.commit(token)).toMatchObject({ created: 2, isComplete: true });
  });

  test('that the service refuses says why, and that it can be repeated', async () => {
    const error = { code: 'upgrade_required', message: 'The plan has no API access.' };
    const refused = { status: 403, body: JSON.stringify({ error }) };
    await using proxy = await startProxy(({ method }) => (method === 'POST' ? refused : 'pass'));
    await using own = await user({ env: { LEDGER_URL: proxy.url } });
    const { token } = await own.preview(ROWS);
    expect(await refusal(own.assistant, token)).toBe(
      'The plan has no API access. Commit the same token again to send what is not stored: nothing is created twice.',
    );
  });

  test('at the daily cap stops at once, and says how many fit and when', async () => {
    await using own = await user({}, await used(...Array(9).fill(500), 499));
    const { token } = await own.preview(csv('2026-05-11,A,1.00', '2026-05-12,B,2.00'));
    const result = await own.commit(token);
    expect(result).toMatchObject({ created: 1, known: 0, notCreated: 1, isComplete: false });
    expect(result.advice).toContain('The daily cap of the account is reached: 0 more entries fit now');
  });
});
