/** `ledger summary`: totals by month or category. */

import { type Command, Option } from 'commander';
import { sourceIn } from '../settings/sources.ts';
import { countOf, netOf, type Totals, totalsBy } from '../typescript/export/totals.ts';
import { pounds } from '../typescript/pounds.ts';
import { connect } from './connection.ts';
import { addEntriesOptions, type EntriesOptions } from './entries-options.ts';
import { table } from './output.ts';

interface SummaryOptions extends EntriesOptions {
  by: 'month' | 'category';
}

export const addSummaryOptions = (command: Command): Command =>
  addEntriesOptions(command).addOption(
    new Option('--by <unit>', 'month or category').choices(['month', 'category']).default('month'),
  );

const BAR_WIDTH = 24;

/** Prints the totals of a source by month or category. @throws UserError, LedgerError */
export async function summary({ source: nameOrId, by, from, to, ...options }: SummaryOptions): Promise<void> {
  const { ledger, output } = connect(options);
  const source = sourceIn(await ledger.sources(), nameOrId);
  const sums = totalsBy(by);
  for await (const transaction of ledger.transactions(source.id, { from, to })) sums.add(transaction);
  const sorted = sums.groups().map(([group, totals]) => [group ?? '(review queue)', totals] as const);
  const document = {
    source: { id: source.id, name: source.name },
    by,
    rows: sorted.map(([group, totals]) => ({ [by]: group, ...totalsDocument(totals) })),
    total: totalsDocument(sums.all),
  };
  const pence = sorted.flatMap(([, { income, expense }]) => [income.pence, expense.pence]);
  const [largest = 1n] = pence.sort((one, other) => (one > other ? -1 : 1));
  const row = (name: string, totals: Totals, bars: string) => ({
    [by]: name,
    entries: countOf(totals),
    income: pounds(totals.income.pence),
    expense: pounds(totals.expense.pence),
    net: pounds(netOf(totals)),
    '': bars,
  });
  const rows = sorted.map(([group, totals]) =>
    row(group, totals, `${bar(totals.income.pence, largest, '█')}${bar(totals.expense.pence, largest, '░')}`),
  );
  const lines = [...table([...rows, row('total', sums.all, '')]), '', '█ income  ░ expense'];
  output.result(document, sorted.length > 0 ? lines : [`${source.name} has no entries in this period.`]);
}

const totalsDocument = (totals: Totals) => ({
  count: countOf(totals),
  incomePence: Number(totals.income.pence),
  expensePence: Number(totals.expense.pence),
  netPence: Number(netOf(totals)),
});

function bar(value: bigint, largest: bigint, character: string): string {
  const length = Math.round(Number((value * 1_000n) / largest) * (BAR_WIDTH / 1_000));
  return character.repeat(value > 0n ? Math.max(length, 1) : 0);
}
