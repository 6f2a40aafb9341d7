/** The vocabulary in the database: its tables and its functions have the words of proto/vocabulary.ts. */
import { expect, test } from 'bun:test';
import { CATEGORIES, ENTRY_TYPES, PLANS, SOURCE_TYPES } from '../../../proto/vocabulary.ts';
import { sql } from '../../fixtures/system.ts';

test.each([...SOURCE_TYPES])('%s: the valid categories', async (sourceType) => {
  const words = ENTRY_TYPES.flatMap((type) =>
    CATEGORIES[sourceType][type].map(({ key }) => `${type} ${key}`),
  );
  const [row] = await sql`
    select array_to_json(ledger.categories_of(${sourceType})) as "ofFunction",
           (select json_agg(entry_type || ' ' || category) from ledger.category where source_type = ${sourceType})
             as "ofTable"`;
  expect(row?.ofFunction.sort()).toEqual(words.toSorted());
  expect(row?.ofTable.sort()).toEqual(words.toSorted());
});

test.each(Object.entries(PLANS))('%s: whether the plan has API access', async (plan, { apiAccess }) => {
  const [row] = await sql`
    select ledger.has_api_access(${plan}) as "ofFunction", api_access as "ofTable" from ledger.plan where plan = ${plan}`;
  expect({ ...row }).toEqual({ ofFunction: apiAccess, ofTable: apiAccess });
});

test('words that are not in the vocabulary', async () => {
  const [row] = await sql`
    select ledger.categories_of('boat') as categories, ledger.has_api_access('none') as "isKnown", ledger.has_api_access(null) as "isNull"`;
  expect({ ...row }).toEqual({ categories: null, isKnown: false, isNull: null });
});
