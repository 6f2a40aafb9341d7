/** Rules that decide about rows: source, category, parts, what is left out and what a person decides. */
import { describe, expect, test } from 'bun:test';
import { omittedRows } from '../../../../clients/typescript/import/entries/omitted-rows.ts';
import { plan, planned, problems, SOURCES } from './plan.ts';

const RULES = `
# the first rule that matches decides
description contains "MILL LANE" -> Flat 3, Mill Lane / periodAmount
description starts with "HUNTERS" -> 27 Station Road / split: expense professionalFees 12 % of gross incl. VAT, rest income periodAmount
description contains "MORTGAGE" -> 12 Acacia Avenue / split: residentialFinancialCost 412.50, rest leave out
description is "TRANSFER TO SAVINGS" -> leave out
description contains "REFUND" and type is income -> 12 Acacia Avenue / refund of repairsAndMaintenance
description contains "CLIENT" -> Web design
otherwise -> ask # nobody knows
`;

test('the first rule that matches decides about each row', async () => {
  const result = await plan(RULES, [
    '2026-10-01,RENT MILL LANE,900',
    '2026-10-02,HUNTERS LETTINGS 77,836',
    '2026-10-03,NATIONWIDE MORTGAGE 4471,-612.50',
    '2026-10-04,Transfer to  savings,-500',
    '2026-10-05,PLUMBER REFUND,40',
    '2026-10-06,CLIENT A,1000',
    '2026-10-07,TESCO,-55',
  ]);
  expect(planned(result)).toEqual([
    '2 Flat 3, Mill Lane / periodAmount +900.00',
    '3#1 27 Station Road / professionalFees -114.00',
    '3#2 27 Station Road / periodAmount +950.00',
    '4#1 12 Acacia Avenue / residentialFinancialCost -412.50',
    '4#2 left out by 5 -200.00',
    '5 left out by 6 -500.00',
    '6 12 Acacia Avenue / ? +40.00',
    '7 Web design / ? +1000.00',
  ]);
  expect(problems(result)).toEqual([
    '8 source: Line 9 of the rules asks where this row belongs: choose a property or business, or leave it out.',
  ]);
  expect(result.skipped).toEqual([]);
  expect(omittedRows(result)).toEqual([{ row: 5, reason: 'Line 6 of the rules leaves it out.', rule: 6 }]);
  expect(result.entries.map(({ rule }) => rule)).toEqual([3, 4, 4, 5, 7, 8]);
});

describe('the source of a row', () => {
  const ROW = '2026-10-01,Rent,900';
  const header = 'Date,Description,Amount,House';
  const options = { header, map: { source: 'House' } };

  test('nothing decides about is a problem, unless there is one for all', async () => {
    expect(problems(await plan('', [ROW]))).toEqual([
      '2 source: Nothing decides where this row belongs: add a rule, or choose a property or business.',
    ]);
    expect(planned(await plan('', [ROW], { source: SOURCES[2]?.id }))).toEqual([
      '2 27 Station Road / ? +900.00',
    ]);
  });

  test('is that of the column, else of the rule; a name that no source has is a problem with the nearest one', async () => {
    const result = await plan(
      'type is income -> Web design',
      [`${ROW},27 station  ROAD`, `${ROW},`, `${ROW},12 Acaica Avenue`, `${ROW},Nowhere`],
      options,
    );
    expect(planned(result)).toEqual(['2 27 Station Road / ? +900.00', '3 Web design / ? +900.00']);
    expect(problems(result)).toEqual([
      '4 source: There is no source "12 Acaica Avenue". Did you mean 12 Acacia Avenue?',
      '5 source: There is no source "Nowhere". The sources are 12 Acacia Avenue, Flat 3, Mill Lane, 27 Station Road, Web design.',
    ]);
  });

  test('of the column needs no question of a rule', async () => {
    expect(planned(await plan('otherwise -> ask', [`${ROW},Web design`], options))).toEqual([
      '2 Web design / ? +900.00',
    ]);
  });

  test('that a person chooses goes before the column and the rule, also of a row that a rule leaves out or asks about', async () => {
    const corrections = { 2: { source: 'Web design' }, 3: { source: 'id of web design' } };
    const rules = ['description is "Rent" -> leave out', 'otherwise -> ask'];
    const rows = [`${ROW},27 Station Road`, '2026-10-02,x,5,'];
    expect(planned(await plan(rules, rows, { ...options, corrections }))).toEqual([
      '2 Web design / ? +900.00',
      '3 Web design / ? +5.00',
    ]);
  });

  test('has the categories of its type', async () => {
    const rules = ['type is income -> turnover', 'type is expense -> 12 Acacia Avenue'];
    const { sources } = { sources: SOURCES };
    const rows = ['2026-10-01,a,5', '2026-10-01,b,-6'];
    const result = await plan(rules, rows, {
      source: sources[0]?.id,
      categoryExpense: 'repairsAndMaintenance',
    });
    expect(problems(result)).toEqual([
      expect.stringMatching(
        /^2 category: Line 1 of the rules: There is no category "turnover" for this source/,
      ),
    ]);
    expect(planned(result)).toEqual(['3 12 Acacia Avenue / repairsAndMaintenance -6.00']);
  });
});

