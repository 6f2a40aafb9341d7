/** A landlord's year: four banks, three properties, a joint one and a business, by one rules file in one command. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '../../fixtures/books.ts';
import { admin } from '../../fixtures/system.ts';
import { directory, newUser } from '../cli/command.ts';
import { bankFiles } from './bank-files.ts';
import { figuresOf, paymentsOfYear, RULES, SOURCES } from './year-model.ts';

const payments = paymentsOfYear();
const files = bankFiles(payments);

describe('the command', () => {
  let user: Awaited<ReturnType<typeof newUser>>;
  let paths: string[];
  let run: (...args: string[]) => ReturnType<typeof user.run>;
  const sourceIds = new Map<string, string>();

  beforeAll(async () => {
    user = await newUser();
    const { accountId } = user.account;
    for (const { name, type, sharePercent } of SOURCES) {
      const { id } = await admin.createSource({ accountId, name, type, role: 'owner', sharePercent });
      sourceIds.set(id, name);
    }
    const folder = mkdtempSync(join(directory, 'year-'));
    paths = files.map(({ name, text }) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    });
    writeFileSync(join(folder, 'rules.txt'), RULES);
    // Each command has a key of its own: together they need more requests than the minute of one.
    run = async (...args) => {
      const { key } = await admin.createKey({ accountId });
      return user.run([...args, '--rules', join(folder, 'rules.txt')], { env: { LEDGER_API_KEY: key } });
    };
  });

  const stored = async () =>
    (await rowsOf(user.account.accountId))
      .map(({ sourceId, date, type, category, amountPence }) =>
        [sourceIds.get(sourceId), date, type, category, amountPence].join(' '),
      )
      .sort();

  test('fills the books with what the model says, in one push; pushed again, nothing changes', async () => {
    const expected = payments
      .flatMap(({ date, entries }) =>
        entries.map(({ source, type, category, pence }) => [source, date, type, category, pence].join(' ')),
      )
      .sort();
    const first = await run('push', ...paths, '--yes', '--json');
    expect(first.exitCode).toBe(0);
    expect(first.json()).toMatchObject({ created: expected.length, remaining: 0 });
    expect(await stored()).toEqual(expected);
    const again = await run('push', ...paths, '--yes', '--json');
    expect([again.exitCode, again.json().created]).toEqual([0, 0]);
    expect(await stored()).toEqual(expected);
  });

  const QUARTERS = {
    standard: [
      ['2026-04-06', '2026-07-05'],
      ['2026-07-06', '2026-10-05'],
      ['2026-10-06', '2027-01-05'],
      ['2027-01-06', '2027-04-05'],
    ],
    calendar: [
      ['2026-04-01', '2026-06-30'],
      ['2026-07-01', '2026-09-30'],
      ['2026-10-01', '2026-12-31'],
      ['2027-01-01', '2027-03-31'],
    ],
  } as const;

  test.each(['standard', 'calendar'] as const)(
    'has the figures of the model, to the penny, in %s quarters',
    async (quarters) => {
      const start = QUARTERS[quarters][0][0];
      for (const [index, [from, to]] of QUARTERS[quarters].entries()) {
        const calendar = quarters === 'calendar' ? ['--calendar-quarters'] : [];
        const args = [
          'figures',
          '--tax-year',
          '2026-27',
          '--quarter',
          String(index + 1),
          ...calendar,
          '--json',
        ];
        const { periods } = (await run(...args)).json();
        for (const [period, first] of [
          [periods[0], from],
          [periods[1], start],
        ]) {
          expect([period.from, period.to]).toEqual([first, to]);
          for (const type of ['uk-property', 'self-employment']) {
            // The account has a source of each type beside those of the model, without entries.
            const businesses = period.businesses.filter(
              (each: { type: string; lines: unknown[] }) => each.type === type && each.lines.length > 0,
            );
            expect(businesses).toHaveLength(1);
            const [{ lines, withoutCategory }] = businesses;
            const shown = lines.map((line: Record<string, unknown>) => [
              `${line.type} ${line.category}`,
              { pence: line.pence, sharePence: line.sharePence },
            ]);
            const model = figuresOf(payments, type, first, to);
            expect(new Map(shown.sort())).toEqual(new Map([...model.lines].sort()));
            expect([withoutCategory.count, withoutCategory.incomePence]).toEqual([
              model.without.count,
              model.without.pence,
            ]);
          }
        }
      }
    },
  );

  const prove = async (changed: readonly string[] = paths) => {
    const { exitCode, json } = await run('prove', ...changed, '--json');
    return { exitCode, proof: json() };
  };

  test('is proved: each row is in the books or left out by its rule, and nothing comes from elsewhere', async () => {
    const { exitCode, proof } = await prove();
    expect([exitCode, proof.isProved, proof.breaks, proof.fromElsewhere]).toEqual([0, true, 0, []]);
    const rows = files.flatMap((file) => file.payments).filter((payment) => payment !== undefined);
    const counts = Object.values<number>(proof.counts).reduce((sum, count) => sum + count, 0);
    expect(counts).toBe(rows.length);
    // The overlap of the two files of Barclays.
    const repeated = payments.filter(
      ({ bank, date, entries }) =>
        bank === 'barclays' && date >= '2026-10-01' && date <= '2026-10-12' && entries.length > 0,
    );
    expect(proof.counts.repeated).toBe(repeated.length);
  });

  /** The files, one of them changed: `line` counts from 1. */
  function changed(name: string, change: (lines: string[]) => string[]): string[] {
    const index = files.findIndex((file) => file.name === name);
    const path = join(mkdtempSync(join(directory, 'year-')), name);
    writeFileSync(path, change((files[index]?.text ?? '').split('\r\n')).join('\r\n'));
    return paths.map((each, at) => (at === index ? path : each));
  }

  test.each(['starling.csv', 'nationwide.csv'])(
    'is not proved without a row of %s that the books do not have: its balances say which',
    async (name) => {
      const payments = files.find((file) => file.name === name)?.payments ?? [];
      const line = payments.findIndex((payment, index) => index > 20 && payment?.entries.length === 0);
      const { exitCode, proof } = await prove(changed(name, (lines) => lines.toSpliced(line, 1)));
      expect([exitCode, proof.isProved]).toEqual([6, false]);
      const breaks = proof.files.flatMap((file: { balances: { breaks: { missing: number }[] }[] }) =>
        file.balances.flatMap((each) => each.breaks),
      );
      expect(breaks.map(({ missing }: { missing: number }) => missing)).toEqual([payments[line]?.pence]);
    },
  );

  test.each(['barclays-1.csv', 'monzo.csv', 'starling.csv', 'nationwide.csv'])(
    'names the entries of a row that is deleted from %s as coming from elsewhere',
    async (name) => {
      const payments = files.find((file) => file.name === name)?.payments ?? [];
      const line = payments.findIndex((payment, index) => index > 20 && (payment?.entries.length ?? 0) > 0);
      const { proof } = await prove(changed(name, (lines) => lines.toSpliced(line, 1)));
      const sums = (all: readonly { pence: number }[]) => all.map(({ pence }) => pence).sort();
      const found = proof.fromElsewhere.map(({ amountPence }: { amountPence: number }) => ({
        pence: amountPence,
      }));
      expect(sums(found)).toEqual(sums(payments[line]?.entries ?? []));
    },
  );

  test.each(['barclays-2.csv', 'starling.csv', 'nationwide.csv'])(
    'finds a digit that was changed in %s',
    async (name) => {
      const payments = files.find((file) => file.name === name)?.payments ?? [];
      const line = payments.findIndex((payment, index) => index > 20 && (payment?.entries.length ?? 0) > 0);
      const { exitCode, proof } = await prove(
        changed(name, (lines) =>
          lines.with(
            line,
            (lines[line] ?? '').replace(
              /(\d)(\.\d\d)/,
              (_, digit, rest) => `${(Number(digit) + 1) % 10}${rest}`,
            ),
          ),
        ),
      );
      expect([exitCode, proof.isProved]).toEqual([6, false]);
      const file = proof.files.find((each: { name: string }) => each.name.endsWith(name));
      expect(
        file.rows
          .filter(({ outcome }: { outcome: string }) => outcome === 'missing')
          .map(({ row }: { row: number }) => row),
      ).toEqual([line + 1]);
    },
  );
});
