/** Makes a violating file smaller: fewer rows, fewer columns, a plainer style, for as long as it still violates. */
import type { DrawnFile } from './drawn-file.ts';
import { reasonOf } from './undecidable.ts';

export async function shrink(
  drawn: DrawnFile,
  isViolating: (drawn: DrawnFile) => Promise<boolean>,
): Promise<DrawnFile> {
  let smallest = drawn;
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

function* smallerThan(drawn: DrawnFile): Generator<DrawnFile> {
  const isPlain = Object.entries(PLAIN).every(([name, value]) => drawn[name as keyof DrawnFile] === value);
  if (!isPlain) yield { ...drawn, ...PLAIN };
  if (drawn.dateStyle !== 'iso' && drawn.format !== 'qif') yield { ...drawn, dateStyle: 'iso' };
  if (drawn.format === 'xlsx' && !drawn.features.includes('unit: number format')) {
    yield { ...drawn, format: 'csv', fileName: drawn.fileName.replace('.xlsx', '.csv') };
  }
  for (const column of drawn.columns) {
    const columns = drawn.columns.filter((each) => each !== column);
    if (!column.isNeeded) yield { ...drawn, columns, ...(column.role === 'balance' && { isProved: false }) };
    // Without the state, each payment happened.
    if (column.feature?.startsWith('state: ')) yield { ...drawn, columns, items: drawn.items.map(happened) };
  }
  for (const [index, item] of drawn.items.entries()) {
    // The rows below a heading have its meaning.
    if (item.kind === 'heading' && item.meaning !== 'keep') continue;
    yield { ...drawn, items: drawn.items.filter((_, at) => at !== index) };
  }
}

function happened(item: DrawnFile['items'][number]): DrawnFile['items'][number] {
  if (item.kind !== 'payments') return item;
  return { ...item, payments: item.payments.map((payment) => ({ ...payment, happened: true })) };
}
