/** Entries that an earlier version of the reader stored, under other descriptions and references, are known: nothing is new and nothing differs. */
import { describe, expect, test } from 'bun:test';
import { referenceDeriver, referenceWithin } from '../../../clients/typescript/import/values/reference.ts';
import type { TestAccount } from '../../fixtures/client.ts';
import { landlord, newUser, writeFile } from './command.ts';

type Row = [day: string, pence: number, description: string];

/** What the earlier version stored of these rows. */
function storedBefore(rows: readonly Row[], account = '') {
  const derive = referenceDeriver();
  return rows.map(([date, amountPence, description]) => ({
    ...{ date, type: 'expense', amountPence },
    ...(description !== '' && { description }),
    externalRef: derive({ account, date, type: 'expense', pence: amountPence, description }),
  }));
}

const payment = (day: string, amount: string, name: string, memo: string, id = '') =>
  `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>${day.replaceAll('-', '')}<TRNAMT>-${amount}<FITID>${id}<NAME>${name}<MEMO>${memo}</STMTTRN>`;
const ofx = (...payments: string[]) =>
  `<OFX><STMTRS><CURDEF>GBP<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${payments.join('')}</BANKTRANLIST></STMTRS></OFX>\n`;
const [NAME, MEMO] = ['NATIONWIDE BUILDING SOCIETY MORT', 'GAGE 4471'];
const LIST = 'Date,Spent on,Money out\n';
const OLD: [string, string, ReturnType<typeof storedBefore>][] = [
  [
    'old.ofx',
    ofx(payment('2026-10-01', '5.00', NAME, MEMO), payment('2026-10-02', '6.00', NAME, MEMO)),
    storedBefore(
      [
        ['2026-10-01', 500, `${NAME} - ${MEMO}`],
        ['2026-10-02', 600, `${NAME} - ${MEMO}`],
      ],
      '1',
    ),
  ],
  [
    'old-ids.ofx',
    ofx(payment('2026-10-01', '5.00', NAME, MEMO, 'a')),
    storedBefore([['2026-10-01', 500, `${NAME} - ${MEMO}`]]).map((each) => ({ ...each, externalRef: '1:a' })),
  ],
  [
    'old.csv',
    `${LIST}2026-10-01,Paint,5.00\n2026-10-01,Nails,5.00\n2026-10-01,,5.00\n2026-10-02,Paint,6.00\n`,
    storedBefore([...Array<Row>(3).fill(['2026-10-01', 500, '']), ['2026-10-02', 600, '']]),
  ],
];

type SourceKey = keyof TestAccount['sources'];
const store = async (account: TestAccount, entries: readonly object[], place: SourceKey = 'uk-property') =>
  expect((await account.post(entries, { source: account.sources[place] })).body).toMatchObject({
    created: entries.length,
  });

async function withStored(name: string, text: string, entries: readonly object[], place?: SourceKey) {
  const user = await newUser();
  await store(user.account, entries, place);
  return {
    ...user,
    file: writeFile(name, text),
    count: async () => (await user.account.entries()).length,
  };
}

describe.each(OLD)('of %s', (name, text, entries) => {
  const count = entries.length;

  test('they are known to push, corrections and reconcile', async () => {
    const { file, push, run, count: stored } = await withStored(name, text, entries);
    expect(await push(file)).toMatchObject({
      ...{ exitCode: 0, new: 0, known: count, created: 0, conflicts: [], probable: [] },
    });
    const result = await run(['reconcile', file, '-s', 'uk-property', '--json']);
    expect(result.json()).toMatchObject({
      isReconciled: true,
      counts: { 'in the books': count },
      fromElsewhere: [],
    });
    expect(await stored()).toBe(count);
  });

  test('and to rules that leave them out, or do not decide', async () => {
    const { account, run, rules } = await landlord('otherwise -> leave out\n');
    await store(account, entries);
    const file = writeFile(name, text);
    const leftOut = (await run('reconcile', file, '--rules', rules, '--json')).json();
    expect(leftOut.counts).toEqual({ 'left out and stored': count });
    const ask = writeFile('ask.txt', 'otherwise -> ask\n');
    const undecided = (await run('push', file, '--rules', ask, '--yes', '--json')).json();
    expect([undecided.known, undecided.invalid]).toEqual([count, []]);
  });
});

test.each(OLD.filter(([name]) => name !== 'old-ids.ofx'))(
  'those of %s have the second version of their references beside equal entries of another source',
  async (name, text, entries) => {
    const user = await withStored(name, text, entries, 'self-employment');
    const { 'uk-property': id } = user.account.sources;
    const second = entries.map((each) => ({ ...each, externalRef: referenceWithin(id, each.externalRef) }));
    await store(user.account, second);
    expect(await user.push(user.file)).toMatchObject({
      ...{ exitCode: 0, new: 0, known: entries.length, conflicts: [] },
    });
  },
);

describe('rows of a list with equal amounts, told apart by what was spent,', () => {
  const rows = ['2026-10-01,Paint,5.00', '2026-10-01,Nails,5.00'];
  const list = (...lines: string[]) => writeFile('spent.csv', `${LIST}${lines.join('\n')}\n`);
  const descriptions = async ({ account }: Awaited<ReturnType<typeof newUser>>) =>
    (await account.entries()).map(({ description }) => description).sort();

  test('are the same in another order, and beside a row between them', async () => {
    const user = await newUser();
    expect(await user.push(list(...rows))).toMatchObject({ exitCode: 0, created: 2 });
    expect(await user.push(list(...rows.toReversed()))).toMatchObject({ exitCode: 0, created: 0, known: 2 });
    const more = list(rows[0] as string, '2026-10-01,Glue,5.00', rows[1] as string);
    expect(await user.push(more, 'uk-property', '--send-probable')).toMatchObject({
      exitCode: 0,
      created: 1,
    });
    expect(await descriptions(user)).toEqual(['Glue', 'Nails', 'Paint']);
  });

  test('are as many as the list has, beside some that an earlier version stored', async () => {
    const user = await newUser();
    const { account, push } = user;
    await store(account, storedBefore([['2026-10-01', 500, '']]));
    expect(await push(list(...rows))).toMatchObject({ exitCode: 0, created: 1, known: 1 });
    expect(await push(list(...rows))).toMatchObject({ exitCode: 0, created: 0, known: 2 });
    expect(await descriptions(user)).toEqual(['Nails', null]);
  });
});

test('a changed amount of an old entry is a correction of it, and not a second one', async () => {
  const [, text, entries] = OLD[0] as (typeof OLD)[number];
  const { file, push } = await withStored('changed.ofx', text.replace('-6.00', '-66.00'), entries);
  expect(await push(file)).toMatchObject({ exitCode: 8, created: 0, probable: [{ isEarlierVersion: true }] });
});
