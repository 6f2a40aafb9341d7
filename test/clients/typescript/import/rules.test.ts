/** The grammar of rules: conditions, alternatives, periods, arrows, and which rules decide about nothing. */
import { describe, expect, test } from 'bun:test';
import { countRules } from '../../../../clients/typescript/import/rules/compiled-rules.ts';
import type { Subject } from '../../../../clients/typescript/import/rules/conditions.ts';
import { entriesAreLine, entriesAreOf } from '../../../../clients/typescript/import/rules/entries-are.ts';
import { parseRules } from '../../../../clients/typescript/import/rules/rules-text.ts';
import { plan, planned, SOURCES } from './plan.ts';

const ROWS: Subject[] = [
  { description: 'rent or mortgage', type: 'income', pence: 90_000, date: '2026-04-30' },
  { description: 'rent', type: 'expense', pence: 90_000, date: '2026-05-01' },
  { description: 'or', type: 'expense', pence: 500, date: '2026-05-31' },
  { description: 'from 2026-05-01 "in" may', type: 'income', pence: 41_250, date: '2026-06-01' },
  { description: 'british gas', type: 'expense', pence: 41_500, date: '2027-02-28' },
  { description: 'edf', type: 'expense', pence: 41_500, date: undefined },
  { description: 'a "b" and -> otherwise #', type: 'expense', pence: 100, date: '2024-02-29' },
];
/** The rows about which the first rule decides, by their index. */
const decided = (rules: string) => {
  const [rule] = parseRules(rules);
  return [...ROWS.keys()].filter((index) => rule?.matches(ROWS[index] as Subject)).join('');
};

describe('a condition', () => {
  test.each([
    // The grammar before alternatives and periods: a text in quotes is a text.
    ['description contains "rent or mortgage"', '0'],
    ['description is "or"', '2'],
    ['description starts with "from 2026-05-01"', '3'],
    ['description contains """in"" may"', '3'],
    ['DESCRIPTION  Contains "RENT"and type is Expense', '1'],
    ['amount over 5.00 and amount under £900', '345'],
    ['otherwise', '0123456'],
    ['description ends with "otherwise #"', '6'],
    ['description starts with "or"', '2'],
    ['description ends with "rent"', '1'],
    ['description is "rent"', '1'],
    ['"->" AND\tdescription starts with "a ""b"" and" or "x"', '6'],
    // Alternatives.
    ['"british gas" or "edf"', '45'],
    ['description is "edf" OR "or"or "nothing"', '25'],
    ['amount is 412.50 or 415', '345'],
    ['amount over 900 or 414.99', '0145'],
    ['amount under 0.50 or 5', '6'],
    ['"rent" or "edf" and type is expense', '15'],
    ['type is expense and "rent" or "edf"', '15'],
    ['“british gas” or „or”', '024'],
    // Periods: both days count, and a row without a date is in none.
    ['"r" from 2026-05-01', '1234'],
    ['from 2026-05-01 until 2026-05-31', '12'],
    ['until 30 April 2026', '06'],
    ['from 2024-02-29 until 2024-02-29', '6'],
    ['in May 2026', '12'],
    ['in 2026 and type is expense', '12'],
    ['type is expense in sept 2026 or FEB 2027', '4'],
    ['from 2026-05-01 and "r" in 2026', '123'],
  ])('%s', (conditions, rows) => {
    for (const arrow of ['->', '→', '⇒', '–>', '‑>', '—>', '-->', '=>'])
      expect(decided(`${conditions} ${arrow} other`)).toBe(rows);
  });

  test.each([
    [
      '"a" or description contains "b"',
      'has "or" before "description contains "b" -> other"; "or" joins values',
    ],
    ['"a" or "b" or', 'has "or" before "-> other"'],
    ['"a" or ""', 'looks for an empty text'],
    ['"a" or in 2026', 'has "or" before "in 2026 -> other"'],
    ['or', 'is not a rule at "or -> other"'],
    ['"a", "b"', 'has no -> at ", "b" -> other"; a rule is conditions'],
    ['"a" to other', 'has no -> at "to other'],
    ['‘a’', 'is not a rule at "‘a’ -> other"'],
    ['from 2026-02-29', 'has "2026-02-29", which is in no calendar; dates are written 2026-05-01'],
    ['in Mai 2026', 'has "Mai 2026", which is in no calendar'],
    ['in 0026', 'has "0026", which is in no calendar'],
    ['from 01/05/2026', 'has no day or month at "01/05/2026 -> other"; dates are written 2026-05-01'],
    ['in 2026-27', 'has no day or month at "2026-27 -> other"'],
    ['in May', 'has no day or month at "May -> other"'],
    ['from 2026-05-01 until 2026-04-30', 'names no day: its periods do not overlap'],
    ['in May 2026 in June 2026', 'names no day'],
    ['otherwise in 2026', 'has no -> at "in 2026 -> other"'],
  ])('%s is refused with the line', (conditions, message) => {
    expect(() => parseRules(`# first\n${conditions} -> other`)).toThrow(`Line 2 of the rules ${message}`);
  });
});

test('a rule that decides about no row is told from one that an earlier rule shadows', async () => {
  const rules = [
    'description contains "gas" -> 12 Acacia Avenue / other',
    'description contains "british gas" -> 12 Acacia Avenue / repairsAndMaintenance',
    '"rent" in 2027 -> leave out',
    'otherwise -> ask',
  ];
  const rows = ['2026-05-01,British Gas,-50', '2026-05-02,gas,-5', '2026-05-03,rent,5', ',total,-50'];
  const result = await plan(rules, rows);
  expect(result.rules).toEqual([
    { line: 1, text: rules[0] as string, rows: 2, isForAll: false, shadowedBy: [] },
    { line: 2, text: rules[1] as string, rows: 0, isForAll: false, shadowedBy: [{ line: 1, rows: 1 }] },
    { line: 3, text: rules[2] as string, rows: 0, isForAll: false, shadowedBy: [] },
    { line: 4, text: rules[3] as string, rows: 1, isForAll: true, shadowedBy: [] },
  ]);
  expect(planned(result)).toHaveLength(2);
});

test('lines about the entries of a source are no rules, may come after "otherwise", and name one source each', () => {
  const lines = [
    'otherwise -> ask',
    'entries of 12 Acacia Avenue are my share # since 2024',
    'ENTRIES OF "Flat 3, Mill Lane" are the whole',
    entriesAreLine('Flat 3, Mill Lane', 'whole'),
  ];
  expect(parseRules(lines.join('\n'))).toHaveLength(1);
  const [acacia, mill] = SOURCES;
  const expected = [
    [acacia?.id, 'share'],
    [mill?.id, 'whole'],
  ];
  expect([...entriesAreOf(lines.join('\r\n'), SOURCES)] as unknown).toEqual(expected);
  for (const [line, message] of [
    ['entries of 12 Acacia Avenue', 'Line 5 of the rules does not end with "are my share" or'],
    [
      'entries of Acacia Street are my share',
      'Line 5 of the rules: There is no source "Acacia Street". Did you mean',
    ],
    ['entries of 12 Acacia Avenue are of the whole', 'Line 5 of the rules contradicts an earlier line'],
  ] as const)
    expect(() => countRules([...lines, line].join('\n'), SOURCES)).toThrow(message);
});
