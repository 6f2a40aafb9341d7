/**
 * The second import of the landlord: the first one had mistakes in the files and in the rules, or two programs push by other rules. No
 * payment is stored twice, every difference is named, and the list of corrections leads to the books and the figures of the model.
 */
import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '../../fixtures/books.ts';
import type { Json } from '../../fixtures/client.ts';
import { newConfig, runOnTerminal } from '../cli/command.ts';
import { applyCorrections, type Line, linesOf } from './app.ts';
import type { BankFile } from './bank-files.ts';
import { expectedFigures, figuresOf } from './figures-model.ts';
import { ACACIA, HARBOUR, RULES, STATION_ROAD, WEB_DESIGN } from './landlord.ts';
import { expectedBooks, landlord } from './year-account.ts';
import { type Payment, paymentsOfYear, percentOf } from './year-model.ts';

type Landlord = Awaited<ReturnType<typeof landlord>>;

const list = ({ folder }: Landlord) => join(folder, 'list.csv');

/** The exit code of a reconciliation, and its corrections. */
async function reconcile(year: Landlord, ...more: string[]): Promise<{ exitCode: number; lines: Line[] }> {
  const args = [...year.paths, '--rules', year.rules, '--corrections', list(year), ...more];
  const { exitCode } = await year.run('reconcile', ...args);
  return { exitCode, lines: linesOf(list(year)) };
}

async function push(year: Landlord, ...more: string[]) {
  const { exitCode, err, json } = await year.run(
    'push',
    ...year.paths,
    '--rules',
    year.rules,
    '--yes',
    '--json',
    ...more,
  );
  return { exitCode, err, ...json() };
}

async function expectModel(year: Landlord, payments: readonly Payment[]): Promise<void> {
  expect(await year.books()).toEqual(expectedBooks(payments));
  const { json } = await year.run('figures', '--tax-year', '2026-27', '--rules', year.rules, '--json');
  expect(figuresOf(json())).toEqual(expectedFigures(payments));
}

/** `payments` with another one in the place of the `nth` that has the text. */
function replaced(
  payments: readonly Payment[],
  text: string,
  nth: number,
  change: (payment: Payment) => Partial<Payment>,
): Payment[] {
  const is = payments.filter((payment) => payment.text === text)[nth];
  return payments.map((payment) => (payment === is ? { ...payment, ...change(payment) } : payment));
}

const asEntries = (pence: number, { entries }: Payment) => ({
  pence,
  entries: entries.map((each) => ({ ...each, pence: Math.abs(pence) })),
});

/** The day before: while it was pending. */
const dayBefore = (date: string) => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);

/** Those of the first import. */
const MONTHS = Array.from({ length: 13 }, (_, index) =>
  new Date(Date.UTC(2026, 2 + index)).toISOString().slice(0, 7),
);

/** A line of the list, without the names of the entry and the reason. */
const shown = ({ action, property, date, description, is, 'should be': shouldBe }: Line) =>
  [action, property, date, description, is, shouldBe].join(' | ');

const days = (day: number, ...months: string[]) => months.map((month) => `${month}-${day}`);
const CORRECTIONS = [
  ...days(15, '2026-03', '2026-06', '2026-09', '2026-12', '2027-03').map(
    (date) =>
      `change | ${ACACIA} | ${date} | AVIVA POLICY 12A DDR | category costOfServices | category premisesRunningCosts`,
  ),
  ...days(20, '2026-04', '2026-08', '2026-12').map(
    (date, index) =>
      `move | ${STATION_ROAD} | ${date} | BOILERCO INV 70${1 + 4 * index} DDR | ${STATION_ROAD} | ${ACACIA}`,
  ),
  ...days(19, ...MONTHS).map(
    (date) => `remove | ${WEB_DESIGN} | ${date} | Lunch - Deli | expense, 10.50, adminCosts | `,
  ),
  `move | ${ACACIA} | 2026-05-14 | HANDYMAN STAN JOB 2 DDR | ${ACACIA}, amount 466.50 | ${STATION_ROAD}, amount 46.65`,
  `change | ${STATION_ROAD} | 2026-04-08 | STATION CAR PARK ON 07 DDR | amount 25.00 | amount 2.50`,
  `change | ${STATION_ROAD} | 2026-05-05 | HUNTERS LETTINGS STMT 02 BGC | amount 114.63 | amount 100.99`,
  `change | ${STATION_ROAD} | 2026-05-05 | HUNTERS LETTINGS STMT 02 BGC | amount 955.24 | amount 841.60`,
  `change | ${HARBOUR} | 2026-06-16 | Trainline | date 2026-06-16, amount 40.00 | date 2026-06-17, amount 41.85`,
  `change | ${HARBOUR} | 2026-07-19 | Cottage sundries | type income | type expense`,
];