describe('a category', () => {
  test('of the file goes before that of the rule, whose source stays', async () => {
    const header = 'Date,Description,Amount,Category';
    const rows = ['2026-10-01,a,-5,travelCosts', '2026-10-01,b,-5,'];
    expect(planned(await plan('type is expense -> 27 Station Road / other', rows, { header }))).toEqual([
      '2 27 Station Road / travelCosts -5.00',
      '3 27 Station Road / other -5.00',
    ]);
  });

  test('that a person chooses makes a row whole that a rule splits', async () => {
    const rows = ['2026-10-03,NATIONWIDE MORTGAGE 4471,-612.50'];
    const corrections = { 2: { category: 'financialCosts' } };
    expect(planned(await plan(RULES, rows, { corrections }))).toEqual([
      '2 12 Acacia Avenue / financialCosts -612.50',
    ]);
  });
});

test('a row that a rule leaves out is brought back by a person', async () => {
  const rows = ['2026-10-04,TRANSFER TO SAVINGS,-500'];
  const source = SOURCES[0]?.id;
  const result = await plan(RULES, rows, { source, corrections: { 2: { isLeftOut: false } } });
  expect(planned(result)).toEqual(['2 12 Acacia Avenue / ? -500.00']);
});

test('an amount that a person corrects is split again', async () => {
  const rows = ['2026-10-02,HUNTERS LETTINGS 77,836'];
  const result = await plan(RULES, rows, { corrections: { 2: { amount: '880' } } });
  expect(planned(result)).toEqual([
    '2#1 27 Station Road / professionalFees -120.00',
    '2#2 27 Station Road / periodAmount +1000.00',
  ]);
});

test('an expense is no refund of an expense', async () => {
  const rules = 'description contains "PLUMBER" -> 12 Acacia Avenue / refund of repairsAndMaintenance';
  expect(problems(await plan(rules, ['2026-10-05,PLUMBER,-40']))).toEqual([
    '2 type: Line 1 of the rules: an entry that is expense is no refund of repairsAndMaintenance; add "type is income" to the rule.',
  ]);
});

describe('a name', () => {
  test('may be in quotes, and a # in quotes begins no comment', async () => {
    const sources = [{ ...SOURCES[0], id: '1', name: 'No / "7" # b' }];
    const rules = 'type is income -> "No / ""7"" # b" / "rent received" # a comment';
    expect(planned(await plan(rules, ['2026-10-01,a,5'], { sources }))).toEqual([
      '2 No / "7" # b / periodAmount +5.00',
    ]);
  });

  test.each([
    ['Acacia Road 12', /There is no source "Acacia Road 12"\. Did you mean 12 Acacia Avenue\?/],
    ['9 Mill Lane', /There is no source "9 Mill Lane"\. Did you mean Flat 3, Mill Lane\?/],
    ['Acacia', /There is no source "Acacia"\. Did you mean 12 Acacia Avenue\?/],
    ['othr', /There is no category "othr" for this source\. Did you mean .*\(other\)\?/],
    ['12 Acacia Avenu / other', /There is no source "12 Acacia Avenu"\. Did you mean 12 Acacia Avenue\?/],
    ['12 Acacia Avenue / othr', /There is no category "othr" for this source\. Did you mean .*\(other\)\?/],
    ['Web design / periodAmount', /There is no category "periodAmount" for this source/],
    ['a / b / c', /has more than one \/; put a name with a \/ in quotes/],
    ['/ other', /has no name on one side of the \//],
    ['', /has no category; a rule ends in -> and a category, a source or "leave out"/],
  ])('in "%s" that means nothing is refused with the line', async (decision, message) => {
    const rules = ['# first', `type is expense -> ${decision}`];
    const error = await plan(rules, ['2026-10-01,a,-5']).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'invalid_rules', option: 'rules' });
    expect(error.message).toMatch(/^Line 2 of the rules/);
    expect(error.message).toMatch(message);
  });

  test('that a source and a category have is refused, and so is one of two sources', async () => {
    const [first] = SOURCES;
    const named = (...names: string[]) => names.map((name, id) => ({ ...first, id: String(id), name }));
    const decided = (name: string, sources: ReturnType<typeof named>) =>
      plan(`type is expense -> ${name}`, ['2026-10-01,a,-5'], { sources });
    await expect(decided('other', named('Other'))).rejects.toThrow(
      'Line 1 of the rules has "other", a source and a category',
    );
    await expect(decided('Flat / other', named('Flat', 'flat'))).rejects.toThrow(
      '"Flat" is the name of several sources; use an id: 0, 1.',
    );
  });

  test('of a source is refused where the sources are not known', async () => {
    const rules = 'type is expense -> Flat / other';
    await expect(plan(rules, ['2026-10-01,a,-5'], { sources: undefined })).rejects.toThrow(
      'Line 1 of the rules names the source "Flat", and the sources of the account are not known.',
    );
  });
});

test('no rule comes after "otherwise"', async () => {
  const rules = ['otherwise -> leave out', 'type is expense -> other'];
  await expect(plan(rules, [])).rejects.toThrow(
    'Line 2 of the rules is never reached: line 1 decides about all other rows.',
  );
});
