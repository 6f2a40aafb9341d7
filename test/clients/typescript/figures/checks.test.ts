/** Entries to look at before the figures are used: late, perhaps moved by a bank, and paid out by an agent. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { recordedOn } from '../../../../clients/typescript/days.ts';
import { closedAround } from '../../../../clients/typescript/figures/working-days.ts';
import { daysToRead, yearFigures } from '../../../../clients/typescript/figures/year.ts';
import type { StoredEntry } from '../../../../clients/typescript/match/stored-books.ts';
import { runs } from '../../../fixtures/runs.ts';
import { sourceOf, storedIn } from '../sources.ts';

const FLAT = sourceOf('flat');
const SHOP = sourceOf('shop', { type: 'self-employment' });

interface Made {
  date: string;
  /** The time of the id. */
  recorded?: string;
  type?: 'income' | 'expense';
  reference?: string;
  source?: typeof FLAT;
}

function entryOf({ date, recorded = `${date}T12:00:00Z`, type = 'income', reference, source }: Made) {
  const id = Bun.randomUUIDv7('hex', Date.parse(recorded));
  return storedIn(source ?? FLAT, { id, date, type, externalRef: reference ?? null });
}

type Of = Partial<Parameters<typeof yearFigures>[1]>;

/** `kind: dates` of the checks. */
function checksOf(entries: readonly StoredEntry[], of: Of = {}) {
  const byId = new Map(entries.map((each) => [each.stored.id, each]));
  const standard = { quarter: undefined, quarters: 'standard', lastYear: undefined } as const;
  const choice = { start: 2026, today: '2026-11-27', ...standard, ...of };
  const { from, to } = daysToRead(choice);
  expect(entries.every(({ stored: { date } }) => date >= from && date <= to)).toBe(true);
  return yearFigures({ sources: [FLAT, SHOP], byId }, choice).checks;
}

const textsOf = (entries: readonly Made[], of?: Of) =>
  checksOf(entries.map(entryOf), of).map(
    ({ kind, entries }) => `${kind}: ${entries.map(({ stored }) => stored.date).join(' ')}`,
  );