test('after mistakes in the files and in the rules', async () => {
  const right = paymentsOfYear(2);
  const hand: Payment = {
    ...{ bank: 'starling', date: '2026-05-21', text: 'Post Office', reference: '', pence: -500 },
    entries: [{ source: WEB_DESIGN, type: 'expense', category: null, pence: 500 }],
  };
  const months = (payments: readonly Payment[]) => payments.filter(({ date }) => date < '2027-04-01');
  let wrong = months(right);
  const mistake = (text: string, nth: number, change: (payment: Payment) => Partial<Payment>) => {
    wrong = replaced(wrong, text, nth, change);
  };
  // A card payment that was pending, a typing error, one that changes the property by its rule, a changed sign, an agent's payment.
  mistake('Trainline', 1, (was) => ({ date: dayBefore(was.date), ...asEntries(-4_000, was) }));
  mistake('STATION CAR PARK', 1, (was) => asEntries(-2_500, was));
  mistake('HANDYMAN STAN', 2, ({ entries }) => ({
    pence: -46_650,
    entries: entries.map((each) => ({ ...each, source: ACACIA, pence: 46_650 })),
  }));
  mistake('Cottage sundries', 0, ({ pence, entries }) => ({
    pence: -pence,
    entries: entries.map((each) => ({ ...each, type: 'income' })),
  }));
  mistake('HUNTERS LETTINGS', 2, ({ pence, entries }) => {
    const [net, fee] = [pence + 10_000, percentOf(pence + 10_000, 12, 88)];
    return {
      pence: net,
      entries: entries.map((each, index) => ({ ...each, pence: index === 0 ? fee : net + fee })),
    };
  });
  // The bank describes it anew.
  mistake('AWS EMEA', 0, () => ({ text: 'AWS' }));
  // Rules that were wrong: a private payment is booked, a category, a property. The rule of one payee goes away.
  const ruled = (text: string, entries: (payment: Payment) => Payment['entries']) =>
    wrong.forEach((each, nth) => {
      if (each.text === text && each.reference !== 'POLICY 3M' && each.reference !== 'REFUND')
        wrong[nth] = { ...each, entries: entries(each) };
    });
  ruled('Lunch', () => [{ source: WEB_DESIGN, type: 'expense', category: 'adminCosts', pence: 1_050 }]);
  ruled('AVIVA', ({ entries }) => entries.map((each) => ({ ...each, category: 'costOfServices' })));
  ruled('BOILERCO', ({ entries }) => entries.map((each) => ({ ...each, source: STATION_ROAD })));
  const wrongRules = RULES.replace(
    'POLICY 12A" -> 12 Acacia Avenue / premisesRunningCosts',
    'POLICY 12A" -> 12 Acacia Avenue / costOfServices',
  )
    .replace(
      '"BOILERCO"                  -> 12 Acacia Avenue',
      '"BOILERCO"                  -> 27 Station Road',
    )
    .replace('otherwise', 'description contains "Lunch" -> Web design / adminCosts\notherwise');
  const rightRules = RULES.replace(
    '"COUNTER CREDIT"            -> 12 Acacia Avenue',
    '"COUNTER CREDIT"            -> ask',
  );

  const year = await landlord(wrong, wrongRules);
  expect((await push(year)).exitCode).toBe(0);
  expect(await year.books()).toEqual(expectedBooks(wrong));
  expect((await reconcile(year)).exitCode).toBe(0);
  // Another payment of the same day and payee, by hand.
  await year.account.post([{ date: hand.date, type: 'expense', amountPence: 500, description: hand.text }], {
    source: year.sourceId(WEB_DESIGN),
  });

  year.write(right, rightRules);
  const asked = await push(year);
  expect([asked.exitCode, asked.conflicts.length, asked.elsewhere, asked.probable.length]).toEqual([
    8, 5, 3, 7,
  ]);
  expect((await reconcile(year)).exitCode).toBe(6);
  expect(await year.books()).toEqual(expectedBooks([...wrong, hand]));

  // A person answers: the entry by hand is a payment of its own, all others are the stored entries.
  const decisions = join(year.folder, 'decisions.csv');
  await reconcile(year, '--decide', decisions);
  const answers = readFileSync(decisions, 'utf8')
    .replaceAll(/^,(?=.*Post Office)/gm, 'send,')
    .replaceAll(/^,/gm, 'leave,');
  writeFileSync(decisions, answers);
  const sent = await push(year, '--decide', decisions);
  const later = right.filter((payment) => !months(right).includes(payment));
  expect([sent.exitCode, sent.created]).toEqual([5, expectedBooks(later).length]);
  expect(await year.books()).toEqual(expectedBooks([...wrong, hand, ...later]));

  const decided = await reconcile(year, '--decide', decisions);
  expect(decided.exitCode).toBe(6);
  expect(decided.lines.map(shown).sort()).toEqual(CORRECTIONS.toSorted());
  const references = new Map(
    (await rowsOf(year.account.accountId)).map(({ id, externalRef }) => [id, externalRef]),
  );
  for (const { id, reference, reason } of decided.lines) {
    expect([reference, reason]).toEqual([references.get(id), expect.stringMatching(/ row \d+ of .*\.csv/)]);
  }

  await applyCorrections(year.account.accountId, decided.lines, year.sourceId);
  expect(await reconcile(year, '--decide', decisions)).toEqual({ exitCode: 0, lines: [] });
  const again = await push(year, '--decide', decisions);
  expect([again.exitCode, again.created]).toEqual([0, 0]);
  await expectModel(year, [...right, hand]);
});

