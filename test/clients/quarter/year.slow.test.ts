/** A landlord's year: two banks, three properties, a joint one and a business, by one rules file in one command. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Json } from '../../fixtures/client.ts';
import { directory } from '../cli/command.ts';
import type { BankFile, Line } from './bank-files.ts';
import { SOURCES } from './landlord.ts';
import { expectedBooks, landlord, write } from './year-account.ts';
import { type Figures, figuresOfSource, figuresOfType, QUARTERS, type Selection } from './year-figures.ts';
import { type Payment, paymentsOfYear } from './year-model.ts';

type Landlord = Awaited<ReturnType<typeof landlord>>;

/** Pushes the files and expects that every entry is stored. @returns how many were created */
async function push({ run, rules }: Landlord, ...paths: string[]): Promise<number> {
  const { exitCode, err, json } = await run('push', ...paths, '--rules', rules, '--yes', '--json');
  expect([exitCode, err]).toEqual([0, '']);
  return json().created;
}

describe('the books', () => {
  test.each([1, 2])(
    'are those of the model after one push; pushed again, nothing changes (seed %p)',
    async (seed) => {
      const payments = paymentsOfYear(seed);
      const year = await landlord(payments);
      const expected = expectedBooks(payments);
      expect(await push(year, ...year.paths)).toBe(expected.length);
      expect(await year.books()).toEqual(expected);
      expect(await push(year, ...year.paths)).toBe(0);
      expect(await year.books()).toEqual(expected);
    },
  );

  // The test of the page pushes them in order.
  test('are the same if the files are pushed one after the other, the last one first', async () => {
    const payments = paymentsOfYear();
    const year = await landlord(payments);
    for (const path of year.paths.toReversed()) await push(year, path);
    expect(await year.books()).toEqual(expectedBooks(payments));
  });
});

