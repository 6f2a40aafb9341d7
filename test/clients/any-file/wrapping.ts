/** The surroundings of the rows: the format, the unit, names of cards, and words that nothing has happened yet. */
import type { Random } from '../../faults/random.ts';
import type { Column, DrawnFile, Item } from './drawn-file.ts';
import type { Names } from './words.ts';

/** A file without rows. */
export function styleOf(random: Random): Omit<DrawnFile, 'features' | 'items' | 'columns' | 'sign'> {
  const isWorkbook = random.chance(0.2);
  const name = random.pick(['april', 'export', 'list', 'file-2026', 'data']);
  return {
    format: isWorkbook ? 'xlsx' : 'csv',
    fileName: `${name}.${isWorkbook ? 'xlsx' : 'csv'}`,
    preamble: [],
    footer: [],
    isCardNamed: false,
    isNewestFirst: false,
    unit: 'pounds',
    opening: 0,
    dateStyle: random.pick(['d/m/y', 'd/m/y', 'd/m/y', 'iso', 'd Mon y', 'd.m.y', 'd-m-y', 'm/d/y'] as const),
    delimiter: random.pick([',', ',', ',', ';', '\t', '|']),
    isQuoted: random.chance(0.3),
    hasThousands: random.chance(0.2),
    minus: random.pick(['-', '-', '-', '-', '()', 'behind'] as const),
    account: { type: '' },
    isSeveral: false,
    isProved: false,
  };
}

const CARD_FILES = [
  'barclaycard-april',
  'visa-april',
  'creditcard',
  'mastercard_june',
  'mbna',
  'credit card',
  'amex',
];
const CARD_LINES = [
  'Barclaycard Platinum',
  'Your Visa statement',
  'Credit card ending 1234',
  'Mastercard account',
];

/** A card whose name is in the name of the file or above the header. */
export function withCard(drawn: DrawnFile, random: Random): DrawnFile {
  const card = { ...drawn, isCardNamed: true, features: [...drawn.features, 'card: named'] };
  // The rest of the name may say that nothing has happened yet.
  if (random.chance(0.5)) return { ...card, fileName: `${random.pick(CARD_FILES)}-${drawn.fileName}` };
  return { ...card, preamble: [{ text: random.pick(CARD_LINES), meaning: 'keep' }, ...drawn.preamble] };
}

const ABOVE = ['All amounts in pence', 'Amounts in pence', 'Figures in pence', 'Values are in pence (p)'];

/** The amounts are whole pence, and something beside them says so. */
export function inUnit(before: DrawnFile, random: Random, names: Names): DrawnFile {
  // A column called Amount (£) would contradict it.
  const columns = before.columns.map((column) =>
    /£|GBP/.test(column.name) ? { ...column, name: names.certain(['Amount']).text } : column,
  );
  const drawn = { ...before, columns };
  const place = random.pick([
    ...(['above', 'below', 'column', 'currency', 'heading'] as const),
    ...(drawn.format === 'xlsx' ? (['number format', 'number format'] as const) : []),
  ]);
  const pence: DrawnFile = {
    ...drawn,
    unit: 'pence',
    features: [...drawn.features, `unit: ${place}`],
  };
  switch (place) {
    case 'above':
      return { ...pence, preamble: [...drawn.preamble, { text: random.pick(ABOVE), meaning: 'keep' }] };
    case 'below':
      return { ...pence, footer: [random.pick(ABOVE)] };
    case 'column':
      return {
        ...pence,
        columns: [
          ...drawn.columns,
          constant(names.certain(['Unit']).text, random.pick(['p', 'pence', 'GBp'])),
        ],
      };
    case 'currency':
      return {
        ...pence,
        columns: [
          ...drawn.columns,
          constant(names.certain(['Currency', 'Ccy']).text, random.pick(['GBp', 'GBX'])),
        ],
      };
    case 'number format':
      return pence;
  }
  const behind = random.pick([' (p)', ' (pence)', ' in pence', ' (GBX)']);
  const named = drawn.columns.map((column) =>
    column.role === 'amount' ? { ...column, name: `${column.name.replace(/ \(.*/, '')}${behind}` } : column,
  );
  return { ...pence, columns: named };
}

const constant = (name: string, value: string): Column => ({
  name,
  certainty: 'usual',
  role: 'other',
  isNeeded: true,
  cell: (line) => (line.heading === undefined && !line.covers ? value : ''),
  // It says something, and none of the answers about money.
  answers: [],
  meaning: () => 'keep',
  cost: 0,
});

const PLANS = [
  'Upcoming payments',
  'Forecast for May 2026',
  'Budget 2026',
  'Planned payments',
  'Scheduled payments',
];

/** Nothing of the file has happened, and a known word above the header or in the name of the file says so. */
export function withPlans(drawn: DrawnFile, random: Random): DrawnFile {
  const items = drawn.items.map(planned);
  const text = random.pick(PLANS);
  const extension = drawn.fileName.slice(drawn.fileName.lastIndexOf('.'));
  const features = [...drawn.features, 'state: of the whole file'];
  if (random.chance(0.3))
    return { ...drawn, items, features, fileName: `${text.toLowerCase().replaceAll(' ', '-')}${extension}` };
  return { ...drawn, items, features, preamble: [...drawn.preamble, { text, meaning: 'skip' }] };
}

const planned = (item: Item): Item =>
  item.kind === 'payments'
    ? { ...item, payments: item.payments.map((payment) => ({ ...payment, happened: false })) }
    : item;
