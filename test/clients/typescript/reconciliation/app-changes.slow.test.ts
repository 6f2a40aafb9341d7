/**
 * Property: files and rules with random mistakes are pushed, then the right ones, and a person changes what the list of corrections says.
 * Then the books equal the books of the right files alone. Before, nothing is reconciled.
 */

import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { type ComparedFiles, compare, newEntries } from '../../../../clients/typescript/match/compare.ts';
import { isProbable } from '../../../../clients/typescript/match/compared-entry.ts';
import { type Decision, decisionKey } from '../../../../clients/typescript/match/decision.ts';
import type { Books, StoredEntry } from '../../../../clients/typescript/match/stored-books.ts';
import type { AppChange } from '../../../../clients/typescript/reconciliation/app-changes.ts';
import { reconcile } from '../../../../clients/typescript/reconciliation/reconcile.ts';
import type { Source } from '../../../../clients/typescript/resources.ts';
import { plan } from '../import/plan.ts';
import { booksOf, probablyOf, sources } from '../match/pushed.ts';

setDefaultTimeout(600_000);

const SHOPS = ['SHOP', 'CAFE', 'FARE'];
const anyDecision = fc.constantFrom(
  '27 Station Road / travelCosts',
  '27 Station Road / professionalFees',
  '12 Acacia Avenue / travelCosts',
  '"Flat 3, Mill Lane" / travelCosts',
  '27 Station Road / split: travelCosts 1.00, rest professionalFees',
  '27 Station Road / split: travelCosts 1.00, costOfServices 2.00, rest professionalFees',
  '12 Acacia Avenue / split: travelCosts 60 % of payment, rest premisesRunningCosts',
  '27 Station Road / split: travelCosts 1.00, rest leave out',
  'leave out',
);
const anyRules = fc
  .tuple(anyDecision, anyDecision, anyDecision, fc.option(anyDecision))
  .map(([first, second, third, large]) =>
    [
      'description is "EDGE" -> Web design',
      ...(large === null ? [] : [`amount over 500 -> ${large}`]),
      ...[first, second, third].map((decision, index) => `description is "${SHOPS[index]}" -> ${decision}`),
    ].join('\n'),
  );
const anyPayment = fc.record({
  shop: fc.constantFrom(...SHOPS),
  day: fc.integer({ min: 8, max: 14 }),
  pounds: fc.constantFrom(10, 20, 100, 1_000),
  // Of the first file.
  wrongPounds: fc.option(fc.constantFrom(30, 200, 2_000)),
  daysBefore: fc.integer({ min: -3, max: 3 }),
});

const fileOf = (rows: readonly { shop: string; day: number; pounds: number }[]) => [
  '2026-10-01,EDGE,-1.00',
  ...rows.map(({ shop, day, pounds }) => `2026-10-${String(day).padStart(2, '0')},${shop},-${pounds}.00`),
  '2026-10-31,EDGE,-1.00',
];

/** Books in memory, with what a push and a person with the app do to them. */
function account() {
  const entries = new Map<string, StoredEntry>();
  let count = 100;
  const orderOf = ({ stored: { date, id } }: StoredEntry) => `${date} ${id}`;
  /** The newest first, as the API has them. */
  const books = (): Books =>
    booksOf([...entries.values()].sort((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1)));
  const push = (compared: ComparedFiles) => {
    for (const { entry, source } of newEntries(compared)) {
      expect(books().byReference.has(entry.externalRef ?? '')).toBe(false);
      const id = `e${count++}`;
      const stored = { id, category: null, description: null, externalRef: null, ...entry };
      entries.set(id, { stored, source: sources.find((each) => each.id === source?.id) as Source });
    }
  };
  const correct = ({ action, id, shouldBe }: AppChange) => {
    if (action === 'remove' || action === 'check') return entries.delete(id);
    for (const text of shouldBe.split(/, (?=(?:date|type|amount|category|description) )/)) {
      const { stored, source } = entries.get(id) as StoredEntry;
      const [, field, value = ''] = /^(date|type|amount|category|description) (.*)$/.exec(text) ?? [];
      const change =
        field === 'amount'
          ? { amountPence: Number(value.replaceAll(/[.,]/g, '')) }
          : { [field ?? '']: value };
      const moved = sources.find(({ name }) => name === text);
      entries.set(id, moved ? { stored, source: moved } : { stored: { ...stored, ...change }, source });
    }
  };
  /** Sorted, without ids and references. */
  const facts = () =>
    [...entries.values()]
      .map(({ source, stored: { date, type, amountPence, category, description } }) =>
        [source.name, date, type, amountPence, category, description].join(' '),
      )
      .sort();
  return { books, push, correct, facts };
}

test('the list of corrections leads from the books of wrong files and rules to the right books', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyPayment, { minLength: 1, maxLength: 4 }),
      anyRules,
      anyRules,
      async (payments, before, rules) => {
        const wrong = payments.map(({ shop, day, pounds, wrongPounds, daysBefore }) => ({
          shop,
          day: day - daysBefore,
          pounds: wrongPounds ?? pounds,
        }));
        const [own, model] = [account(), account()];
        const decisions = new Map<string, Decision>();
        const comparedWith = async (books: Books, rows: typeof wrong, text: string) => {
          const result = await plan(text, fileOf(rows));
          const file = { name: 'a.csv', result, bytes: new Uint8Array() };
          return compare([file], books, { source: undefined, decisions });
        };
        const compareNow = () => comparedWith(own.books(), payments, rules);
        own.push(await comparedWith(own.books(), wrong, before));
        model.push(await comparedWith(model.books(), payments, rules));

        let isReconciled = false;
        for (let round = 0; round < 4 && !isReconciled; round++) {
          const compared = await compareNow();
          const rulesFile = { text: rules, bytes: new TextEncoder().encode(rules) };
          const { reconciliation, appChanges } = reconcile({ ...compared, rules: rulesFile });
          isReconciled = reconciliation.isReconciled;
          if (isReconciled) expect(appChanges).toEqual([]);
          for (const each of appChanges) own.correct(each);
          // The command sends nothing before a person has decided. One of several equal rows is the entry.
          let next = await compareNow();
          for (const entry of next.entries) {
            const probably = probablyOf(entry);
            if (!probably || probably.fields.length > 0 || probably.isElsewhere) continue;
            const isFree = ![...decisions.keys()].some((key) => key.endsWith(` ${probably.stored.id}`));
            if (isFree) decisions.set(decisionKey(entry, probably.stored.id), 'same');
          }
          next = await compareNow();
          if (!next.entries.some(isProbable)) own.push(next);
        }
        expect({ isReconciled, books: own.facts() }).toEqual({ isReconciled: true, books: model.facts() });
      },
    ),
    { numRuns: Number(process.env.APP_CHANGES_RUNS ?? 200) },
  );
});
