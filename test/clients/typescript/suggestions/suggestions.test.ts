/** Suggestions from the books: what was always so, as rules. */
import { describe, expect, test } from 'bun:test';
import type { Source } from '../../../../clients/typescript/index.ts';
import type { StoredEntry } from '../../../../clients/typescript/match/stored-books.ts';
import {
  isInRules,
  ruleOf,
  withSuggestions,
} from '../../../../clients/typescript/suggestions/suggested-rules.ts';
import {
  filesSuggestedFor,
  payeeOf,
  suggestionsFor,
} from '../../../../clients/typescript/suggestions/suggestions.ts';
import { plan, planned } from '../import/plan.ts';
import { pushed, sources } from '../match/pushed.ts';
import { storedIn } from '../sources.ts';

const [ACACIA, , STATION] = sources as [Source, Source, Source];

const entry = (
  description: string,
  category: string | null,
  source = STATION,
  type: 'income' | 'expense' = 'expense',
) => storedIn(source, { description, category, type });
const open = (description: string, type: 'income' | 'expense' = 'expense') => [{ description, type }];

test.each([
  ['HUNTERS  Lettings 77 OCT', 'hunters lettings'],
  ['TESCO STORES 2945', 'tesco stores'],
  ['B&Q', undefined],
  ['12345 X', undefined],
  ['', undefined],
])('the payee of "%s" is %p', (description, payee) => expect(payeeOf(description)).toBe(payee));

const WATER = [entry('THAMES WATER 1', 'other'), entry('Thames Water 2', 'other')];

describe('a payee is suggested', () => {
  test('if at least two entries have one source and category, as a rule', () => {
    expect(suggestionsFor(open('THAMES WATER 77'), WATER).map(ruleOf)).toEqual([
      'description starts with "thames water" and type is expense -> 27 Station Road / other  # as 2 entries',
    ]);
    expect(suggestionsFor(open('THAMES WATER 77'), WATER.slice(1))).toEqual([]);
  });

  test.each([
    ['another category', entry('THAMES WATER 3', 'travelCosts')],
    ['another source', entry('THAMES WATER 3', 'other', ACACIA)],
    ['no category', entry('THAMES WATER 3', null)],
  ])('not if one entry has %s', (_, other) => {
    expect(suggestionsFor(open('THAMES WATER 77'), [...WATER, other])).toEqual([]);
  });

  test.each([
    ['in parts', ['R1', 'R1#2', 'R2', 'R2#2']],
    ['in parts, as they were named before', ['R1#1', 'R1#2', 'R2#1', 'R2#2']],
    ['in part, and the rest is left out', ['R1#1', 'R2#1']],
  ])('not if its payments are stored %s', (_, references) => {
    const { source, stored: each } = entry('NATIONWIDE MORTGAGE', 'residentialFinancialCost');
    const stored = (names: readonly (string | null)[]) =>
      names.map((externalRef): StoredEntry => ({ source, stored: { ...each, externalRef } }));
    expect(suggestionsFor(open('NATIONWIDE MORTGAGE'), stored(references))).toEqual([]);
    expect(suggestionsFor(open('NATIONWIDE MORTGAGE'), stored(['R1', 'R2', null]))).toHaveLength(1);
  });

  test('for its own type: a refund is no payment', () => {
    const books = [...WATER, entry('THAMES WATER', null, STATION, 'income')];
    expect(suggestionsFor(open('THAMES WATER', 'income'), books)).toEqual([]);
    expect(suggestionsFor(open('THAMES WATER'), books)).toHaveLength(1);
  });
});

test('a suggestion decides before "otherwise", and after every rule', async () => {
  const suggestions = suggestionsFor(open('THAMES WATER'), WATER);
  const rows = ['2026-10-01,THAMES WATER 7,-5', '2026-10-01,SHOP,-6', '2026-10-01,THAMES WATER OWN,-7'];
  const rules = 'description contains "OWN" -> leave out\notherwise -> 12 Acacia Avenue';
  expect(planned(await plan(withSuggestions(rules, suggestions), rows))).toEqual([
    '2 27 Station Road / other -5.00',
    '3 12 Acacia Avenue / ? -6.00',
    '4 left out by 1 -7.00',
  ]);
});

test('suggestions are lines of their own after the last rule, and are known in the rules, as comments too', () => {
  const suggestions = suggestionsFor(open('THAMES WATER'), WATER);
  const [line = ''] = suggestions.map(ruleOf);
  expect(withSuggestions('', suggestions)).toBe(`${line}\n`);
  expect(withSuggestions('# mine\n\n', suggestions)).toBe(`# mine\n${line}\n\n`);
  const [suggestion] = suggestionsFor(open('THAMES WATER'), [...WATER, ...WATER]);
  expect(suggestion && isInRules(`# ${line}`, suggestion)).toBe(true);
  expect(suggestion && isInRules(line.replace('/ other', '/ travelCosts'), suggestion)).toBe(false);
});

describe('no payee is suggested', () => {
  const RULE =
    'description contains "NATIONWIDE" -> 27 Station Road / split: residentialFinancialCost 412.50, ';
  const OWN = { header: 'Date,Description,Amount,Id', map: { reference: 'Id' } };
  const rows = ['2026-04-01,NATIONWIDE MORTGAGE 1,-950.00', '2026-05-01,NATIONWIDE MORTGAGE 2,-950.00'];
  const offered = async (rule: string, options: object = {}) => {
    const statement = await plan(
      [rule],
      rows.map((row, index) => ('header' in options ? `${row},M${index}` : row)),
      options,
    );
    const books = [...pushed(statement.entries).byId.values()];
    return suggestionsFor(open('NATIONWIDE MORTGAGE 3'), books, filesSuggestedFor([statement]));
  };

  test.each(['rest leave out', 'rest travelCosts'])('of which a part is stored: %s', async (rest) => {
    expect(await offered(RULE + rest)).toEqual([]);
    expect(await offered(RULE + rest, OWN)).toEqual([]);
    const whole = RULE.replace(/split.*/, 'residentialFinancialCost');
    expect(await offered(whole)).toHaveLength(1);
    expect(await offered(whole, OWN)).toHaveLength(1);
  });

  test('that a rule leaves out', () => {
    const books = [entry('SAVINGS 1', 'other'), entry('SAVINGS 2', 'other')];
    const files = { leftOut: [{ description: 'Savings 3' }], accounts: [] };
    expect(suggestionsFor(open('SAVINGS 4'), books)).toHaveLength(1);
    expect(suggestionsFor(open('SAVINGS 4'), books, files)).toEqual([]);
  });
});
