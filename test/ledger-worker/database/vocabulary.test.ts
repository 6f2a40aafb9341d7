/** The vocabulary in the database: its functions have the words of proto/vocabulary.ts. */
import { expect, test } from 'bun:test';
import { CATEGORIES, ENTRY_TYPES, PLANS, SOURCE_TYPES } from '../../../proto/vocabulary.ts';
import { sql } from '../../fixtures/system.ts';

const ALL = [
  ...new Set(
    SOURCE_TYPES.flatMap((of) => ENTRY_TYPES.flatMap((type) => CATEGORIES[of][type].map(({ key }) => key))),
  ),
];

test.each(SOURCE_TYPES.flatMap((of) => ENTRY_TYPES.map((type) => [of, type] as const)))(
  '%s, %s: the valid categories',
  async (sourceType, type) => {
    const rows = await sql<{ word: string }[]>`
      select word from unnest(${`{${ALL.join()}}`}::text[]) as word where ledger.is_category(${sourceType}, ${type}, word)`;
    const valid: string[] = CATEGORIES[sourceType][type].map(({ key }) => key);
    expect(rows.map(({ word }) => word)).toEqual(ALL.filter((word) => valid.includes(word)));
  },
);

test.each(Object.entries(PLANS))('%s: whether the plan has API access', async (plan, { apiAccess }) => {
  const [row] = await sql`select ledger.has_api_access(${plan}) as "hasAccess"`;
  expect(row?.hasAccess).toBe(apiAccess);
});

test('words that are not in the vocabulary, and no category', async () => {
  const [row] = await sql`
    select ledger.is_category('boat', 'income', 'other') as "ofBoat", ledger.is_category('boat', 'income', null) as "isNone",
           ledger.is_category('uk-property', 'income', 'boat') as "isBoat", ledger.has_api_access('none') as "isKnown"`;
  expect({ ...row }).toEqual({ ofBoat: false, isNone: true, isBoat: false, isKnown: false });
});
