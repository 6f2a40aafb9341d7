/**
 * Property: random files, rules and corrected amounts, pushed one after the other and at the same time. No payment is ever stored twice, and a
 * row that is not stored is named.
 */

import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { readImportFile } from '../../../../clients/typescript/import/index.ts';
import { Ledger } from '../../../../clients/typescript/index.ts';
import { compare } from '../../../../clients/typescript/match/compare.ts';
import { NO_DECISIONS } from '../../../../clients/typescript/match/decision.ts';
import { rowOfPart } from '../../../../clients/typescript/match/part-reference.ts';
import { readBooks } from '../../../../clients/typescript/match/stored-books.ts';
import { pushCompared } from '../../../../clients/typescript/push/push-compared.ts';
import { TestAccount } from '../../../fixtures/client.ts';
import { system } from '../../../fixtures/system.ts';

setDefaultTimeout(300_000);

const PAYMENTS = 6;
/** Of an amount of 100.00 and more. */
const WAYS = {
  whole: [100],
  'split: periodAmount 60 % of payment, rest': [60, 40],
  'split: periodAmount 50 % of payment, otherIncome 30 % of payment, rest': [50, 30, 20],
  'split: periodAmount 60 % of payment, rest leave out': [60],
};
type Way = keyof typeof WAYS;

interface Push {
  /** The way of each payment; undefined: it is not in the file. */
  ways: (Way | undefined)[];
  /** The payments whose amounts are corrected from now on. */
  corrected: number[];
}

const anyPush = fc.record({
  ways: fc.array(fc.option(fc.constantFrom(...(Object.keys(WAYS) as Way[])), { nil: undefined }), {
    minLength: PAYMENTS,
    maxLength: PAYMENTS,
  }),
  corrected: fc.subarray(
    Array.from({ length: PAYMENTS }, (_, index) => index),
    { maxLength: 1 },
  ),
});
/** Those of a round begin at the same time. */
const rounds = fc.array(fc.array(anyPush, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });

test('no payment is stored twice, and what is not stored is named', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      const account = await TestAccount.create();
      const ledger = new Ledger({ url: system.url, apiKey: account.key });
      const sources = await ledger.sources();
      const books = () => readBooks(ledger, sources);
      // No amount is the sum of others: such a row may be a total.
      const pence = Array.from({ length: PAYMENTS }, (_, index) => 10_000 * 2 ** index);

      const push = async ({ ways }: Push) => {
        const rows = ways.flatMap((way, index) =>
          way === undefined ? [] : `2026-10-1${index},TENANT ${index} END,${(pence[index] ?? 0) / 100}.00`,
        );
        // The period of the file is the same each time.
        const [first, last] = ['Date,Description,Money in\n2026-10-01,FIRST,0.00', '2026-10-31,LAST,1.00\n'];
        const text = [first, ...rows, last].join('\n');
        const rules = ways.flatMap((way = 'whole', index) =>
          way === 'whole' ? [] : `description is "TENANT ${index} END" -> uk-property / ${way}`,
        );
        const result = await readImportFile(new TextEncoder().encode(text), {
          rules: [...rules, 'otherwise -> uk-property'].join('\n'),
          sources,
        });
        expect(result.invalid).toEqual([]);
        const shown = compare([{ name: 'a.csv', result }], await books(), {
          source: undefined,
          decisions: NO_DECISIONS,
        });
        const { outcomes, changed, compared } = await pushCompared(ledger, shown);
        // Each entry that the file makes has an outcome, or is one part of a row whose first part is in conflict.
        for (const [index, outcome] of outcomes.entries()) {
          const { row } = compared.entries[index] as { row: number };
          const isRefused = (each: { row: number }, other: number) =>
            each.row === row && outcomes[other]?.status === 'conflict';
          const isNamed = outcome !== undefined || changed.some((each) => each.row === row);
          expect([row, isNamed || compared.entries.some(isRefused)]).toEqual([row, true]);
        }
      };

      const everyPence = pence.map((each) => [each]);
      for (const round of all) {
        for (const index of round[0]?.corrected ?? []) {
          pence[index] = (pence[index] ?? 0) + 777_700;
          everyPence[index]?.push(pence[index] ?? 0);
        }
        await Promise.all(round.map(push));
        const stored = [...(await books()).byId.values()].map((each) => each.stored);
        for (const [index, amounts] of everyPence.entries()) {
          const own = stored.filter(({ description }) => description === `TENANT ${index} END`);
          const rowsOfPayment = new Set(own.map(({ externalRef }) => rowOfPart(externalRef ?? '')));
          expect([index, rowsOfPayment.size <= 1]).toEqual([index, true]);
          const parts = own.map(({ amountPence }) => amountPence).sort((a, b) => b - a);
          const isOneWay = amounts.some((amount) =>
            Object.values(WAYS).some((shares) => {
              const whole = shares.map((share) => (amount * share) / 100);
              return parts.every((part, at) => whole[at] === part) && parts.length <= whole.length;
            }),
          );
          expect([index, parts, isOneWay || parts.length === 0]).toEqual([index, parts, true]);
        }
      }
    }),
    { numRuns: Number(process.env.INTERLEAVED_RUNS ?? 25) },
  );
});
