/** The oracle finds what it is there for, in books made by hand. */
import { describe, expect, test } from 'bun:test';
import { type Entry, Versions } from './attribution.ts';
import type { BankFile, Change } from './bank.ts';
import type { Format } from './formats.ts';
import { differences, lostUntold, storedTwice } from './oracle.ts';
import { type House, oneHouse, partsOf, rulesOf } from './rules.ts';
import type { Push, Story } from './story.ts';
import type { Kind, Payment } from './world.ts';

const RULES = rulesOf(false);

const payment = (id: number, kind: Kind, date: string, pence: number, description: string): Payment => ({
  id,
  account: 0,
  kind,
  first: { date, pence, description },
});
const RENT = payment(1, 'rentA', '2026-06-02', 95_000, 'RENT FLAT A');
const COFFEE = payment(2, 'coffee', '2026-06-13', -300, 'COFFEE');
const TWIN = payment(3, 'coffee', '2026-06-13', -300, 'COFFEE');
const INSURANCE = payment(4, 'insurance', '2026-06-20', -10_000, 'AVIVA INSURANCE');
const PAYMENTS = [RENT, COFFEE, TWIN, INSURANCE];

/** The entries of payments, as the rules want them. */
const entriesOf = (payments: readonly Payment[], rules = RULES): Entry[] =>
  payments.flatMap(({ id, first }) =>
    partsOf(rules, first.description, first.pence).map(({ house, pence }, part) => ({
      ...first,
      id: `${id}-${part}`,
      house,
      pence,
    })),
  );
const copy = (entry: Entry | undefined, fields: Partial<Entry> = {}): Entry => ({
  ...(entry as Entry),
  id: 'copy',
  ...fields,
});

const fileOf = (payments: readonly Payment[], format: Format = 'lloyds'): BankFile => ({
  name: 'a.csv',
  format,
  account: 0,
  text: '',
  isWhole: true,
  rows: payments.map((each, index) => ({ payment: each, version: each.first, row: index + 2 })),
});

/** A push of all payments, and what is in the books after it. */
function pushed(created: Entry[], file = fileOf(PAYMENTS), fields: Partial<Push> = {}) {
  const push: Push = {
    files: [{ path: 'a.csv', file }],
    rules: RULES,
    exitCode: 0,
    isAtOnce: false,
    isOtherProperty: false,
    asked: new Set<string>(),
    askedFor: new Set<Payment>(),
    created,
    told: [],
    ...fields,
  };
  const changes: Change[] = [];
  const story: Story = {
    unseen: () => [],
    ids: 'kept',
    accounts: 1,
    changes,
    pushes: [push],
    removed: [],
    words: [],
  };
  const versions = new Versions();
  for (const { payment, version } of file.rows) versions.add(payment, version, [RULES]);
  for (const entry of created) versions.noteOrigin(entry, PAYMENTS);
  const found = () => ({
    twice: storedTwice(created, story, versions).length,
    lost: lostUntold(created, push, story, versions).length,
    wrong: differences('proved and wrong', created, [file], RULES, story, versions).map(
      ({ circumstance }) => circumstance,
    ),
  });
  return { push, story, changes, versions, found };
}

const right = entriesOf(PAYMENTS);
const nothing = { twice: 0, lost: 0, wrong: [] as string[] };

