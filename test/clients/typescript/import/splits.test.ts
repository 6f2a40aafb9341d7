/** Splits: the parts add up to the payment, to the penny, and nothing of a row disappears. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { omittedRows } from '../../../../clients/typescript/import/entries/omitted-rows.ts';
import {
  isOfGross,
  type SharePart,
  splitPayment,
} from '../../../../clients/typescript/import/rules/split.ts';
import { runs } from '../../../fixtures/runs.ts';
import { plan, planned, problems, SOURCES } from './plan.ts';

const split = (parts: string, amount: string) =>
  plan(`description is "a" -> 27 Station Road / split: ${parts}`, [`2026-10-01,a,${amount}`]);

describe('a split', () => {
  const THIRD = 'expense professionalFees 33.3333 % of gross, rest periodAmount';
  const TWO = 'expense professionalFees 12 % of gross, expense repairsAndMaintenance 40, rest periodAmount';
  test.each([
    ['half a penny is rounded up', 'professionalFees 5 % of payment, rest', '-0.10', '-0.01 -0.09'],
    ['a third of a payment', THIRD, '100', '-50.00 +150.00'],
    ['a fee and a repair of one gross', TWO, '796', '-114.00 -40.00 +950.00'],
    ['a rest of 0.00 makes no entry', 'residentialFinancialCost 412.50, rest', '-412.50', '-412.50'],
    ['a rest without a category goes to the review queue', 'rest income', '5', '+5.00'],
    ['amounts that add up need no rest', 'other 2.50, travelCosts £1', '-3.50', '-2.50 -1.00'],
  ])('%s', async (_, parts, amount, expected) => {
    const result = await split(parts, amount);
    expect(problems(result)).toEqual([]);
    expect(
      planned(result)
        .map((line) => line.split(' ').at(-1))
        .join(' '),
    ).toBe(expected);
  });

  const MORTGAGE = 'residentialFinancialCost 412.50, rest leave out';
  const ALMOST_ALL = 'expense other 99.9999 % of gross, rest periodAmount';
  const OF_EXPENSE = 'a part of the gross is an expense of it, or income, whichever the rest is not.';
  const TOO_FEW = 'the parts add up to -3.50, and the payment is -3.60.';
  test.each([
    ['other 2.50, travelCosts 1', '-3.60', TOO_FEW],
    [MORTGAGE, '-400', 'the parts are more than the payment of -400.00.'],
    ['professionalFees 12 % of gross, rest', '-5', OF_EXPENSE],
    [ALMOST_ALL, '9007199254740.99', 'a part is larger than an amount can be.'],
  ])('"%s" of %s is a problem of the row', async (parts, amount, problem) => {
    const result = await split(parts, amount);
    expect(result.entries).toEqual([]);
    expect(problems(result)).toEqual([`2 amount: Line 1 of the rules: ${problem}`]);
  });

  const VAT = /adds VAT; write the percentage with it, as 14.4 % for 12 % plus VAT/;
  test.each([
    ['other', /is no list of parts at "other"; parts are: /],
    ['other 0.00, rest', /has no amount or percentage at "other 0.00"/],
    ['other 1.234, rest', /has no amount or percentage at "other 1.234"/],
    ['rest, rest leave out', /has more than one rest/],
    ['other 5 % of gross', /has a part of the gross and no rest, which the gross is/],
    ['other 60 % of gross, travelCosts 40 % of gross, rest', /takes 100 % or more of the gross/],
    ['other 12 % plus VAT of gross, rest', VAT],
    ['other 12 %, rest', /is no list of parts at "other 12 %"/],
    [Array(21).fill('other 1').join(), /has more than 20 parts/],
    ['othr 5, rest', /There is no category "othr" for this source/],
  ])('"%s" is refused with the line', async (parts, message) => {
    await expect(split(parts, '-5')).rejects.toThrow(message);
  });

  test('has references by the position of the part, which stay when categories change', async () => {
    const referencesOf = async (parts: string) =>
      (await split(parts, '-612.50')).entries.map(({ entry, rowReference = '' }) =>
        entry.externalRef?.replace(rowReference, 'row'),
      );
    expect(await referencesOf('leave out 200, other 12.50, rest travelCosts')).toEqual(['row', 'row#3']);
    expect(await referencesOf('leave out 200, travelCosts 12.50, rest')).toEqual(['row', 'row#3']);
  });

  test('is refused for a reference of the file that is too long for its parts', async () => {
    const header = 'Date,Description,Amount,Id';
    const rows = [179, 178].map((length) => `2026-10-01,a,5,${'r'.repeat(length - 1)}${length % 10}`);
    const rules = 'description is "a" -> 27 Station Road / split: periodAmount 1, rest';
    const result = await plan(rules, rows, { header, map: { reference: 'Id' } });
    expect(problems(result)).toEqual([
      '2 reference: The reference is longer than 178 characters, and the row is split.',
    ]);
    expect(result.entries.map(({ entry }) => entry.externalRef?.length)).toEqual([178, 180]);
  });

  test('whose part has the reference of another row makes the later of the two invalid', async () => {
    const options = { header: 'Date,Description,Amount,Id', map: { reference: 'Id' } };
    const rules = [
      'description is "a" -> 27 Station Road / split: periodAmount 1, rest',
      'otherwise -> 27 Station Road',
    ];
    const [split, other] = ['2026-10-01,a,5,X', '2026-10-02,b,7,X#2'];
    const message = '3 reference: Row 2 has this reference with other content.';
    const first = await plan(rules, [split, other, '2026-10-02,b,8,X#3'], options);
    expect(problems(first)).toEqual([message]);
    expect(first.entries.map(({ entry }) => entry.externalRef)).toEqual(['X', 'X#2', 'X#3']);
    const second = await plan(rules, [other, split], options);
    expect(problems(second)).toEqual([message]);
    const corrections = { 2: { isLeftOut: true } };
    expect(problems(await plan(rules, [split, other], { ...options, corrections }))).toEqual([]);
  });

  test('that leaves out all of its parts leaves out the row, and lists them', async () => {
    const result = await split('leave out 2, rest leave out', '-5');
    expect(planned(result)).toEqual(['2#1 left out by 1 -2.00', '2#2 left out by 1 -3.00']);
    expect(omittedRows(result)).toEqual([{ row: 2, reason: 'Line 1 of the rules leaves it out.', rule: 1 }]);
  });

  test('goes before the category of the file, which is that of no part', async () => {
    const rules = 'description is "a" -> 27 Station Road / split: residentialFinancialCost 4, rest leave out';
    const options = { header: 'Date,Description,Amount,Category' };
    expect(planned(await plan(rules, ['2026-10-01,a,-5,financialCosts'], options))).toEqual([
      '2#1 27 Station Road / residentialFinancialCost -4.00',
      '2#2 left out by 1 -1.00',
    ]);
  });
});

describe('parts of different sources', () => {
  const INSURANCE =
    'description is "Aviva" -> split: 12 Acacia Avenue / other 60 % of payment, "Flat 3, Mill Lane" / rest other';
  const ROW = ['2026-10-01,Aviva,-100.01'];
  const header = 'Date,Description,Amount,House';

  test('have the categories of their sources, and the references of parts', async () => {
    const rules =
      'description is "Aviva" -> 27 Station Road / split: other 50, Web design / adminCosts 20, leave out 5, rest travelCosts';
    const result = await plan(rules, ROW);
    expect(planned(result)).toEqual([
      '2#1 27 Station Road / other -50.00',
      '2#2 Web design / adminCosts -20.00',
      '2#3 left out by 1 -5.00',
      '2#4 27 Station Road / travelCosts -25.01',
    ]);
    const references = result.entries.map(({ entry, rowReference = '' }) =>
      entry.externalRef?.replace(rowReference, 'row'),
    );
    expect(references).toEqual(['row', 'row#2', 'row#4']);
    expect(result.entries.every(({ isSourceChosen }) => isSourceChosen)).toBe(true);
  });

  test('need no other source, and go before a column; a source that a person chooses is that of all', async () => {
    const options = { header, map: { source: 'House' } };
    const parts = ['2#1 12 Acacia Avenue / other -60.01', '2#2 Flat 3, Mill Lane / other -40.00'];
    expect(planned(await plan(INSURANCE, ROW))).toEqual(parts);
    expect(planned(await plan(INSURANCE, [`${ROW},27 Station Road`], options))).toEqual(parts);
    const corrections = { 2: { source: '27 Station Road' } };
    expect(planned(await plan(INSURANCE, ROW, { corrections }))).toEqual([
      '2#1 27 Station Road / other -60.01',
      '2#2 27 Station Road / other -40.00',
    ]);
  });

  test('are no source of a row that a person makes whole', async () => {
    const result = await plan(INSURANCE, ROW, { corrections: { 2: { category: 'other' } } });
    expect(problems(result)).toEqual([
      '2 source: Nothing decides where this row belongs: add a rule, or choose a property or business.',
    ]);
  });

  test.each([
    ['split: 12 Acacia Avenue / other 5, rest', /has parts with a source and parts without; name the/],
    ['split: 12 Acacia Avenu / other 5, 27 Station Road / rest', /There is no source "12 Acacia Avenu"/],
    ['split: Web design / periodAmount 5, 27 Station Road / rest', /There is no category "periodAmount"/],
    ['split: 12 Acacia Avenue / leave out 5, 27 Station Road / rest', /leaves out a part that has a source/],
    ['split: 12 Acacia Avenue / b / other 5, rest', /has more than one \//],
    ['split: / other 5, rest', /has no name on one side of the \//],
    ['/ split: other 5, rest', /has no name on one side of the \//],
  ])('"%s" is refused with the line', async (decision, message) => {
    await expect(plan(`description is "Aviva" -> ${decision}`, ROW)).rejects.toThrow(message);
  });
});

const pence = fc.integer({ min: 1, max: 10_000_000 });
const type = fc.constantFrom('income' as const, 'expense' as const);
const fixed = fc.record({ kind: fc.constant('amount' as const), pence });
const percent = fc.record({
  kind: fc.constant('percent' as const),
  millionths: fc.integer({ min: 1, max: 190_000 }),
  of: fc.constantFrom('payment' as const, 'gross' as const),
});
const part = (share: fc.Arbitrary<SharePart['share']>): fc.Arbitrary<SharePart> =>
  fc.record({
    share,
    type: fc.option(type, { nil: undefined }),
    category: fc.constant(undefined),
    isLeftOut: fc.boolean(),
  });
const parts = fc
  .tuple(
    fc.array(part(fc.oneof(fixed, percent)), { maxLength: 5 }),
    fc.option(part(fc.constant({ kind: 'rest' as const }))),
  )
  // The parser refuses a part of the gross without a rest.
  .map(([some, rest]) => (rest ? [...some, rest] : some.filter((each) => !isOfGross(each))));
const signed = ({ type, pence }: { type: string; pence: number }) => (type === 'income' ? pence : -pence);

test('the parts with their signs add up to any payment, and each percentage is right to half a penny', () => {
  let splits = 0;
  fc.assert(
    fc.property(fc.record({ type, pence }), parts, (payment, list) => {
      const result = splitPayment(payment, list);
      if ('problem' in result) return;
      splits++;
      expect(result.reduce((sum, each) => sum + signed(each), 0)).toBe(signed(payment));
      const gross = result.find((_, index) => list[index]?.share.kind === 'rest')?.pence ?? 0;
      for (const [index, { share }] of list.entries()) {
        const { pence: amount = -1 } = result[index] ?? {};
        expect(amount).toBeGreaterThanOrEqual(0);
        if (share.kind === 'amount') expect(amount).toBe(share.pence);
        if (share.kind !== 'percent') continue;
        // The gross that is stored is rounded itself, by at most half a penny for each percentage.
        const of = share.of === 'payment' ? payment.pence : gross;
        const rounding = share.of === 'payment' ? 0 : list.length / 2;
        expect(Math.abs(amount - (of * share.millionths) / 1e6)).toBeLessThanOrEqual(0.5 + rounding + 1e-6);
      }
    }),
    { numRuns: runs(2_000) },
  );
  expect(splits).toBeGreaterThan(runs(300));
});

test('nothing of a file disappears: each row is entries, skipped or invalid, and what it is adds up to it', async () => {
  const rules = [
    'description contains "a" -> 12 Acacia Avenue / split: periodAmount 10, rest leave out',
    'description contains "b" -> 27 Station Road / split: expense professionalFees 12 % of gross, rest periodAmount',
    'description contains "c" -> leave out',
    'description contains "d" -> ask',
    'description contains "e" -> Web design',
  ];
  const row = fc.record({
    description: fc.string({ unit: fc.constantFrom(...'abcdexyz'), minLength: 1, maxLength: 4 }),
    pence: fc.integer({ min: -5_000, max: 5_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 12 }), fc.boolean(), async (rows, hasDefault) => {
      const texts = rows.map(
        ({ description, pence }) => `2026-10-01,${description},${(pence / 100).toFixed(2)}`,
      );
      const result = await plan(rules, texts, hasDefault ? { source: SOURCES[0]?.id } : {});
      for (const [index, { pence }] of rows.entries()) {
        const of = <Item extends { row: number }>(items: readonly Item[]) =>
          items.filter((item) => item.row === index + 2);
        const { entries, invalid, leftOut } = result;
        const kinds = [entries, omittedRows(result), invalid].filter(
          (items) => of<{ row: number }>(items).length > 0,
        );
        expect(kinds).toHaveLength(1);
        if (of(invalid).length > 0) continue;
        const amounts = [...of(entries).map(({ entry }) => entry), ...of(leftOut)];
        const sum = amounts.reduce((total, each) => total + signed({ ...each, pence: each.amountPence }), 0);
        expect(sum).toBe(pence);
      }
    }),
  );
});
