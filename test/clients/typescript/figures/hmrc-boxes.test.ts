/** The table of fields, and the guide of categories, against HMRC's mapping of the boxes of the tax return and its schemas. */
import { describe, expect, test } from 'bun:test';
import {
  AMOUNT_MAX,
  CONSOLIDATED,
  SUMMARY_RULES,
  type SummaryField,
} from '../../../../clients/typescript/figures/fields.ts';
import { CATEGORIES } from '../../../../proto/domain.ts';
import { read } from '../../../fixtures/checkout.ts';
import BOXES from './hmrc-boxes.json';
import FACTS from './hmrc-facts.json';

const TYPES = ['uk-property', 'foreign-property', 'self-employment'] as const;
type Type = (typeof TYPES)[number];

/** Fields of the mapping that are no amount of an entry. The guide names those of a business as having no key. */
const NO_AMOUNTS = ['countryCode', 'foreignTaxCreditRelief', 'consolidatedExpenses'];
const NO_KEYS =
  /^(taxTakenOff|businessEntertainment|financeCharges|irrecoverable|depreciation)|Disallowable$/;

/** The boxes by the field in the income or expenses, by HMRC's mapping. */
const boxesOf = (type: Type) =>
  new Map(
    Object.entries(BOXES[type]).flatMap(([box, fields]) =>
      fields.split(' ').map((field): [string, string] => {
        return [field.replace(/^(income|expenses|period(Disallowable)?(Income|Expenses))\./i, ''), box];
      }),
    ),
  );

/** The rows of the guide: the boxes by the field. */
function guideOf(type: Type): Map<string, string> {
  const names = { 'uk-property': 'UK property', 'foreign-property': 'property abroad' };
  const heading = `## Fields of ${type === 'self-employment' ? type : names[type]}\n`;
  const section = read('docs/api/categories.md').split(heading)[1]?.split('\n## ')[0] ?? '';
  const rows = Array.from(section.matchAll(/^\| (.+?) \| (.+?) \|/gm), ([, fields = '', box = '']) =>
    Array.from(fields.matchAll(/`(.+?)`/g), ([, field = '']): [string, string] => [field, box]),
  );
  return new Map(rows.flat());
}

describe.each([...TYPES])('%s', (type) => {
  const own = SUMMARY_RULES[type] as NonNullable<(typeof SUMMARY_RULES)[Type]>;
  const fields = [...Object.values(own.income), ...Object.values(own.expense)].flatMap((field) =>
    field ? [field.path] : [],
  );

  test('every field is in one box of the tax return, and every field of a box is in the table, or named as having no key', () => {
    const boxes = boxesOf(type);
    expect(fields.filter((field) => !boxes.has(field))).toEqual([]);
    const others = [...boxes.keys()].filter(
      (field) => !fields.includes(field) && !NO_AMOUNTS.includes(field),
    );
    expect(others.filter((field) => !NO_KEYS.test(field))).toEqual([]);
    const named = guideOf(type);
    expect(others.filter((field) => !named.has(field.replace(/.*(Disallowable)$/, '…$1')))).toEqual([]);
  });

  test('the guide has the box of every field', () => {
    const boxes = boxesOf(type);
    const guide = guideOf(type);
    expect(fields.filter((field) => guide.get(field) !== boxes.get(field))).toEqual([]);
    for (const [field, box] of guide)
      if (!field.startsWith('…')) expect([field, box]).toEqual([field, boxes.get(field) ?? '']);
  });

  test('signs and maxima are those of the schema, and every category is in the table', () => {
    for (const side of ['income', 'expense'] as const) {
      const facts: Record<string, string> = FACTS[type][side];
      const table: Record<string, SummaryField | undefined> = own[side];
      const shown = Object.entries(table).flatMap(([category, field]) =>
        field ? [[category, `${field.path} ${field.isSigned ? '±' : '+'}`]] : [],
      );
      const wanted = Object.entries(facts).map(([key, fact]) => [key, fact.replace(/[TtB]+$/, '')]);
      expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(wanted));
      expect(Object.keys(table).sort()).toEqual(CATEGORIES[type][side].map(({ key }) => `${key}`).sort());
    }
    expect([AMOUNT_MAX, CONSOLIDATED.isSigned]).toEqual([FACTS.most, true]);
  });
});
