/** What holds for any entries and any way of sending them. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { CATEGORIES } from '../../proto/domain.ts';
import { expectCountsToEqualRows, rowsOf } from '../fixtures/books.ts';
import { TestAccount, type Transaction } from '../fixtures/client.ts';

setDefaultTimeout(60_000);

type Content = Omit<Transaction, 'id'>;

// Texts and characters that a parser, an array literal or a driver might misread.
const TRAPS = 'null NULL {} {NULL} "" " \' \\ \\\\ \\" , {"a":1,"a":2} \\u0041 $1 ::text'.split(' ');
const CHARACTERS = '\n \r\n \t \u0001 \u007f \ufeff \u200b \u202e \uffff \u{10ffff} e\u0301 ß'.split(' ');
const TRICKY = fc.constantFrom(...TRAPS, ...CHARACTERS, ' ', '');
const CHARACTER = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((text) => text !== '\0');

/** Any text of `minLength` to `maxLength` code points that has no U+0000. */
function anyText(minLength: number, maxLength: number) {
  const bounded = (text: string) => [...text].length >= minLength && [...text].length <= maxLength;
  return fc
    .oneof(
      fc.string({ unit: CHARACTER, minLength, maxLength, size: 'medium' }),
      fc.array(fc.oneof(TRICKY, CHARACTER), { maxLength: 8 }).map((parts) => parts.join('')),
      TRICKY,
      CHARACTER.map((character) => character.repeat(maxLength)),
    )
    .filter(bounded);
}

const anyDate = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const anyAmount = fc.oneof(
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  fc.constantFrom(1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1),
);
const anyKind = fc.constantFrom(
  ...(['income', 'expense'] as const).flatMap((type) => [
    { type, category: null },
    ...CATEGORIES['uk-property'][type].map(({ key }) => ({ type, category: key as string })),
  ]),
);
const anyEntry: fc.Arbitrary<Content> = fc
  .record({
    date: anyDate,
    kind: anyKind,
    amountPence: anyAmount,
    description: fc.option(anyText(0, 500)),
    externalRef: fc.option(anyText(1, 180)),
  })
  .map(({ kind, ...rest }) => ({ ...rest, ...kind }));
const anyBatch = (maxLength: number) =>
  // Entries without a reference are all distinct.
  fc.uniqueArray(anyEntry, { minLength: 1, maxLength, selector: (entry) => entry.externalRef ?? Symbol() });

/** Runs of a property in four searches at once: each run waits for the service most of its time. */
const inParallel = <Values>(property: fc.IAsyncProperty<Values>, runs: number) =>
  Promise.all(Array.from({ length: 4 }, () => fc.assert(property, { numRuns: Math.ceil(runs / 4) })));

const sent = (entry: Content) =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
const content = ({ id: _, ...fields }: Transaction): Content => fields;
const byDateDescending = (a: Content, b: Content) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0);

test('any valid batch comes back as it was sent, newest date first and later sent first within a date', async () => {
  const check = fc.asyncProperty(anyBatch(30), async (batch) => {
    const account = await TestAccount.create();
    const { status, body } = await account.post(batch.map(sent));
    expect([status, body.created]).toEqual([201, batch.length]);
    const refs = body.transactions.map(({ externalRef }: Content) => externalRef);
    expect(refs).toEqual(batch.map(({ externalRef }) => externalRef));
    const stored = (await account.entries()).map(content);
    expect(stored).toEqual(batch.toReversed().sort(byDateDescending));
    // Sent again, each is known by its reference, and differs in nothing.
    const again = await account.post(batch.filter(({ externalRef }) => externalRef !== null).map(sent));
    if (again.body.error?.code !== 'empty_body') {
      expect([again.status, again.body.created, again.body.conflicts]).toEqual([200, 0, undefined]);
    }
  });
  await inParallel(check, 20);
});

/** Waves of requests, sent one wave after the other; the requests of a wave at once. An index names an entry. */
const anyPlan = (entries: number) => {
  const request = fc.array(fc.nat({ max: entries - 1 }), { minLength: 1, maxLength: 2 * entries });
  return fc.array(fc.array(request, { minLength: 1, maxLength: 4 }), { maxLength: 4 });
};

/** A last wave, of two requests: together they have each entry. */
const anyCover = (entries: number) =>
  fc
    .tuple(
      fc.shuffledSubarray([...Array(entries).keys()], { minLength: entries }),
      fc.nat({ max: entries - 1 }),
    )
    .map(([order, cut]) => [order.slice(cut), ...(cut > 0 ? [order.slice(0, cut)] : [])]);

const anySending = anyBatch(25)
  .map((batch) =>
    batch.map((entry, index) => ({ ...entry, externalRef: entry.externalRef ?? `ref ${index}` })),
  )
  .filter((batch) => new Set(batch.map(({ externalRef }) => externalRef)).size === batch.length)
  .chain((batch) => fc.tuple(fc.constant(batch), anyPlan(batch.length), anyCover(batch.length)));

test('however entries with references are split, repeated and raced, the books are the same', async () => {
  const check = fc.asyncProperty(anySending, async ([batch, waves, cover]) => {
    const account = await TestAccount.create();
    const creators = new Map<string, string>();
    for (const wave of [...waves, cover]) {
      const requests = wave.map((indexes) => indexes.map((index) => batch[index] as Content));
      const responses = await Promise.all(requests.map((entries) => account.post(entries.map(sent))));
      for (const [at, { status, body }] of responses.entries()) {
        expect(status).toBe(body.created > 0 ? 201 : 200);
        expect(body.created + body.deduplicated).toBe(requests[at]?.length as number);
        expect(body).not.toHaveProperty('conflicts');
        for (const { externalRef, id } of body.transactions) {
          expect(creators.has(externalRef)).toBe(false);
          creators.set(externalRef, id);
        }
      }
      for (const { externalRef, id } of responses.flatMap(({ body }) => body.existing)) {
        expect(creators.get(externalRef)).toBe(id);
      }
    }
    const rows = await rowsOf(account.accountId);
    const byRef = new Map(rows.map(({ sourceId: _, ...row }) => [row.externalRef, content(row)]));
    expect(byRef).toEqual(new Map(batch.map((entry) => [entry.externalRef, entry])));
    expect(rows).toHaveLength(batch.length);
    expect(new Map(rows.map(({ externalRef, id }) => [externalRef as string, id]))).toEqual(creators);
    await expectCountsToEqualRows(account);
  });
  await inParallel(check, 24);
});
