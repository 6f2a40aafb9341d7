/** Makes a violating file smaller: fewer rows, fewer columns, a plainer style, for as long as it still violates. */
import type { Plan } from './plan.ts';
import { reasonOf } from './undecidable.ts';

export async function shrink(plan: Plan, isViolating: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let smallest = plan;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerThan(smallest)) {
      if (candidate.items.length === 0 || reasonOf(candidate) !== undefined) continue;
      if (!(await isViolating(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

const PLAIN = {
  delimiter: ',',
  isQuoted: false,
  hasThousands: false,
  minus: '-',
  isNewestFirst: false,
} as const;

function* smallerThan(plan: Plan): Generator<Plan> {
  const isPlain = Object.entries(PLAIN).every(([name, value]) => plan[name as keyof Plan] === value);
  if (!isPlain) yield { ...plan, ...PLAIN };
  if (plan.dateStyle !== 'iso' && plan.format !== 'qif') yield { ...plan, dateStyle: 'iso' };
  if (plan.format === 'xlsx' && !plan.features.includes('unit: number format')) {
    yield { ...plan, format: 'csv', fileName: plan.fileName.replace('.xlsx', '.csv') };
  }
  for (const column of plan.columns) {
    const columns = plan.columns.filter((each) => each !== column);
    if (!column.isNeeded) yield { ...plan, columns, ...(column.role === 'balance' && { isProved: false }) };
    // Without the state, each payment happened.
    if (column.feature?.startsWith('state: ')) yield { ...plan, columns, items: plan.items.map(happened) };
  }
  for (const [index, item] of plan.items.entries()) {
    // The rows below a heading have its meaning.
    if (item.kind === 'heading' && item.meaning !== 'keep') continue;
    yield { ...plan, items: plan.items.filter((_, at) => at !== index) };
  }
}

function happened(item: Plan['items'][number]): Plan['items'][number] {
  if (item.kind !== 'payments') return item;
  return { ...item, payments: item.payments.map((payment) => ({ ...payment, happened: true })) };
}
