/** The values of a column that may give the direction of an amount are an answer to the question about that amount. */
import { expect, test } from 'bun:test';
import { withAnswer } from '../../../../clients/typescript/import/index.ts';
import { answered, asked, questionsOf, withoutDates } from './answered.ts';
import { csv } from './outcome.ts';

const TABLE = csv(
  'Date,Description,Amount,Category',
  ...['13/04/2026,a,60.00,Repairs', '14/04/2026,b,900.00,Rent'],
);
const CATEGORY = { Category: { Repairs: 'out', Rent: 'in' } } as const;

test('one answer gives the values their meaning, and the amount its direction', async () => {
  expect(await asked(TABLE)).toEqual(['direction Amount']);
  const [question] = await questionsOf(TABLE);
  expect(question?.questions?.map(({ name }) => name)).toEqual(['Category']);
  expect(question && withAnswer({}, question, CATEGORY)).toEqual({
    map: { unsigned: 'Amount' },
    values: CATEGORY,
  });
  expect(withoutDates(await answered(TABLE, [CATEGORY]))).toEqual(['2 -6000 a', '3 +90000 b']);
});

test('an amount of unknown name has them too', async () => {
  const [question] = await questionsOf(TABLE.replace('Amount', 'Sum paid'));
  expect([question?.kind, question?.questions?.map(({ name }) => name)]).toEqual(['amount', ['Category']]);
});

test('a column that is asked about in any case is a question of its own', async () => {
  const rows = ['13/04/2026,a,60.00,Repairs,Away', '14/04/2026,b,900.00,Rent,Here'];
  const text = csv('Date,Description,Amount,Category,Flow', ...rows);
  expect(await asked(text)).toEqual(['values Flow', 'direction Amount']);
  const [, direction] = await questionsOf(text);
  expect(direction?.questions?.map(({ name }) => name)).toEqual(['Category']);
});