describe('after two programs at once, by other rules,', () => {
  const payments = paymentsOfYear(3);
  const OTHERS = RULES.replace(
    /split: residentialFinancialCost 412.50.*/,
    'residentialFinancialCost',
  ).replace(/split: expense professionalFees 12 %.*/, 'periodAmount');
  /** The entries of a payment by the other rules. */
  const otherwise = (payment: Payment): Payment => {
    const whole = { NATIONWIDE: 'residentialFinancialCost', HUNTERS: 'periodAmount' }[
      payment.text.split(' ')[0] ?? ''
    ];
    const entries = payment.entries
      .slice(-1)
      .map((each) => ({ ...each, category: whole ?? null, pence: Math.abs(payment.pence) }));
    return whole ? { ...payment, entries } : payment;
  };

  const start = async () => {
    const year = await landlord(payments);
    const others = join(year.folder, 'others.txt');
    writeFileSync(others, OTHERS);
    return { ...year, others };
  };

  /** The payments that the books have by the other rules. Every payment is there once, by these rules or by those. */
  const storedOtherwise = async ({ books }: Landlord): Promise<Payment[]> => {
    const stored = await books();
    const other = payments.filter((payment) => {
      const [first = ''] = expectedBooks([otherwise(payment)]);
      return otherwise(payment) !== payment && stored.includes(first);
    });
    expect(stored).toEqual(
      expectedBooks(payments.map((each) => (other.includes(each) ? otherwise(each) : each))),
    );
    return other;
  };

  /** The payments that a push names as stored in another way. */
  const named = ({ files }: Landlord, { conflicts }: Json): Payment[] => {
    const found = conflicts.map(({ file, row }: Json) => {
      const { lines } = files.find(({ name }) => file.endsWith(`/${name}`)) as BankFile;
      return lines[row - 1]?.payment;
    });
    return payments.filter((payment) => found.includes(payment));
  };

  const expectCorrectable = async (year: Landlord) => {
    const other = await storedOtherwise(year);
    const { exitCode, lines } = await reconcile(year);
    expect(exitCode).toBe(other.length === 0 ? 0 : 6);
    const removed = other.flatMap((payment) =>
      otherwise(payment).entries.map(({ source }) => `remove | ${source} | ${payment.date}`),
    );
    expect(lines.map((line) => shown(line).split(' | ').slice(0, 3).join(' | ')).sort()).toEqual(
      removed.sort(),
    );
    await applyCorrections(year.account.accountId, lines, year.sourceId);
    const { exitCode: again, created } = await push(year);
    expect([again, created]).toEqual([0, expectedBooks(other).length]);
    expect(await reconcile(year)).toEqual({ exitCode: 0, lines: [] });
    await expectModel(year, payments);
  };

  test('that run at the same time', async () => {
    const year = await start();
    const runs = await Promise.all([push(year), push({ ...year, rules: year.others })]);
    const other = await storedOtherwise(year);
    const ways = payments.filter((payment) => otherwise(payment) !== payment);
    const notStored = [other, ways.filter((payment) => !other.includes(payment))];
    for (const [index, run] of runs.entries()) {
      expect(named(year, run)).toEqual(notStored[index] ?? []);
      expect(notStored[index]?.length === 0 ? [0] : [5, 8]).toContain(run.exitCode);
    }
    await expectCorrectable(year);
  });

  test('one of them while the other asks on a terminal', async () => {
    const year = await start();
    const barclays = year.paths.filter((path) => path.includes('barclays'));
    const other = async () => {
      expect((await push({ ...year, paths: barclays, rules: year.others })).exitCode).toBe(0);
      return 'y\r';
    };
    const args = ['push', ...year.paths, '--rules', year.rules];
    const env = { LEDGER_API_KEY: year.account.key, ...newConfig() };
    const { shown: text, exitCode } = await runOnTerminal(args, env, [['[y/N]', other]]);
    expect(exitCode).toBe(8);
    expect(text).toContain('The books have changed since they were shown: 42 entries were not sent');
    expect(await storedOtherwise(year)).toHaveLength(28);
    await expectCorrectable(year);
  });
});