/** Of a business or a source of the document of `figures`. */
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

  /** Fails unless the period has the figures of the model: of each type together and of each source. */
  function expectFigures(period: Json, selection: Selection): void {
    expect([period.from, period.to]).toEqual([selection.from, selection.to]);
    const sorted = ({ lines, without }: Figures) => ({
      lines: Object.fromEntries([...lines].sort()),
      without,
    });
    const of = (type: string) => period.businesses.filter((each: Json) => each.type === type);
    const types = {
      'uk-property': of('uk-property'),
      // The account has another business, without entries.
      'self-employment': of('self-employment').filter(({ name }: Json) => name === 'Web design'),
    };
    for (const [type, businesses] of Object.entries(types)) {
      expect(businesses).toHaveLength(1);
      const model = figuresOfType(payments, type, selection);
      expect(sorted(figuresIn(businesses[0]))).toEqual(sorted(model));
      for (const { name } of SOURCES.filter((source) => source.type === type)) {
        const source = businesses[0].sources.find((each: Json) => each.name === name);
        expect(sorted(figuresIn(source))).toEqual(sorted(figuresOfSource(payments, name, selection)));
      }
    }
  }

  const figures = async (...args: string[]) => {
    const { exitCode, json } = await year.run('figures', '--tax-year', '2026-27', '--json', ...args);
    expect(exitCode).toBe(0);
    return json().periods;
  };

  test('a quarter and the year so far agree with the model to the penny', async () => {
    const [from, to] = QUARTERS.standard[2];
    const [own, soFar] = await figures('--quarter', '3', '--rules', year.rules);
    expectFigures(own, { from, to, hasRules: true });
    expectFigures(soFar, { from: '2026-04-06', to, hasRules: true });
  });

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

  const ACCOUNTED = ['in the books', 'left out', 'repeated', 'skipped'];

  /** What the document of `prove` says. */
  async function prove(paths: readonly string[]) {
    const { exitCode, json } = await year.run('prove', ...paths, '--rules', year.rules, '--json');
    const { isProved, fromElsewhere, counts, files } = json();
    return {
      verdict: { exitCode, isProved },
      counts: counts as Record<string, number>,
      /** As the expected books, but for the source. */
      fromElsewhere: fromElsewhere
        .map(({ date, type, category, amountPence }: Json) => [date, type, category, amountPence].join(' '))
        .sort(),
      /** Each row that is not accounted for. */
      open: files.flatMap(({ name, rows }: Json) =>
        rows
          .filter(({ outcome }: Json) => !ACCOUNTED.includes(outcome))
          .map(({ row, outcome }: Json) => `${basename(name)} ${row} ${outcome}`),
      ),
      breaks: files.flatMap(({ balances }: Json) => balances.flatMap((each: Json) => each.breaks)),
    };
  }
  const PROVED = { exitCode: 0, isProved: true };
  const NOT_PROVED = { exitCode: 6, isProved: false };

  /** All files, of which one has other lines. */
  function changed(file: BankFile, change: (lines: Line[]) => Line[]): string[] {
    const path = write(mkdtempSync(join(directory, 'year-')), file, change(file.lines));
    return year.paths.map((each, index) => (year.files[index] === file ? path : each));
  }

  test('are proved: each row is in the books or left out by a rule, and no entry comes from elsewhere', async () => {
    const { verdict, fromElsewhere, open, breaks, counts } = await prove(year.paths);
    expect({ verdict, fromElsewhere, open, breaks }).toEqual({
      ...{ verdict: PROVED, fromElsewhere: [], open: [], breaks: [] },
    });
    const rows = year.files.flatMap(({ lines }) => lines).filter(({ payment }) => payment);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(rows.length);
  });

  const NAMES = ['barclays-2', 'starling'];
  const fileOf = (name: string) => year.files.find((file) => file.name === `${name}.csv`) as BankFile;

  /** The index of the line in the middle of those that fit. */
  function middle({ lines }: BankFile, fits: (payment: Payment) => boolean): number {
    const fitting = [...lines.keys()].filter((index) => {
      const payment = lines[index]?.payment;
      return payment && fits(payment);
    });
    return fitting[Math.floor(fitting.length / 2)] as number;
  }
  const entriesOf = (file: BankFile, line: number) => {
    const { date, entries = [] } = file.lines[line]?.payment ?? {};
    return entries.map(({ type, category, pence }) => [date, type, category, pence].join(' ')).sort();
  };
  /** The last digit of the pounds of the first amount is another one. */
  const withOtherDigit = ({ text }: Line): Line => ({
    text: text.replace(/(\d)(\.\d\d)/, (_, digit, rest) => `${(Number(digit) + 1) % 10}${rest}`),
  });

  test.each(NAMES)('a row that is deleted from %p leaves its entries behind, by name', async (name) => {
    const file = fileOf(name);
    const line = middle(file, ({ entries }) => entries.length > 0);
    const { verdict, fromElsewhere } = await prove(changed(file, (lines) => lines.toSpliced(line, 1)));
    expect(fromElsewhere).toEqual(entriesOf(file, line));
    // Barclays has no balances: the entries could have come from somewhere else.
    expect(verdict).toEqual(file.hasBalances ? NOT_PROVED : PROVED);
  });

  test('a private row that is deleted breaks the balances, and its neighbours are named', async () => {
    const file = fileOf('starling');
    const line = middle(file, ({ entries }) => entries.length === 0);
    const { verdict, breaks } = await prove(changed(file, (lines) => lines.toSpliced(line, 1)));
    expect(verdict).toEqual(NOT_PROVED);
    // Rows count from 1, and the next line has taken the place.
    const missing = file.lines[line]?.payment?.pence;
    expect(breaks).toEqual([expect.objectContaining({ row: line + 1, after: line, missing })]);
  });

  test.each(NAMES)('a digit that is changed in %p is found, with the row', async (name) => {
    const file = fileOf(name);
    const line = middle(file, ({ text, entries }) => entries.length === 1 && text !== 'STANDING ORDER');
    const proof = await prove(
      changed(file, (lines) => lines.map((each, index) => (index === line ? withOtherDigit(each) : each))),
    );
    expect(proof.verdict).toEqual(NOT_PROVED);
    expect(proof.open).toEqual([`${name}.csv ${line + 1} missing`]);
    expect(proof.fromElsewhere).toEqual(entriesOf(file, line));
  });

  test('a digit by which no rule but the last one matches leaves the entry behind, by name', async () => {
    const file = fileOf('barclays-2');
    const line = middle(file, ({ text, entries }) => text === 'STANDING ORDER' && entries.length > 0);
    const { verdict, open, fromElsewhere } = await prove(
      changed(file, (lines) => lines.map((each, index) => (index === line ? withOtherDigit(each) : each))),
    );
    expect(verdict).toEqual(NOT_PROVED);
    expect(open).toEqual([`${file.name} ${line + 1} left out, and an entry of the day has its description`]);
    expect(fromElsewhere).toEqual(entriesOf(file, line));
  });
});
