/**
 * Random orders of choices, with other files, reloads and a second tab. Check shows what is stored, and a column that nobody has
 * answered is never used.
 */
import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { ImportError, readImportFile } from '../../../clients/typescript/import/index.ts';
import {
  answersOfUses,
  FIELD_NAMES,
  fileColumns,
  withAnswerFor,
} from '../../../clients/web/import/column-uses.ts';
import { answerItemsOf } from '../../../clients/web/import/file/answers.ts';
import type { Importer } from '../../../clients/web/import/importer.ts';
import { preferencesIn } from '../../../clients/web/import/preferences.ts';
import { canPush } from '../../../clients/web/import/selectors.ts';
import type { ColumnUse, FileState } from '../../../clients/web/import/state.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { check, file, fileOf, memory, newImporter, openFile, push } from './importer-fixture.ts';

setDefaultTimeout(600_000);

const FILES = [
  'Date,Guest,Amount,Paid out,Service fee,Gross earnings\n25/10/2026,Ann,97.00,,3.00,100.00\n26/10/2026,Payout,,97.00,,\n',
  'Date,Tenant,Rent Due,Rent Paid,Expenses\n13/10/2026,Patel,1025,1000,\n15/10/2026,Plumber,,,120.50\n',
  'Agents Ltd,,,,,\nDate,Tenant,Rent,Fee,Repairs,Paid to you\n13/10/2026,Patel,1000.00,100.00,,900.00\n14/10/2026,Jones,900.00,90.00,10.00,800.00\n',
  'Date,Text,Amount\n13/10/2026,PAINT,60.00\n14/10/2026,NAILS,12.00\n20/10/2026,PAINT,-12.00\n',
  'Date,When,Description,Money in,Money out,Amount,Kind\n13/10/2026,14/10/2026,Rent,5.00,,7.00,Done\n15/10/2026,16/10/2026,Gas,,3.00,-8.00,Quote\n',
  'Tag;Zweck;Soll;Haben\n13.10.2026;Miete;;12.50\n14.10.2026;Farbe;3.20;\n',
];
const LIKELY = ['moneyIn', 'moneyOut', 'ignore', 'description', 'check', 'amount', 'spent', 'date'] as const;
const USES = [...LIKELY, ...LIKELY, ...Object.keys(FIELD_NAMES)] as ColumnUse['use'][];
const chosen = (column: number, use: (typeof LIKELY)[number]) => ({
  do: 'use',
  column,
  use: USES.indexOf(use),
});
/** The gross earnings are money in, and the amount is left out: what was paid out stays open. */
const EARNINGS = [chosen(1, 'description'), chosen(5, 'moneyIn'), chosen(4, 'moneyOut'), chosen(2, 'ignore')];

const number = fc.nat({ max: 99 });
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('use'), column: number, use: number }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer'), column: number, use: number }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('file'), column: number, use: number }) },
  ...['take back', 'to check and back', 'reload', 'other tab'].map((name) =>
    fc.record({ do: fc.constant(name), column: number, use: number }),
  ),
);

const sumsOf = (entries: readonly { entry: { type: string; amountPence: number } }[]) =>
  entries.map(({ entry: { type, amountPence } }) => `${type} ${amountPence}`).sort();

/** The text with the cells of a column emptied. */
function without(text: string, header: number, column: number): string {
  const mark = text.includes(';') ? ';' : ',';
  return text
    .split('\n')
    .map((line, row) => {
      const cells = line.split(mark);
      if (row > header && cells.length > column) cells[column] = '';
      return cells.join(mark);
    })
    .join('\n');
}

/** The labels of columns that the reader asks about by itself. */
async function openLabels(text: string): Promise<Set<string>> {
  const error = await readImportFile(new TextEncoder().encode(text), { fileName: 'file.csv' }).catch(
    (error: unknown) => error,
  );
  if (!(error instanceof ImportError)) return new Set();
  const { header = [], ignored = [] } = error.table ?? {};
  const questions = error.questions?.filter(({ kind }) => kind !== 'unit');
  const asked = questions?.flatMap(({ columns }) => columns) ?? ignored;
  const parts = questions?.flatMap(({ amounts = [] }) => amounts.flatMap(({ columns }) => columns)) ?? [];
  return new Set([...asked.map((index) => header[index] ?? ''), ...parts]);
}

async function expectUnused(text: string, of: FileState, answered: ReadonlySet<string>): Promise<void> {
  const { result, parseOptions } = of;
  if (!result || of.problem) return;
  const { header, headerRow } = result.recognised;
  for (const label of await openLabels(text)) {
    if (answered.has(label)) continue;
    const { uses, ...options } = parseOptions;
    const emptied = without(text, (headerRow ?? 0) - 1, header.indexOf(label));
    const read = await readImportFile(new TextEncoder().encode(emptied), {
      fileName: 'file.csv',
      ...options,
      ...answersOfUses(uses),
    });
    expect([label, sumsOf(read.entries)]).toEqual([label, sumsOf(result.entries)]);
  }
}

