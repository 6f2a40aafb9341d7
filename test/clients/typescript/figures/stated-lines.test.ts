/** The lines of rules that state facts for the figures alone: HMRC's ids of property abroad, and sums of other software. */
import { describe, expect, test } from 'bun:test';
import { statedFacts } from '../../../../clients/typescript/figures/stated-facts.ts';
import { countRules } from '../../../../clients/typescript/import/rules/compiled-rules.ts';
import {
  propertyIdLine,
  propertyIdsOf,
  readPropertyId,
} from '../../../../clients/typescript/import/rules/property-ids.ts';
import { parseRules } from '../../../../clients/typescript/import/rules/rules-text.ts';
import { statedSumsOf } from '../../../../clients/typescript/import/rules/stated-sums.ts';
import { CATEGORIES, type SourceType } from '../../../../proto/domain.ts';

const planOf = (id: string, name: string, type: SourceType) => {
  const { income, expense } = CATEGORIES[type];
  return { id, name, type, categories: { income: [...income], expense: [...expense] } };
};
const SOURCES = [
  planOf('flat', 'Flat 3, Mill Lane', 'uk-property'),
  planOf('villa', 'Villa "Sol"', 'foreign-property'),
  planOf('casa', 'Casa / Blanca', 'foreign-property'),
  planOf('shop', 'Shop', 'self-employment'),
];
const [ID, OTHER_ID] = ['8e8b8450-dc1b-4360-8109-7067337b42cb', '11111111-2222-3333-4444-abcdefabcdef'];
const FLAT = 'sum of "Flat 3, Mill Lane"';

test('are no rules, may come after "otherwise", and have comments', () => {
  const lines = [
    'otherwise -> ask',
    propertyIdLine('Villa "Sol"', ID),
    `hmrc id of "Casa / Blanca" is ${OTHER_ID.toUpperCase()} # since May`,
    `HMRC’s id of Villa "Sol" is ${ID}`,
    `${FLAT} / periodAmount up to 2026-08-31: 4500.00`,
    `  ${FLAT.toUpperCase()} / Repairs and maintenance UP TO 2026-08-31 : -£1,120.50 # from the update of August`,
    'sum of "Casa / Blanca" / other up to 2026-08-30: 3',
  ];
  const text = lines.join('\r\n');
  expect(parseRules(text)).toHaveLength(1);
  expect(countRules(text, SOURCES)).toBe(1);
  expect([...propertyIdsOf(text, SOURCES)]).toEqual([
    ['villa', ID],
    ['casa', OTHER_ID],
  ]);
  const shown = Array.from(statedSumsOf(text, SOURCES), ([source, { to, sums }]) => [
    ...[source, to],
    ...sums.map(({ type, category, pence }) => `${type} ${category} ${pence}`),
  ]);
  expect(shown).toEqual([
    ['flat', '2026-08-31', 'income periodAmount 450000', 'expense repairsAndMaintenance -112050'],
    ['casa', '2026-08-30', 'expense other 300'],
  ]);
});

test('an id is that of HMRC, with small letters', () => {
  expect(readPropertyId(` ${ID.toUpperCase()}\n`)).toBe(ID);
  expect(
    ['', 'Villa', `${ID}0`, ID.slice(1), ID.replaceAll('-', ''), ID.replace('8', 'g')].map(readPropertyId),
  ).toEqual(Array(6).fill(undefined));
});

describe('a line that cannot be read is named with the way to correct it:', () => {
  const none = 'is no line about a sum';
  test.each([
    ["HMRC's id of Villa", `has no id of HMRC; write for example HMRC's id of "Villa Sol" is ${ID}`],
    [`HMRC's id of "Villa ""Sol""" is 12`, 'has no id of HMRC; write for example'],
    [`HMRC's id of Blanca is ${ID}`, 'There is no source "Blanca". Did you mean Casa / Blanca?'],
    [`HMRC's id of Shop is ${ID}`, 'is about Shop; remove it, because only property abroad has an id of'],
    [`HMRC's id of "Casa / Blanca" is ${ID}`, 'contradicts an earlier line; Casa / Blanca has one id, and'],
    [`HMRC's id of "Villa ""Sol""" is ${OTHER_ID}`, 'contradicts an earlier line; Villa "Sol" has one id'],
    ['sum of Shop', `${none}; write for example sum of "Flat 3" / periodAmount up to 2026-08-31: 4500.00`],
    ['sum of Shop up to 2026-08-31: 1.00', none],
    ['sum of Shop / a / b up to 2026-08-31: 1.00', none],
    ['sum of Shop / turnover up to 31/08/2026: 1.00', none],
    ['sum of Shop / turnover up to 2026-02-30: 1.00', none],
    ['sum of Shop / turnover up to 2026-08-31: 1.5', none],
    ['sum of Shop / turnover up to 2026-08-31: 1,23.00', none],
    ['sum of Shop / turnover up to 2026-08-31: 999999999999.00', none],
    ['sum of Shopp / turnover up to 2026-08-31: 1.00', 'There is no source "Shopp". Did you mean Shop?'],
    ['sum of Shop / turnovr up to 2026-08-31: 1.00', 'There is no category "turnovr" for this source.'],
    [
      `${FLAT} / other up to 2026-09-01: 1.00`,
      'contradicts an earlier line; the sums of Flat 3, Mill Lane go',
    ],
    [`${FLAT} / Rent received up to 2026-08-31: 1.00`, 'contradicts an earlier line; the sums of'],
  ])('%s', (line, problem) => {
    const before = [propertyIdLine('Villa "Sol"', ID), `${FLAT} / periodAmount up to 2026-08-31: 1.00`];
    const text = [...before, line].join('\n');
    for (const read of [statedFacts, countRules]) {
      expect(() => read(text, SOURCES)).toThrow(problem);
      expect(() => read(text, SOURCES)).toThrow(/^Line 3 of the rules/);
    }
  });
});

test('no source has a category of one name for income and for expenses: a line about a sum does not ask which', () => {
  for (const { income, expense } of Object.values(CATEGORIES)) {
    const namesOf = (set: readonly { key: string; label: string }[]) =>
      set.flatMap(({ key, label }) => [key.toLowerCase(), label.toLowerCase()]);
    expect(namesOf(income).filter((name) => namesOf(expense).includes(name))).toEqual([]);
  }
});