describe('the oracle', () => {
  test('finds nothing in right books, in which two payments are equal and one is split', () => {
    expect(right).toHaveLength(5);
    expect(pushed(right).found()).toEqual(nothing);
  });

  test.each<[string, Entry[], object]>([
    ['an entry that is there twice', [...right, copy(right[0])], { twice: 1, wrong: ['stored twice'] }],
    [
      'an entry that is there twice, in another property',
      [...right, copy(right[0], { house: 'House C' as House })],
      { twice: 1, wrong: ['stored twice'] },
    ],
    [
      'a third entry of two equal payments',
      [...right, copy(right[1])],
      { twice: 1, wrong: ['stored twice'] },
    ],
    [
      'one entry for two equal payments',
      right.filter(({ id }) => id !== '3-0'),
      { lost: 1, wrong: ['missing'] },
    ],
    ['a payment without an entry', right.filter(({ id }) => id !== '1-0'), { lost: 1, wrong: ['missing'] }],
    ['one part of a split payment', right.filter(({ id }) => id !== '4-1'), { lost: 1, wrong: ['amount'] }],
    [
      'a split payment that is also stored whole',
      [...right, { id: 'whole', house: 'House A', ...INSURANCE.first }],
      { twice: 1, wrong: ['stored twice'] },
    ],
    [
      'a payment in the wrong property',
      right.map((entry) => (entry.id === '1-0' ? { ...entry, house: 'House B' as House } : entry)),
      { wrong: ['property'] },
    ],
  ])('finds %s', (_, entries, expected) => {
    expect(pushed(entries).found()).toEqual({ ...nothing, ...expected });
  });

  test('excuses a missing row that the command names, and any row of a push that failed', () => {
    const books = entriesOf([COFFEE, TWIN, INSURANCE]);
    expect(pushed(books, undefined, { told: [{ path: 'a.csv', row: 2 }] }).found().lost).toBe(0);
    expect(pushed(books, undefined, { exitCode: 8 }).found().lost).toBe(0);
    expect(pushed(books, undefined, { exitCode: 5 }).found().lost).toBe(1);
  });

  test('excuses one missing row of two equal ones if the command names either, and finds the second missing one', () => {
    const row = (payment: Payment) => ({ path: 'a.csv', row: PAYMENTS.indexOf(payment) + 2 });
    const lost = (missing: Payment[], told: Payment[]) => {
      const books = entriesOf(PAYMENTS.filter((each) => !missing.includes(each)));
      const { versions, story, push } = pushed(books, undefined, { told: told.map(row) });
      // The entry shows which of them it is of.
      for (const entry of books)
        versions.noteOrigin(
          entry,
          PAYMENTS.filter(({ id }) => entry.id === `${id}-0`),
        );
      return lostUntold(books, push, story, versions).length;
    };
    expect([lost([COFFEE], [COFFEE]), lost([COFFEE], [TWIN]), lost([COFFEE], [RENT])]).toEqual([0, 0, 1]);
    expect([lost([COFFEE, TWIN], [TWIN]), lost([COFFEE, TWIN], [COFFEE, TWIN])]).toEqual([1, 0]);
    expect(lost([RENT, COFFEE], [TWIN])).toBe(1);
  });

  test('finds an entry that the statement does not have, inside its days only', () => {
    const { story, versions } = pushed(right);
    const wrong = (payments: Payment[]) =>
      differences('proved and wrong', right, [fileOf(payments)], RULES, story, versions).length;
    expect(wrong([RENT, TWIN, INSURANCE])).toBe(1);
    expect(wrong([COFFEE, TWIN, INSURANCE])).toBe(0);
  });

  test('finds a date in another quarter', () => {
    const before = payment(1, 'rentA', '2026-04-05', 95_000, 'RENT FLAT A');
    const after = { ...before.first, date: '2026-04-06' };
    const file: BankFile = { ...fileOf([]), rows: [{ payment: before, version: after, row: 2 }] };
    const { story, versions } = pushed([], fileOf([before]));
    versions.add(before, after, [RULES]);
    const books = entriesOf([before]);
    const wrong = differences('proved and wrong', books, [file], RULES, story, versions);
    expect(wrong.map(({ circumstance }) => circumstance)).toEqual(['date']);
  });

  test('exempts two entries of a payment whose amount and text the bank changed at once, and of no other', () => {
    const after = { ...COFFEE.first, pence: -4_720, description: 'COFFEE CARD' };
    const books = [...right, { id: 'after', house: 'House A' as House, ...after }];
    const { story, changes, versions } = pushed(books);
    versions.add(COFFEE, after, [RULES]);
    const exemptions = () =>
      storedTwice(books, story, versions).map(({ exemption }) => exemption !== undefined);
    expect(exemptions()).toEqual([false]);
    changes.push({ payment: COFFEE, kind: 'settled', before: COFFEE.first, after });
    expect(exemptions()).toEqual([true]);
  });

  test('excuses a second entry for the equal payment of another account that has none, if a file names no account', () => {
    const other: Payment = { ...TWIN, account: 1 };
    const twice = (format: Format) => {
      const file = fileOf([COFFEE], format);
      const second = { ...fileOf([other], format), account: 1 };
      const created = entriesOf([COFFEE, TWIN]);
      const { story, versions } = pushed(created, file);
      versions.add(other, other.first, [RULES]);
      for (const entry of created) versions.noteOrigin(entry, [COFFEE]);
      story.pushes.push({
        ...(story.pushes[0] as Push),
        files: [{ path: 'b.csv', file: second }],
        created: [],
      });
      return storedTwice(created, { ...story, accounts: 2 }, versions).length;
    };
    expect([twice('starling'), twice('barclays')]).toEqual([0, 1]);
  });

  test('takes an entry for an equal payment of another account if its own payment has changed, unless it shows the change', () => {
    const now = { ...COFFEE.first, pence: -4_720, description: 'COFFEE CARD' };
    const { versions } = pushed(right);
    const own = copy(right[1]);
    const changed = copy(right[1], { ...now, id: 'changed' });
    for (const payment of [COFFEE, TWIN]) versions.add(payment, now, [RULES]);
    for (const entry of [own, changed]) versions.noteOrigin(entry, [COFFEE]);
    expect(versions.canBe(own, TWIN)).toBe(false);
    versions.noteChange(COFFEE, now);
    expect(versions.canBe(own, TWIN)).toBe(true);
    expect(versions.canBe(changed, TWIN)).toBe(false);
  });

  test('exempts the unnamed file that was pushed for another property, and no file that names its account', () => {
    const found = (format: Format) => {
      const { story, versions } = pushed(entriesOf([RENT]), fileOf([RENT], format));
      const second = copy(entriesOf([RENT])[0], { house: 'House B' });
      const other = oneHouse('House B');
      story.pushes.push({
        ...(story.pushes[0] as Push),
        rules: other,
        isOtherProperty: true,
        created: [second],
      });
      return storedTwice([...entriesOf([RENT]), second], story, versions).map(
        ({ exemption }) => exemption !== undefined,
      );
    };
    expect(found('plain')).toEqual([true]);
    expect(found('barclays')).toEqual([false]);
  });
});
