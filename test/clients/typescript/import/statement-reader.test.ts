/** One file read again and again gives what reading it anew gives. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type ImportOptions,
  readStatement,
  statementReader,
} from '../../../../clients/typescript/import/index.ts';

const encode = (text: string) => new TextEncoder().encode(text);

test('with any options after any others', async () => {
  const bytes = encode(
    'Date,Details,Amount,Category\n01/02/2026,a,5,x\n02/02/2026,b,-6,\n02/02/2026,b,-6,\nxx,c,"1,50",\n',
  );
  const correction = fc.record(
    {
      date: fc.constantFrom('03/02/2026', 'x'),
      amount: fc.constantFrom('7', '-7,50', 'x'),
      category: fc.constantFrom('', 'a', 'b'),
      isLeftOut: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const options = fc.record(
    {
      dateFormat: fc.constantFrom('dmy', 'mdy', 'dym'),
      decimal: fc.constantFrom('.', ','),
      encoding: fc.constantFrom('utf-8', 'utf-16le'),
      accountLabel: fc.constantFrom('1', '2'),
      map: fc.constantFrom({ category: '' }, { description: 'Category' }, { date: 'nowhere' }),
      categoryIncome: fc.constantFrom('a', 'z'),
      categories: fc.constant({ income: [{ key: 'a', label: 'A' }], expense: [{ key: 'b', label: 'B' }] }),
      rules: fc.constantFrom('type is expense -> b', 'nonsense'),
      corrections: fc.dictionary(fc.integer({ min: 2, max: 6 }).map(String), correction),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<ImportOptions>;
  const outcome = (result: Promise<unknown>) => result.catch((error) => [error.code, error.message]);
  await fc.assert(
    fc.asyncProperty(fc.array(options, { minLength: 2, maxLength: 6 }), async (all) => {
      const read = statementReader(bytes);
      for (const each of all) {
        expect(await outcome(read(each))).toEqual(await outcome(readStatement(bytes, each)));
      }
    }),
    { numRuns: 200 },
  );
});