test('Check shows what is stored, and a column that nobody has answered is never used', async () => {
  let stored = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: FILES.length - 1 }),
      fc.array(step, { maxLength: 14 }),
      async (first, steps) => {
        const account = await TestAccount.create();
        const { storage } = memory();
        const tab = async (): Promise<Importer> =>
          (await newImporter({ preferences: preferencesIn(() => storage, 'account') }, account)).importer;
        const tabs = [await tab(), await tab()];
        const texts = [first, first];
        let current = 0;
        // By the file and the label: a browser keeps answers for all tabs.
        const answered = FILES.map(() => new Set<string>());
        const importer = () => tabs[current] as Importer;
        const text = () => FILES[texts[current] ?? 0] as string;
        const open = async (to: number) => {
          texts[current] = to;
          await openFile(importer(), file(text()));
        };
        const isRead = () => !fileOf(importer()).problem && importer().state.value.merged.entries.length > 0;
        const columns = () => fileColumns(fileOf(importer()));
        const use = async (column: number, to: ColumnUse['use'] | undefined) => {
          const chosen = columns()[column % columns().length];
          if (!chosen) return;
          const { uses: before = {} } = fileOf(importer()).parseOptions;
          const uses = withAnswerFor(columns(), before, chosen, to && { use: to });
          for (const { name, label } of columns())
            if (uses[name] && uses[name] !== before[name]) answered[texts[current] ?? 0]?.add(label);
          await importer().setParseOptions(fileOf(importer()).file, { uses });
        };
        const answer = async (column: number, choice: number) => {
          const open = columns().filter(({ questions }) => questions.length > 0);
          const items = answerItemsOf(fileOf(importer())).filter((item) => item.answer === undefined);
          const item = items[column % items.length];
          const asked = open[column % open.length];
          if (item) {
            const choices = Object.keys(item.choices);
            if (item.column) answered[texts[current] ?? 0]?.add(item.column);
            await importer().setParseOptions(
              fileOf(importer()).file,
              item.change(choices[choice % choices.length]),
            );
          } else if (asked)
            await use(
              columns().indexOf(columns().find(({ name }) => name === asked.name) ?? asked),
              USES[choice % USES.length],
            );
        };
        /** Answers one question, in an order of its own. */
        const settle = async (turn: number) => {
          if (answerItemsOf(fileOf(importer())).some((item) => item.answer === undefined))
            return answer(0, 3);
          const open = columns().filter(({ questions, use }) => questions.length > 0 || use === 'open');
          const asked = open[(turn * 5 + steps.length) % open.length];
          const choices = USES.filter((to) => asked?.questions[0]?.choices.includes(to));
          const choice = choices[(turn * 3 + steps.length) % Math.max(1, choices.length)] ?? 'ignore';
          if (asked)
            await use(
              columns().findIndex(({ name }) => name === asked.name),
              choice,
            );
        };
        for (const tabNumber of [1, 0]) {
          current = tabNumber;
          await open(first);
        }
        for (const each of steps) {
          if (each.do === 'use') await use(each.column, USES[each.use % USES.length]);
          if (each.do === 'answer') await answer(each.column, each.use);
          if (each.do === 'take back') await use(each.column, undefined);
          if (each.do === 'file') await open(each.column % FILES.length);
          if (each.do === 'other tab') current = 1 - current;
          if (each.do === 'reload') {
            tabs[current] = await tab();
            await open(texts[current] ?? 0);
          }
          if (each.do === 'to check and back' && isRead()) {
            await check(importer());
            importer().go('file');
          }
          await expectUnused(text(), fileOf(importer()), answered[texts[current] ?? 0] as Set<string>);
        }
        for (let turn = 0; turn < 20 && fileOf(importer()).problem; turn++) await settle(turn);
        await expectUnused(text(), fileOf(importer()), answered[texts[current] ?? 0] as Set<string>);
        if (!isRead()) return;
        await check(importer());
        if (!canPush(importer().state.value)) return;
        const shown = sumsOf(importer().state.value.merged.entries);
        await push(importer());
        const rows = await rowsOf(account.accountId);
        expect(
          sumsOf(rows.map((entry) => ({ entry: { ...entry, amountPence: Number(entry.amountPence) } }))),
        ).toEqual(shown);
        stored++;
      },
    ),
    { seed: 59, numRuns: 60, endOnFailure: false, examples: [[0, EARNINGS]] },
  );
  expect(stored).toBeGreaterThan(10);
});
