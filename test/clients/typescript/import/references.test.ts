/** Derived references: they never change, and neither order, overlap nor repetition of exports makes a difference. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { referenceDeriver } from '../../../../clients/typescript/import/values/derived-reference.ts';
import { runs } from '../../../fixtures/runs.ts';
import { ofOneSource, readFixture, readText, references, rowsOf } from './files.ts';

describe('a derived reference never changes between versions:', () => {
  test('of a content and its occurrence', () => {
    const derive = referenceDeriver();
    const payment = { date: '2026-04-03', type: 'expense', pence: 250 } as const;
    const content = { ...payment, account: '', description: 'Parking' };
    expect([derive(content), derive(content), derive({ ...content, type: 'income' })]).toEqual([
      'imp1-c4dd58b5b36879bbf4629505fff2d96e',
      'imp1-a2bcc13df9d0d8fbb4a0483f36bd9ed2',
      'imp1-b4a64af7a35e7a4a50c250a1d0b4bfbd',
    ]);
  });

  // The last column is the beginning of the SHA-256 of the references, one on each line.
  test.each<[string, ImportOptions, number, string]>([
    ['starling.csv', {}, 5, '43528370cc156a242640b82d7a1ffe53'],
    ['barclays.csv', {}, 4, '52becf5423cf0d46b4b33753e0b7887d'],
    ['lloyds.csv', {}, 4, 'b168e634b6c07d1ced5ed9e6b084c1c2'],
    ['nationwide.csv', {}, 5, '41d7eeacdff38f4c3ed83b4e9b882f98'],
    ['amex.csv', { bank: 'amex' }, 4, '33347bd65269e4ca86fed47bc89bb984'],
  ])('of %s', async (file, options, count, expected) => {
    const result = await readFixture(file, options);
    const hash = new Bun.CryptoHasher('sha256').update(references(result).join('\n')).digest('hex');
    expect([references(result).length, hash.slice(0, 32)]).toEqual([count, expected]);
    expect(result.entries.every(({ isReferenceDerived }) => isReferenceDerived)).toBe(true);
  });

  test('by the text before it is hashed', () => {
    const derive = referenceDeriver();
    const content = { account: 'a', date: '2026-04-03', type: 'income', pence: 1, description: 'b' } as const;
    const canonical = ['imp1', 'a', '2026-04-03', 'income', '1', 'b', '1'].join('\u001f');
    const hash = new Bun.CryptoHasher('sha256').update(canonical).digest('hex');
    expect(derive(content)).toBe(`imp1-${hash.slice(0, 32)}`);
  });

  test('whatever the spaces and the composition of letters', () => {
    const payment = { account: '', date: '2026-04-03', type: 'income', pence: 1 } as const;
    const referenceOf = (description: string) => referenceDeriver()({ ...payment, description });
    expect(referenceOf(' Cafe\u0301 \t\u00a0 Zoë\n')).toBe(referenceOf('Café Zoë'));
    expect(referenceOf('a\u001fb')).toBe(referenceOf('a b'));
    expect(referenceOf('B&Q')).not.toBe(referenceOf('b&q'));
  });
});

interface Row {
  day: number;
  pence: number;
  text: string;
}

const toCsv = (rows: Row[]) =>
  ['Date,Details,Amount']
    .concat(rows.map(({ day, pence, text }) => `2026-04-0${day},${text},${(pence / 100).toFixed(2)}`))
    .join('\n');

/** Few days, amounts and texts, so that many rows are identical. */
const rowsOfMonth = fc.array(
  fc.record({
    day: fc.integer({ min: 1, max: 6 }),
    pence: fc.constantFrom(-250, 250, 1),
    text: fc.constantFrom('a', 'b'),
  }),
  { maxLength: 40 },
);
/** Rows that add up or cancel each other are payments. */
const all = {
  rowMeanings: Object.fromEntries(Array.from({ length: 42 }, (_, row) => [row, 'keep' as const])),
};
const periods = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })), {
  maxLength: 5,
});

