/** Amounts in other currencies, by rates that a person gives: exact, in the description, and never a guess. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type ImportOptions, importFileReader } from '../../../../clients/typescript/import/index.ts';
import {
  conversionText,
  penceAt,
  rateText,
} from '../../../../clients/typescript/import/values/conversion.ts';
import { runs } from '../../../fixtures/runs.ts';
import { lines, readText, references } from './files.ts';
import { csv, ofx, outcomeOf, payment } from './outcome.ts';

const RATES = csv(
  'month,currency,pounds per unit',
  '2026-04,EUR,0.8612',
  '2026-05,EUR,0.9',
  '2026-04,USD,0.75',
);
const BANK = csv(
  'Date,Description,Amount,Currency',
  '2026-04-13,Rent,850.00,EUR',
  '2026-05-13,Fee,-1.01,EUR',
);
const read = (text: string, options: ImportOptions = {}) => readText(text, { rates: RATES, ...options });
const said = async (text: string, options: ImportOptions = {}) =>
  (await outcomeOf(text, { rates: RATES, ...options })).said;

test('an amount is its number times the rate, and half a penny is rounded up: by another way to compute it', () => {
  const decimal = fc.tuple(
    fc.bigInt(0n, 10n ** 9n - 1n),
    fc.bigInt(0n, 10n ** 12n - 1n),
    fc.nat({ max: 12 }),
  );
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 15n),
      decimal,
      fc.constantFrom('unit', 'pound'),
      (amount, [a, b, n], per) => {
        const fraction = n === 0 ? '' : `.${b.toString().padStart(12, '0').slice(0, n)}`;
        const text = rateText(`${a}${fraction}`);
        const parts = BigInt(`${a}${fraction.slice(1)}`);
        if (parts === 0n) return expect(text).toBeUndefined();
        // The nearest penny p: 2p - 1 <= 2 * exact < 2p + 1.
        const [up, down] = per === 'unit' ? [parts, 10n ** BigInt(n)] : [10n ** BigInt(n), parts];
        const pence = penceAt(Number(amount), { text: text as string, per: per as 'unit' });
        const twice = 2n * amount * up;
        expect((2n * pence - 1n) * down <= twice && twice < (2n * pence + 1n) * down).toBe(true);
      },
    ),
    { numRuns: runs(2_000) },
  );
});

const LARGEST = Number.MAX_SAFE_INTEGER;
test.each([
  [850_00, '0.8612', 'unit', 73_202n, 'EUR 850.00 at 0.8612 GBP per EUR'],
  [1, '0.5', 'unit', 1n, 'EUR 0.01 at 0.5 GBP per EUR'],
  [3, '0.5', 'unit', 2n, 'EUR 0.03 at 0.5 GBP per EUR'],
  [1, '0.499999999999', 'unit', 0n, 'EUR 0.01 at 0.499999999999 GBP per EUR'],
  [100_00, '1.1733', 'pound', 8_523n, 'EUR 100.00 at 1.1733 EUR per GBP'],
  [1, '2', 'pound', 1n, 'EUR 0.01 at 2 EUR per GBP'],
  [1, '2.000000000001', 'pound', 0n, 'EUR 0.01 at 2.000000000001 EUR per GBP'],
  // Numbers of floating point give a penny more.
  [17442970047_49, '0.423178369003', 'unit', 7381487615_26n, 'EUR 17442970047.49 at'],
  [10573827318_02, '0.011129388873', 'pound', 950081575788_24n, 'EUR 10573827318.02 at'],
  [LARGEST, '1', 'unit', BigInt(LARGEST), 'EUR 90071992547409.91 at 1 GBP per EUR'],
] as const)('%d at %s per %s is %d', (amount, text, per, pence, expected) => {
  expect(penceAt(amount, { text, per })).toBe(pence);
  expect(conversionText('EUR', amount, { text, per })).toStartWith(expected);
});

test('a rate has no zeros but those that count', () => {
  const texts = ['100', '007.50', '10.00', '0.0860', '0.000', '.5'];
  expect(texts.map(rateText)).toEqual(['100', '7.5', '10', '0.086', undefined, undefined]);
});

describe('rows in another currency', () => {
  test('are entries in pounds, with the amount and the rate in the description', async () => {
    const { entries } = await read(BANK);
    expect(lines({ entries } as never)).toEqual([
      '2 2026-04-13 +73202 Rent - EUR 850.00 at 0.8612 GBP per EUR',
      '3 2026-05-13 -91 Fee - EUR 1.01 at 0.9 GBP per EUR',
    ]);
    expect(entries[0]?.conversion).toMatchObject({ currency: 'EUR', pence: 85_000, rate: '0.8612' });
  });

  test('have the rate of their day before that of the month, and in any direction that the header says', async () => {
    const days = csv(
      'Date;Currency;Units per £1',
      '2026-04-13;eur;1.25',
      '2026-04;EUR;2',
      '2026-05;EUR;1.0100',
    );
    expect(lines(await read(BANK, { rates: `\ufeff${days}` }))).toEqual([
      '2 2026-04-13 +68000 Rent - EUR 850.00 at 1.25 EUR per GBP',
      '3 2026-05-13 -100 Fee - EUR 1.01 at 1.01 EUR per GBP',
    ]);
  });

  test('have references of the amount in the file, which no rate changes, and which no amount in pounds has', async () => {
    const other = await read(BANK, { rates: RATES.replace('0.8612', '0.9') });
    expect(references(other)).toEqual(references(await read(BANK)));
    const inPounds = await read(BANK.replaceAll('EUR', 'GBP'));
    expect(new Set([...references(inPounds), ...references(other)]).size).toBe(4);
    expect(inPounds.entries[0]?.entry).toEqual(
      (await readText(BANK.replaceAll('EUR', 'GBP'))).entries[0]?.entry as never,
    );
  });

  test('keep the amount and the rate where a description is cut, and rules see it without', async () => {
    const text = BANK.replace('Rent', 'R'.repeat(600));
    const rules = `description is "${'R'.repeat(600)}" and amount is 732.02 -> periodAmount\n`;
    const [first] = (await read(text, { rules })).entries;
    expect(first?.entry.description).toBe(`${'R'.repeat(465)} - EUR 850.00 at 0.8612 GBP per EUR`);
    expect(first?.entry).toMatchObject({ category: 'periodAmount' });
  });

  test('are refused in one message without rates, and in one each beside rows in pounds', async () => {
    const refused = readText(BANK);
    await expect(refused).rejects.toMatchObject({
      code: 'other_currency',
      option: 'rates',
      message:
        'None of the 2 payments can be read, by Currency "EUR": The amount is not in pounds, which is all that the ledger records.',
    });
    const paid = [
      'Date,Description,Paid out,Paid in,Currency',
      '2026-04-13,Rent,,850.00,EUR',
      '2026-05-13,Fee,1.01,,EUR',
    ];
    const read = importFileReader(new TextEncoder().encode(csv(...paid)));
    const corrections = { 2: { amount: '732.02' } };
    expect((await read({ corrections })).invalid.map(({ row }) => row)).toEqual([3]);
    // Also after the correction is taken back.
    await expect(read()).rejects.toMatchObject({ code: 'other_currency' });
    const { entries, invalid } = await readText(`${BANK}2026-05-14,Shop,-5.00,GBP\n`);
    expect([entries.length, invalid.map(({ row, option }) => [row, option])]).toEqual([
      1,
      [
        [2, 'rates'],
        [3, 'rates'],
      ],
    ]);
  });

  test('follow the balance in their own currency', async () => {
    const rows = ['2026-04-13,Rent,850.00,EUR,€900.00', '2026-04-15,Fee,-1.00,EUR,€899.00'];
    const text = csv('Date,Description,Amount,Currency,Balance', ...rows, '2026-04-14,Shop,-5.00,GBP,95.00');
    const { statements } = await read(text, { accountLabel: 'Spain' });
    const shown = statements.map(({ account, rows }) => [
      account,
      ...rows.map(({ pence, balance }) => `${pence} to ${balance}`),
    ]);
    expect(shown).toEqual([
      ['Spain EUR', '85000 to 90000', '-100 to 89900'],
      ['Spain', '-500 to 9500'],
    ]);
  });

  test('have no balance that is in pounds', async () => {
    const balance = async (name: string, text: string) => {
      const row = `2026-04-13,Rent,€850.00,${text}`;
      return (await read(csv(`Date,Description,Amount,${name}`, row))).statements[0]?.rows[0]?.balance;
    };
    expect(await balance('Balance', '900.00')).toBe(90_000);
    expect(await balance('Balance (€)', '€900.00')).toBe(90_000);
    expect(await balance('Balance', '£900.00')).toBeUndefined();
    expect(await balance('Balance GBP', '900.00')).toBeUndefined();
  });

  test('that a person corrects are in pounds', async () => {
    const { entries } = await read(BANK, {
      corrections: { 2: { amount: '700' }, 3: { date: '2026-04-30' } },
    });
    expect(lines({ entries } as never)).toEqual([
      '2 2026-04-13 +70000 Rent',
      '3 2026-04-30 -87 Fee - EUR 1.01 at 0.8612 GBP per EUR',
    ]);
    expect(references({ entries } as never)).toEqual(references(await read(BANK)));
  });
});

describe('the currency of a row', () => {
  const DAY = '2026-04-13';
  const alone = (...amounts: string[]) => csv('Date,Amount', ...amounts.map((amount) => `${DAY},${amount}`));
  const coded = (amount: string, code: string) => csv('Date,Amount,Currency', `${DAY},${amount},${code}`);
  const between = csv('Date,Description,Amount', `${DAY},a,10.00`, 'EUR account,,', `${DAY},b,5.00`);
  const ofJune = csv('Date,Amount (€)', '2026-06-13,10.00');
  const options = { rates: `${RATES}2026-04,JPY,0.005\n` };

  test.each([
    ['the name of the amount', csv('Date,Amount (€)', `${DAY},10.00`), 'EUR 10.00'],
    ['the signs of the amounts', alone('-€10.00', '€5.00'), 'EUR 10.00'],
    ['a code behind them', alone('10.00 EUR'), 'EUR 10.00'],
    ['a line before them', `Currency: EUR\n${alone('10.00')}`, 'EUR 10.00'],
    ['OFX', ofx(payment('DEBIT', '-10.00', 'a'), 'EUR'), 'EUR 10.00'],
    ['a sign and a code', coded('$10.00', 'USD'), 'USD 10.00'],
  ])('is known by %s', async (_, text, expected) => {
    const { entries, said } = await outcomeOf(text, options);
    expect([entries[0], said]).toEqual([expect.stringContaining(expected), '']);
  });

  test.each([
    ['by a sign of several', alone('$10.00'), /may be USD, AUD/],
    ['by an unknown name', coded('10.00', 'crowns'), /no code of a currency/],
    ['by a code and another sign', coded('€10.00', 'USD'), /contradicts itself/],
    ['with a pound sign', coded('£10.00', 'EUR'), /contradicts itself/],
    ['with two signs', alone('£10.00 EUR'), /not an amount in pounds/],
    ['beside a row without one', alone('€10.00', '5.00'), /names no currency, and row 2 is in EUR/],
    ['by a line between rows', between, /"EUR account"/],
    ['by a sign in a heading', `Balance: €12.00\n${alone('10.00')}`, /This alone/],
    ['without a rate', ofJune, /^The rates have no EUR for 2026-06-13, and none for 2026-06\.$/],
    ['for less than half a penny', coded('0.01', 'JPY'), /less than half a penny/],
  ])('is not known %s', async (_, text, expected) => {
    expect((await outcomeOf(text, options)).said).toMatch(expected);
  });

  test('is not that of the name of the file', async () => {
    const text = csv('Date,Amount', '2026-04-13,10.00', '2026-04-14,10.00');
    expect(await said(text, { fileName: 'eur.csv' })).toMatch(/the title "eur.csv": This alone/);
  });
});

describe('a file of rates is refused', () => {
  const HEADER = 'month,currency,pounds per unit';
  const both = csv(`${HEADER},units per pound`, '2026-04,EUR,0.86,1.16');
  test.each([
    [
      'without a direction',
      csv('month,currency,rate', '2026-04,EUR,0.86'),
      /have the column "rate": their columns/,
    ],
    ['with both', both, /have the column "units per pound"/],
    ['without a column', csv('month,currency', '2026-04,EUR'), /lack a column/],
    ['that is empty', '', /lack a column/],
    ['without a line', csv(HEADER), /no line below/],
    [
      'with two rates',
      csv(HEADER, '2026-04,EUR,0.86', '2026-04,eur,0.86'),
      /Lines 2 and 3 .* are both of EUR 2026-04/,
    ],
  ])('%s', async (_, rates, message) => {
    expect(await said(BANK, { rates })).toMatch(message);
  });

  test.each([
    ['a month of Excel', 'Apr-26,EUR,0.86', /Line 2 of the rates has "Apr-26"/],
    ['a day that is open', '04/05/2026,EUR,0.86', /write a month as 2026-04/],
    ['a day that there is not', '2026-02-30,EUR,0.86', /"2026-02-30"/],
    ['the month 13', '2026-13,EUR,0.86', /"2026-13"/],
    ['pounds', '2026-04,GBP,1', /has "GBP"/],
    ['a name', '2026-04,Euro,0.86', /has "Euro"/],
    ['a comma', '2026-04,EUR,"0,86"', /has "0,86"; write a number above 0 with a point/],
    ['0', '2026-04,EUR,0.000', /has "0.000"/],
    ['a minus', '2026-04,EUR,-0.86', /has "-0.86"/],
    ['too many digits', '2026-04,EUR,0.8600000000001', /at most 9 digits before and 12 after/],
  ])('with a line that has %s', async (_, line, message) => {
    expect(await said(BANK, { rates: csv(HEADER, line) })).toMatch(message);
  });
});
