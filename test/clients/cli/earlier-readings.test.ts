/** Entries that an earlier version of the reader stored, under other descriptions and references, are known: nothing is new and nothing differs. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import {
  referenceDeriver,
  referenceWithin,
} from '../../../clients/typescript/import/values/derived-reference.ts';
import type { TestAccount } from '../../fixtures/client.ts';
import { newUser, writeFile } from './command.ts';

setDefaultTimeout(60_000);

type Row = [day: string, pence: number, description: string];

/** What the earlier version stored of these rows. */
function storedBefore(rows: readonly Row[], account = '') {
  const derive = referenceDeriver();
  return rows.map(([date, amountPence, description]) => ({
    date,
    type: 'expense',
    amountPence,
    ...(description !== '' && { description }),
    externalRef: derive({ account, date, type: 'expense', pence: amountPence, description }),
  }));
}

const payment = (day: string, amount: string, name: string, memo: string) =>
  `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>${day.replaceAll('-', '')}<TRNAMT>-${amount}<FITID><NAME>${name}<MEMO>${memo}</STMTTRN>`;
const ofx = (...payments: string[]) =>
  `<OFX><STMTRS><CURDEF>GBP<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${payments.join('')}</BANKTRANLIST></STMTRS></OFX>\n`;
const [NAME, MEMO] = ['NATIONWIDE BUILDING SOCIETY MORT', 'GAGE 4471'];
const LIST = 'Date,Spent on,Money out\n';
/** The same content on two days. */
const twice = (description: string): Row[] => [
  ['2026-10-01', 500, description],
  ['2026-10-02', 600, description],
];
const [first, second] = [
  payment('2026-10-01', '5.00', NAME, MEMO),
  payment('2026-10-02', '6.00', NAME, MEMO),
];
const WHOLE = `${NAME} - ${MEMO}`;
const byId = {
  date: '2026-10-01',
  type: 'expense',
  amountPence: 500,
  description: WHOLE,
  externalRef: '1:a',
};
const NAMELESS: Row[] = [...Array<Row>(2).fill(['2026-10-01', 500, '']), ...twice('')];
const OLD: [string, string, ReturnType<typeof storedBefore>][] = [
  ['old.ofx', ofx(first, second), storedBefore(twice(WHOLE), '1')],
  ['old-ids.ofx', ofx(first.replace('<FITID>', '<FITID>a')), [byId]],
  [
    'old.csv',
    `${LIST}2026-10-01,Paint,5.00\n2026-10-01,Nails,5.00\n2026-10-01,,5.00\n2026-10-02,Paint,6.00\n`,
    storedBefore(NAMELESS),
  ],
];

const store = async (
  account: TestAccount,
  entries: readonly object[],
  source = account.sources['uk-property'],
) => expect((await account.post(entries, { source })).body).toMatchObject({ created: entries.length });

test.each(OLD)(
  'those of %s are known to push and reconcile, and to rules that leave them out or ask',
  async (name, text, entries) => {
    const count = entries.length;
    const { account, run, push } = await newUser();
    await store(account, entries);
    const file = writeFile(name, text);
    const all = { exitCode: 0, new: 0, known: count, created: 0, conflicts: [], probable: [] };
    expect(await push(file)).toMatchObject(all);
    const reconciled = async (...args: string[]) =>
      (await run(['reconcile', file, '--json', ...args])).json();
    const counts = { 'in the books': count };
    expect(await reconciled('-s', 'uk-property')).toMatchObject({
      isReconciled: true,
      counts,
      otherEntries: [],
    });
    const rules = writeFile('earlier.txt', 'otherwise -> leave out\n');
    expect((await reconciled('--rules', rules)).counts).toEqual({ 'left out and stored': count });
    const ask = writeFile('ask.txt', 'otherwise -> ask\n');
    const withoutSource = (await run(['push', file, '--rules', ask, '--yes', '--json'])).json();
    expect([withoutSource.known, withoutSource.invalid]).toEqual([count, []]);
    expect(await account.entries()).toHaveLength(count);
  },
);

test.each(OLD.filter(([name]) => name !== 'old-ids.ofx'))(
  'those of %s have the second version of their references beside equal entries of another source',
  async (name, text, entries) => {
    const { account, push } = await newUser();
    const { 'uk-property': id, 'self-employment': source } = account.sources;
    await store(account, entries, source);
    const second = entries.map((each) => ({ ...each, externalRef: referenceWithin(id, each.externalRef) }));
    await store(account, second);
    const all = { exitCode: 0, new: 0, known: entries.length, conflicts: [] };
    expect(await push(writeFile(name, text))).toMatchObject(all);
  },
);

test('rows of a list with equal amounts, told apart by what was spent, are the same in another order, and beside a row between them', async () => {
  const { account, push } = await newUser();
  const [paint, nails] = ['2026-10-01,Paint,5.00', '2026-10-01,Nails,5.00'];
  const list = (...lines: string[]) => writeFile('spent.csv', `${LIST}${lines.join('\n')}\n`);
  expect(await push(list(paint, nails))).toMatchObject({ exitCode: 0, created: 2 });
  expect(await push(list(nails, paint))).toMatchObject({ exitCode: 0, created: 0, known: 2 });
  const more = list(paint, '2026-10-01,Glue,5.00', nails);
  expect(await push(more, 'uk-property', '--send-probable')).toMatchObject({ exitCode: 0, created: 1 });
  const descriptions = (await account.entries()).map(({ description }) => description);
  expect(descriptions.sort()).toEqual(['Glue', 'Nails', 'Paint']);
});

test('a changed amount of an old entry is a correction of it, and not a second one', async () => {
  const [, text, entries] = OLD[0] as (typeof OLD)[number];
  const { account, push } = await newUser();
  await store(account, entries);
  expect(await push(writeFile('changed.ofx', text.replace('-6.00', '-66.00')))).toMatchObject({
    exitCode: 8,
    created: 0,
    probable: [{ isEarlierVersion: true }],
  });
});