test('any rows, in any order, in any exports of whole days that overlap, have the references of the rows themselves', async () => {
  await fc.assert(
    fc.asyncProperty(rowsOfMonth, periods, fc.integer({ min: 0, max: 40 }), async (rows, exported, turn) => {
      const whole = references(await readText(toCsv(rows), all));
      expect(new Set(whole).size).toBe(rows.length);
      const seen = new Set<string | undefined>();
      for (const [from, to] of [...exported, [1, 3], [3, 6]] as [number, number][]) {
        const part = rows.filter(({ day }) => day >= from && day <= to);
        const at = part.length === 0 ? 0 : turn % part.length;
        const turned = [...part.slice(at), ...part.slice(0, at)].reverse();
        for (const reference of references(await readText(toCsv(turned), all))) seen.add(reference);
      }
      expect([...seen].sort()).toEqual([...whole].sort());
    }),
    { numRuns: runs(60) },
  );
});

describe('references of the file', () => {
  const text = 'Date,Details,Amount,Reference,No\n2026-04-01,Rent,5,RENT,7\n2026-05-01,Rent,5,RENT,8\n';

  test('are used when mapped; a column called Reference is text of the payer, which repeats', async () => {
    const mapped = await readText(text, { map: { reference: 'No' } });
    expect(references(mapped)).toEqual(['7', '8']);
    const derived = await readText(text);
    expect(derived.entries.map(({ isReferenceDerived }) => isReferenceDerived)).toEqual([true, true]);
    expect(new Set(references(derived)).size).toBe(2);
  });

  test('that repeat are invalid until the user says whether they are one payment', async () => {
    const rows =
      'Date,Amount,Transaction ID\n2026-04-01,5,a\n2026-04-01,5,a\n2026-04-02,5,a\n2026-04-02,5,\n';
    expect(await rowsOf(rows)).toEqual([[2, 5], [], [3, 4]]);
    expect(await rowsOf(rows, { repeated: 'same' })).toEqual([[2, 5], [3], [4]]);
    const asked = { column: 'Transaction ID', option: 'repeated' };
    expect((await readText(rows)).invalid).toMatchObject([asked, asked]);
    expect(await rowsOf(rows, { repeated: 'another' })).toEqual([[2, 3, 4, 5], [], []]);
    const equal = await readText(rows.replace('2026-04-02,5,a\n', ''), { repeated: 'another' });
    expect(references(equal).slice(0, 2)).toEqual(['a', 'a~2']);
    // Different payments that share a reference have none.
    const shared = await readText(rows, { repeated: 'another' });
    expect(shared.entries.filter(({ isReferenceDerived }) => isReferenceDerived)).toHaveLength(4);
  });

  test('that the API would refuse are invalid', async () => {
    const { invalid } = await readText(`Date,Amount,externalRef\n2026-04-01,5,${'🏠'.repeat(181)}\n`);
    expect(invalid).toMatchObject([{ row: 2, column: 'externalRef' }]);
  });
});

test('accounts do not swallow each other: by the account in the file, and by the label', async () => {
  const rows = 'Date,Details,Amount,Account\n2026-04-01,Fee,-5,111\n2026-04-01,Fee,-5,222\n';
  const [first, second] = references(await readText(rows));
  const [alone] = references(await readText('Date,Details,Amount,Account\n2026-04-01,Fee,-5,222\n'));
  expect(second).toBe(alone as string);
  expect(first).not.toBe(second);
  const bare = 'Date,Details,Amount\n2026-04-01,Fee,-5\n';
  const [none] = references(await readText(bare));
  const [labelled] = references(await readText(bare, { accountLabel: '222' }));
  expect(none).not.toBe(labelled);
  expect(labelled).toBe(alone as string);
});

test('an invalid category takes the number of its row, so that the others keep theirs when it is corrected', async () => {
  const ofShop = ofOneSource({ income: [{ key: 'rent', label: 'Rent' }], expense: [] });
  const csv = (category: string) => `Date,Amount,Category\n2026-04-01,5,${category}\n2026-04-01,5,rent\n`;
  const broken = await readText(csv('rnt'), ofShop);
  const corrected = await readText(csv('rent'), ofShop);
  expect(broken.invalid).toMatchObject([{ row: 2, column: 'Category', value: 'rnt' }]);
  expect(references(corrected)).toContain(references(broken)[0]);
  expect(references(corrected)[1]).toBe(references(broken)[0] as string);
});
