/** `ledger summary`: totals by month or category. */
import type { Transaction } from '../typescript/index.ts';
import { connect, findSource, type GlobalOptions } from './context.ts';
import { pounds, table } from './output.ts';

export interface SummaryOptions extends GlobalOptions {
  source: string;
  by: 'month' | 'category';
  from?: string;
  to?: string;
}

/** Sums are bigint: amounts end at 2^53-1, their sums do not. */
interface Totals {
  count: number;
  income: bigint;
  expense: bigint;
}

const BAR_WIDTH = 24;

export async function summary({ source: nameOrId, by, from, to, ...options }: SummaryOptions): Promise<void> {
  const { ledger, output } = connect(options);
  const source = await findSource(ledger, nameOrId);
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const groups = new Map<string, Totals>();
  const all: Totals = { count: 0, income: 0n, expense: 0n };
  for await (const transaction of ledger.transactions(source.id, range)) {
    const group = groupOf(transaction, by);
    const totals = groups.get(group) ?? { count: 0, income: 0n, expense: 0n };
    groups.set(group, totals);
    for (const each of [totals, all]) {
      each.count++;
      each[transaction.type] += BigInt(transaction.amountPence);
    }
  }
  const sorted = [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
  const document = {
    source: { id: source.id, name: source.name },
    by,
    rows: sorted.map(([group, totals]) => ({ [by]: group, ...inPence(totals) })),
    total: inPence(all),
  };
  const sums = sorted.flatMap(([, { income, expense }]) => [income, expense]);
  const [largest = 1n] = sums.sort((one, other) => (one > other ? -1 : 1));
  const row = (name: string, { count, income, expense }: Totals, bars: string) => ({
    [by]: name,
    entries: count,
    income: pounds(income),
    expense: pounds(expense),
    net: pounds(income - expense),
    '': bars,
  });
  const rows = sorted.map(([group, totals]) =>
    row(group, totals, `${bar(totals.income, largest, '█')}${bar(totals.expense, largest, '░')}`),
  );
  const text = `${table([...rows, row('total', all, '')])}\n\n█ income  ░ expense`;
  output.result(document, sorted.length > 0 ? text : `${source.name} has no entries in this period.`);
}

function groupOf({ date, category }: Transaction, by: SummaryOptions['by']): string {
  return by === 'month' ? date.slice(0, 7) : (category ?? '(review queue)');
}

const inPence = ({ count, income, expense }: Totals) => ({
  count,
  incomePence: Number(income),
  expensePence: Number(expense),
  netPence: Number(income - expense),
});

function bar(value: bigint, largest: bigint, character: string): string {
  const length = Math.round(Number((value * 1_000n) / largest) * (BAR_WIDTH / 1_000));
  return character.repeat(value > 0n ? Math.max(length, 1) : 0);
}