describe('an entry is late', () => {
  test('after the day of the deadline in the United Kingdom, by the time in its id', () => {
    const onDay = (time: string) => recordedOn(Bun.randomUUIDv7('hex', Date.parse(time)));
    expect(onDay('2026-08-07T22:59:59.999Z')).toBe('2026-08-07');
    expect(onDay('2026-08-07T23:00:00Z')).toBe('2026-08-08');
    expect(onDay('2027-02-07T23:59:59Z')).toBe('2027-02-07');
    expect(['e1', '', crypto.randomUUID()].map(recordedOn)).toEqual([null, null, null]);
    const date = '2026-07-05';
    expect(textsOf([{ date, recorded: '2026-08-07T22:59:59Z' }])).toEqual([]);
    expect(textsOf([{ date, recorded: '2026-08-07T23:00:00Z' }])).toEqual([`late: ${date}`]);
    const [check] = checksOf([entryOf({ date, recorded: '2026-09-01T00:00:00Z' })]);
    expect(check?.message).toBe(
      '1 entry of quarter 1 was recorded here after its deadline, 2026-08-07. The next update reports them. Keep the records that you made elsewhere before that day.',
    );
  });

  test('by the deadline of its own quarter, in the days of the figures', () => {
    // Last day of each quarter, and the day of its deadline.
    const table = {
      standard: ['2026-07-05', '2026-10-05', '2027-01-05', '2027-04-05'],
      calendar: ['2026-06-30', '2026-09-30', '2026-12-31', '2027-03-31'],
    };
    const deadlines = ['2026-08-07', '2026-11-07', '2027-02-07', '2027-05-07'];
    const dayOf = (start: string, days: number) =>
      new Date(Date.parse(start) + days * 86_400_000).toISOString().slice(0, 10);
    const drawn = fc.record({ day: fc.nat(400), after: fc.nat(200) });
    const books = fc.array(drawn, { maxLength: 30 });
    fc.assert(
      fc.property(
        books,
        fc.constantFrom('standard' as const, 'calendar' as const),
        fc.nat(3),
        (drawn, quarters, last) => {
          const ends = table[quarters];
          const from = quarters === 'standard' ? '2026-04-06' : '2026-04-01';
          const made = drawn
            .map(({ day, after }) => ({ date: dayOf(from, day), recorded: dayOf(from, day + after) }))
            .filter(({ date }) => date <= (ends[last] ?? ''));
          const expected = ends.flatMap((end, at) => {
            const own = made.filter(({ date }) => date <= end && (at === 0 || date > (ends[at - 1] ?? '')));
            const late = own.filter(({ recorded }) => recorded > (deadlines[at] ?? ''));
            return late.length > 0 ? [`late: ${late.map(({ date }) => date).join(' ')}`] : [];
          });
          const quarter = (last + 1) as 1 | 2 | 3 | 4;
          const found = textsOf(
            made.map(({ date, recorded }) => ({ date, recorded: `${recorded}T12:00:00Z` })),
            { quarters, lastYear: quarters, quarter },
          );
          expect(found.filter((text) => text.startsWith('late'))).toEqual(expected);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe('a bank may have moved an entry', () => {
  test('to the first working day after weekends and Easter', () => {
    // The Sundays of Easter, from an almanac.
    const easter = ['2024-03-31', '2025-04-20', '2026-04-05', '2027-03-28', '2028-04-16', '2029-04-01'];
    easter.push('2030-04-21', '2031-04-13', '2032-03-28', '2033-04-17', '2034-04-09', '2035-03-25');
    easter.push('2036-04-13', '2037-04-05', '2038-04-25', '2039-04-10', '2040-04-01');
    for (const sunday of easter) {
      const day = (days: number) =>
        new Date(Date.parse(sunday) + days * 86_400_000).toISOString().slice(0, 10);
      for (const first of [-1, 0, 1, 2].map(day))
        expect(closedAround(first)).toEqual({ from: day(-2), to: day(2) });
      expect([closedAround(day(3)), closedAround(day(-2))]).toEqual([undefined, undefined]);
    }
    expect(closedAround('2025-04-06')).toEqual({ from: '2025-04-05', to: '2025-04-07' });
  });

  test('over 5 April, at the beginning of the tax year and at its end', () => {
    const days = ['2026-04-03', '2026-04-06', '2026-04-07', '2026-04-08'].map((date) => ({ date }));
    expect(textsOf(days)).toEqual(['moved: 2026-04-07']);
    expect(checksOf([entryOf({ date: '2026-04-07' })])[0]?.message).toContain(
      'the first working day after 2026-04-03 to 2026-04-06',
    );
    const end = [{ date: '2026-04-07' }, { date: '2026-04-03' }];
    expect(textsOf(end, { start: 2025 })).toEqual(['moved: 2026-04-07']);
    expect(textsOf([{ date: '2026-01-05' }], { start: 2025, quarter: 3 })).toEqual([]);
  });
});

describe('a payout of an agent', () => {
  test('is income and expense of one row, in the first 14 days of a quarter', () => {
    const row = (date: string, more: Partial<Made>[] = [{}, {}]): Made[] => [
      { date, reference: 'a', ...more[0] },
      { date, reference: 'a#2', type: 'expense', ...more[1] },
    ];
    expect(textsOf(row('2026-07-06'))).toEqual(['payout: 2026-07-06 2026-07-06']);
    expect(textsOf(row('2026-07-19'))).toHaveLength(1);
    for (const other of [
      row('2026-07-05'),
      row('2026-07-20'),
      row('2026-07-06', [{ type: 'expense' }, {}]),
      row('2026-07-06', [{ source: SHOP }, {}]),
      row('2026-07-06', [{ reference: 'b' }, {}]),
      row('2026-07-06', [{ date: '2026-07-07' }, {}]),
      row('2026-07-06', [{}, { reference: 'a' }]),
    ])
      expect(textsOf(other)).toEqual([]);
    const [first] = checksOf(row('2026-04-08').map(entryOf));
    expect(first?.message).toContain('1 payout with a fee in the first 14 days of quarter 1.');
    expect(first?.message).toContain('a day before 2026-04-06, the rent belongs to the tax year before');
  });
});
