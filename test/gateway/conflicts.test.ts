/** A known externalRef with other content: the stored entry stays as it is, and `conflicts` names the fields that differ. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { ENTRY_PROPERTIES } from '../../gateway/api/schemas.ts';
import { rowsOf } from '../fixtures/books.ts';
import { type ApiResponse, entry, TestAccount } from '../fixtures/client.ts';

setDefaultTimeout(60_000);

const account = await TestAccount.create();

const counts = ({ status, body }: ApiResponse) => [status, body.created, body.deduplicated];

/** What two entries differ in: the fields, and what each of them has there beside the fields of any entry. */
const DIFFERENCES: [fields: string[], one: object, other: object][] = [
  [['date'], {}, { date: '2026-04-07' }],
  [['type'], {}, { type: 'expense' }],
  [['amountPence'], {}, { amountPence: 45_001 }],
  [['category'], {}, { category: 'periodAmount' }],
  [['category'], { category: 'periodAmount' }, { category: 'otherIncome' }],
  [['description'], {}, { description: 'Rent' }],
  // No description and an empty one are two things.
  [['description'], {}, { description: '' }],
  [['description'], { description: '' }, { description: 'Rent' }],
  [['description'], { description: 'Rent' }, { description: 'Rent ' }],
  [['type', 'category'], { category: 'periodAmount' }, { type: 'expense', category: 'travelCosts' }],
  [
    ['date', 'amountPence', 'description'],
    { description: 'Rent' },
    { date: '9999-12-31', amountPence: 1, description: '' },
  ],
];
const BOTH_WAYS = DIFFERENCES.flatMap(([fields, one, other]) => [
  [fields, one, other] as const,
  [fields, other, one] as const,
]);

// A property that the comparison leaves out fails its own row below.
test('every property of an entry has a row in which nothing else differs, the next one too', () => {
  const alone = DIFFERENCES.flatMap(([fields]) => (fields.length === 1 ? fields : []));
  expect([...new Set([...alone, 'externalRef'])].sort()).toEqual(ENTRY_PROPERTIES.toSorted());
});

test.each(BOTH_WAYS)(
  'a known reference with another %j is a conflict that names it; the stored entry is unchanged: %j, then %j',
  async (fields, first, second) => {
    const externalRef = Bun.randomUUIDv7();
    const stored = entry({ ...first, externalRef });
    const created = await account.post(stored);
    expect(counts(created)).toEqual([201, 1, 0]);
    const [{ id }] = created.body.transactions;
    const row = async () => (await rowsOf(account.accountId)).find((each) => each.id === id);
    const before = await row();

    const response = await account.post([entry(), stored, entry({ ...second, externalRef })]);
    expect(counts(response)).toEqual([201, 1, 2]);
    expect(response.body.existing).toEqual(Array(2).fill({ id, externalRef }));
    expect(response.body.conflicts).toEqual([{ index: 2, externalRef, id, fields }]);
    expect(await row()).toEqual(before);
  },
);
