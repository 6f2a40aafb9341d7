/** Rules about references and repeating (docs/api/references.md). */
import type { NewEntry } from '../context.ts';
import type { Json } from '../exchange.ts';
import { expectCounts, expectSame, expectSameSet, expectThat } from '../expect.ts';
import type { ConformanceRule } from '../rule.ts';

const REPEAT = 'docs/api/references.md#repeat-a-request';
const CONFLICTS = 'docs/api/references.md#conflicts';

const referencesOf = (list: Json[]) => list.map(({ externalRef }) => externalRef);

export const referenceRules: ConformanceRule[] = [
  {
    id: 'references.known-again',
    page: REPEAT,
    sentence: 'A known reference creates nothing, and existing has the stored id.',
    async check(context) {
      const date = context.day();
      const sent = context.entries(date, 3);
      const created = await context.account.create(sent);
      const again = await context.account.post(sent.toReversed());
      expectCounts(again, 0, 3);
      expectSame(again, again.body.existing, created.toReversed(), 'existing');
      expectThat(again, !('conflicts' in again.body), 'no member conflicts');
      const { entries, last } = await context.account.list([date]);
      expectSame(last, entries.length, 3, 'the number of stored entries');
    },
  },
  {
    id: 'references.mixed',
    page: REPEAT,
    sentence:
      'Of known and new entries the new ones are created, and created + deduplicated is the number sent.',
    async check(context) {
      const date = context.day();
      const [one, two, three] = context.entries(date, 3) as [NewEntry, NewEntry, NewEntry];
      await context.account.create([one, two]);
      const none = context.entry(date, { externalRef: undefined });
      const response = await context.account.post([two, none, three, one]);
      expectCounts(response, 2, 2);
      const { transactions, existing } = response.body;
      expectSame(response, referencesOf(transactions), [null, three.externalRef], 'the created references');
      expectSame(
        response,
        referencesOf(existing),
        [two.externalRef, one.externalRef],
        'the known references',
      );
    },
  },
  {
    id: 'references.twice-in-a-request',
    page: REPEAT,
    sentence:
      'The same reference twice in one request: the first creates the entry, the later ones are in existing with its id.',
    async check(context) {
      const [one, other] = context.entries(context.day(), 2) as [NewEntry, NewEntry];
      const response = await context.account.post([one, other, one, { ...one, amountPence: 1 }]);
      expectCounts(response, 2, 2);
      const [created] = response.body.transactions;
      expectSame(response, response.body.existing, [created, created], 'existing');
      const conflict = { index: 3, ...created, fields: ['amountPence'] };
      expectSame(response, response.body.conflicts, [conflict], 'conflicts');
      const { entries, last } = await context.account.list([one.date]);
      expectSame(
        last,
        entries.map(({ amountPence }) => amountPence),
        [45_000, 45_000],
        'the stored amounts',
      );
    },
  },
  {
    id: 'references.conflicts',
    page: CONFLICTS,
    sentence:
      'A known reference with other content: conflicts names the fields that differ, and the stored entry stays as it is.',
    async check(context) {
      const { account } = context;
      const [date, another] = context.books.days(2) as [string, string];
      const sent = context.entries(date, 6);
      await account.create(sent);
      const before = await account.list([date]);
      const others: object[] = [
        { date: another },
        { type: 'expense' },
        { amountPence: 1 },
        { description: '' },
        {},
      ];
      others.push({ type: 'expense', amountPence: 1 });
      const response = await account.post(sent.map((entry, index) => ({ ...entry, ...others[index] })));
      expectCounts(response, 0, 6);
      const conflicts = response.body.existing.flatMap((known: Json, index: number) => {
        const fields = Object.keys(others[index] ?? {});
        return fields.length > 0 ? [{ ...known, index, fields }] : [];
      });
      expectSame(response, response.body.conflicts, conflicts, 'conflicts');
      const after = await account.list([date, another]);
      expectSame(after.last, after.entries, before.entries, 'the stored entries');
    },
  },
  {
    id: 'references.exact',
    page: REPEAT,
    sentence: 'References are compared exactly, by code points.',
    async check(context) {
      const reference = context.books.reference();
      const references = ['a', 'A', 'a ', ' a', 'r\u00e9f', 're\u0301f'].map((end) => `${reference}${end}`);
      const date = context.day();
      const sent = references.map((externalRef) => context.entry(date, { externalRef }));
      const response = await context.account.post(sent);
      expectCounts(response, references.length, 0);
      expectSame(response, referencesOf(response.body.transactions), references, 'the created references');
    },
  },
  {
    id: 'references.other-source',
    page: REPEAT,
    sentence: 'A reference is unique in the account, across all of its sources.',
    async check(context) {
      const { account, another } = context.twoSources();
      const day = context.day();
      const sent = context.entry(day);
      const created = await account.create([sent]);
      const response = await account.post(sent, { source: another });
      expectCounts(response, 0, 1);
      expectSame(response, response.body.existing, created, 'existing');
      const { entries, last } = await account.list([day], { source: another });
      expectSame(last, entries.length, 0, 'the number of entries that the other source has');
    },
  },
  {
    id: 'references.chunks',
    page: REPEAT,
    sentence: 'Batches can be split, repeated and overlapped: the books are the same.',
    async check(context) {
      const { account } = context;
      const [oneDay, otherDay] = context.books.days(2) as [string, string];
      const amounts = Array.from({ length: 24 }, (_, index) => 1 + index);
      const sent = (date: string) => amounts.map((amountPence) => context.entry(date, { amountPence }));
      const [whole, split] = [sent(oneDay), sent(otherDay)];
      await account.create(whole);
      for (const size of [7, 16]) {
        for (let at = 0; at < split.length; at += size) {
          const response = await account.post(split.slice(Math.max(0, at - 2), at + size));
          expectThat(response, response.status < 300, 'status 200 or 201');
        }
      }
      await account.post(whole.toReversed());
      for (const date of [oneDay, otherDay]) {
        const { entries, last } = await account.list([date]);
        const stored = entries.map(({ amountPence }) => amountPence);
        expectSameSet(last, stored, amounts, `the stored amounts of ${date}`);
      }
    },
  },
];
