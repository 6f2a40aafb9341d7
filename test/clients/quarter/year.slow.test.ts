/** A landlord's year: two banks, three properties, a joint one and a business, by one rules file in one command. */
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Json } from '../../fixtures/client.ts';
import { SOURCES } from './landlord.ts';
import { expectedBooks, landlord } from './year-account.ts';
import { type Figures, figuresOfSource, QUARTERS, type Selection } from './year-figures.ts';
import { paymentsOfYear } from './year-model.ts';

type Landlord = Awaited<ReturnType<typeof landlord>>;

/** Pushes the files and expects that every entry is stored. @returns how many were created */
async function push({ run, rules }: Landlord, ...paths: string[]): Promise<number> {
  const { exitCode, err, json } = await run('push', ...paths, '--rules', rules, '--yes', '--json');
  expect([exitCode, err]).toEqual([0, '']);
  return json().created;
}

describe('the books', () => {
  test('are those of the model after one push; pushed again, nothing changes', async () => {
    const payments = paymentsOfYear(2);
    const year = await landlord(payments);
    const expected = expectedBooks(payments);
    expect(await push(year, ...year.paths)).toBe(expected.length);
    expect(await push(year, ...year.paths)).toBe(0);
    expect(await year.books()).toEqual(expected);
  });

  // The test of the page pushes them in order.
  test('are the same if the files are pushed one after the other, the last one first', async () => {
    const payments = paymentsOfYear();
    const year = await landlord(payments);
    for (const path of year.paths.toReversed()) await push(year, path);
    expect(await year.books()).toEqual(expectedBooks(payments));
  });
});

/** Of a source of the document of `figures`. */
const figuresIn = ({ lines, withoutCategory }: Json): Figures => {
  const { count, incomePence, expensePence } = withoutCategory;
  const shown = lines.map(({ type, category, pence, sharePence }: Json) => [
    `${type} ${category}`,
    { pence, sharePence },
  ]);
  return { lines: new Map(shown), without: { count, incomePence, expensePence } };
};

describe('the figures and the proof', () => {
  const payments = paymentsOfYear();
  let year: Landlord;

  beforeAll(async () => {
    year = await landlord(payments);
    await push(year, ...year.paths);
  });

  /** Fails unless each source has the figures of the model in the period. */
  function expectFigures(period: Json, selection: Selection): void {
    expect([period.from, period.to]).toEqual([selection.from, selection.to]);
    const sorted = ({ lines, without }: Figures) => ({
      lines: Object.fromEntries([...lines].sort()),
      without,
    });
    const all = period.businesses.flatMap(({ sources }: Json) => sources);
    for (const { name } of SOURCES) {
      const source = all.find((each: Json) => each.name === name);
      expect(sorted(figuresIn(source))).toEqual(sorted(figuresOfSource(payments, name, selection)));
    }
  }

  const figures = async (...args: string[]) => {
    const { exitCode, json } = await year.run('figures', '--tax-year', '2026-27', '--json', ...args);
    expect(exitCode).toBe(0);
    return json().periods;
  };

  test.each([
    ['standard', true],
    ['calendar', false],
  ] as const)(
    '%s quarters and their year agree with the model to the penny; with rules: %p',
    async (quarters, hasRules) => {
      const periods = await figures(
        ...(quarters === 'calendar' ? ['--calendar-quarters'] : []),
        ...(hasRules ? ['--rules', year.rules] : ['--no-rules']),
      );
      const days = [...QUARTERS[quarters], [QUARTERS[quarters][0][0], QUARTERS[quarters][3][1]] as const];
      expect(periods).toHaveLength(days.length);
      for (const [index, [from, to]] of days.entries()) expectFigures(periods[index], { from, to, hasRules });
    },
  );

  test('are proved: each row is in the books or left out by a rule, and no entry comes from elsewhere', async () => {
    const { exitCode, json } = await year.run('prove', ...year.paths, '--rules', year.rules, '--json');
    expect(exitCode).toBe(0);
    const { isProved, fromElsewhere, counts, files } = json();
    const breaks = files.flatMap(({ balances }: Json) => balances.flatMap((each: Json) => each.breaks));
    expect({ isProved, fromElsewhere, breaks }).toEqual({ isProved: true, fromElsewhere: [], breaks: [] });
    const rows = year.files.flatMap(({ lines }) => lines).filter(({ payment }) => payment);
    const sum = Object.values(counts as Record<string, number>).reduce((all, count) => all + count, 0);
    expect(sum).toBe(rows.length);
  });
});
