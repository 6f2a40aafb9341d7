/** Draws files. Each choice is of one number, so that a file can be drawn again. */
import { type Random, random as seeded } from '../../faults/random.ts';
import {
  BESIDE_NAMES,
  balanceColumn,
  besideColumn,
  dateColumn,
  descriptionColumn,
  shuffled,
} from './columns.ts';
import { WAYS, type Way, type WayName } from './directions.ts';
import { drawPlain } from './draw-plain.ts';
import type { Column, DrawnFile, Item } from './drawn-file.ts';
import { asRefund, drawPayments, drawPence, type Payment } from './payments.ts';
import { RELATIONS, rowOf, underDirections } from './relations.ts';
import { SEVERAL } from './several.ts';
import { STATE_NAMES, someNot, stateColumn } from './states.ts';
import { reasonOf } from './undecidable.ts';
import { Names } from './words.ts';
import { inUnit, styleOf, withCard, withPlans } from './wrapping.ts';

export const ANSWERS_MAX = 4;
const WAY_NAMES = Object.keys(WAYS) as WayName[];
const BELOW_HEADINGS = 'headings';

/** A file that a reader can decide by the documented rules. */
export function drawFile(seed: number | string): DrawnFile {
  for (let attempt = 0; attempt < 100; attempt++) {
    const random = seeded(`meaning ${seed} ${attempt}`);
    const drawn = drawAny(random);
    const cost = drawn.columns.reduce((sum, column) => sum + column.cost, 0);
    if (drawn.items.length > 0 && cost <= ANSWERS_MAX && reasonOf(drawn) === undefined) return drawn;
  }
  throw new Error(`No file of seed ${seed} is decidable`);
}

function drawAny(random: Random): DrawnFile {
  const kind = random.int(1, 100);
  if (kind <= 12) return drawSeveral(random);
  if (kind <= 30) return drawPlain(random);
  return drawTable(random);
}

function drawTable(random: Random): DrawnFile {
  const names = new Names(random);
  // The most common table is the one with the most relations.
  const wayName = random.pick([
    ...WAY_NAMES,
    BELOW_HEADINGS,
    ...Array<WayName>(4).fill('signed bank'),
  ] as const);
  const isHeaded = wayName === BELOW_HEADINGS;
  const way: Way = isHeaded
    ? { ...WAYS['no sign, all in'], mix: ['mixed', 'mostly out'], cost: 2 }
    : WAYS[wayName];
  const payments = drawOf(way, random);
  const related = Object.entries(RELATIONS).filter(
    ([, { signs, needsTotals }]) => signs.includes(way.sign) && (!needsTotals || way.hasTotals),
  );
  const [relationName, relation] = random.pick(related);
  // A second thing beside the direction is enough for most files.
  const extra = drawExtra(random);
  let items: Item[] = payments.map(rowOf);
  const columns: Column[] = [dateColumn(names), descriptionColumn(names), ...way.columns(names)];
  const features = [`direction: ${wayName}`];
  let cost = way.cost;
  let isPlain = true;
  if (isHeaded) items = underDirections(payments, random);
  else if (extra === 'relation') {
    items = relation.items(payments, random, way.sign);
    columns.push(...(relation.columns?.(names) ?? []));
    features.push(`rows: ${relationName}`);
    cost += relation.cost;
    isPlain = relation.isPlain === true;
  } else if (extra === 'state') {
    const state = random.pick(STATE_NAMES);
    items = someNot(payments, random).map(rowOf);
    columns.push({ ...stateColumn(state, names), feature: `state: ${state}` });
    isPlain = false;
  }
  const base: DrawnFile = { ...styleOf(random), features, items, columns, sign: way.sign };
  let drawn = extra === 'unit' ? inUnit(base, random, names) : base;
  if (extra === 'plans' && !isHeaded) drawn = withPlans(drawn, random);
  if (['signed spending', 'no sign, all out', 'signed bank'].includes(wayName)) {
    const isOfCard = wayName !== 'signed bank' || random.chance(0.1);
    if (isOfCard && random.chance(0.4)) drawn = withCard(drawn, random);
  }
  if (drawn.unit === 'pence') cost++;
  const hasBalance =
    (extra === 'balance' || (isPlain && extra === 'relation' && random.chance(0.5))) && !isHeaded;
  if (hasBalance && isPlain && (way.sign !== 'spending' || !drawn.isCardNamed))
    drawn = withBalance(drawn, wayName, random, names);
  else if (!isHeaded && (isPlain || (extra === 'relation' && relation.isEitherWay)))
    drawn = { ...drawn, isNewestFirst: random.chance(0.3) };
  return withBeside(drawn, random, names, ANSWERS_MAX - cost);
}

type Extra = 'none' | 'relation' | 'state' | 'balance' | 'unit' | 'plans';

function drawExtra(random: Random): Extra {
  const at = random.int(1, 100);
  if (at <= 17) return 'none';
  if (at <= 47) return 'relation';
  if (at <= 67) return 'state';
  if (at <= 87) return 'balance';
  return at <= 97 ? 'unit' : 'plans';
}

function drawOf(way: Way, random: Random): Payment[] {
  const payments = drawPayments(random, random.pick(way.mix), random.int(3, 12));
  const refunds = way.refund === 'one' || (way.refund === 'maybe' && random.chance(0.5)) ? 1 : 0;
  const at = payments.findLastIndex(({ direction }) => direction === 'out');
  return payments.map((payment, index) =>
    refunds === 1 && index === at ? asRefund(payment, random) : payment,
  );
}

/** Ways whose amounts follow as they stand, so that the balance proves each row. */
const PROVED: readonly string[] = ['signed bank', 'two columns', 'a column of money in'] satisfies WayName[];

function withBalance(drawn: DrawnFile, way: WayName | string, random: Random, names: Names): DrawnFile {
  const isProved = PROVED.includes(way) && drawn.unit === 'pounds' && !drawn.isCardNamed;
  const areColumnsCertain =
    drawn.sign !== 'columns' ||
    drawn.columns.every(({ role, certainty }) => role !== 'amount' || certainty === 'usual');
  const column = balanceColumn(names, isProved);
  // A balance that only rises may be the running total of a list of costs.
  const falls = drawn.items.some(
    (item) => item.kind === 'payments' && item.payments.some(({ direction }) => direction === 'out'),
  );
  return {
    ...drawn,
    columns: [...drawn.columns, column],
    features: [...drawn.features, isProved ? 'balance: whole' : 'balance: beside open amounts'],
    opening: drawPence(random, 200, 3000),
    isNewestFirst: random.chance(0.5),
    isProved: isProved && areColumnsCertain && (way !== 'signed bank' || falls),
  };
}

function withBeside(drawn: DrawnFile, random: Random, names: Names, free: number): DrawnFile {
  const columns = [...drawn.columns];
  const open = columns.reduce((sum, { cost }) => sum + cost, 0);
  let left = free - open;
  for (const name of shuffled(BESIDE_NAMES, random).slice(0, random.pick([0, 1, 1, 2, 3]))) {
    const column = besideColumn(name, names);
    if (column.cost > left) continue;
    left -= column.cost;
    columns.push({ ...column, feature: `beside: ${name}` });
  }
  const [date, ...others] = columns;
  const ordered =
    date && random.chance(0.8) ? [date, ...shuffled(others, random)] : shuffled(columns, random);
  // Beyond the bound the file is drawn again.
  const over = left < 0 ? { items: [] } : {};
  return { ...drawn, columns: ordered, ...over };
}

function drawSeveral(random: Random): DrawnFile {
  const names = new Names(random);
  const name = random.pick(Object.keys(SEVERAL));
  const several = SEVERAL[name];
  if (!several) throw new Error(`No table is called ${name}`);
  const rows = several.items(random, random.int(3, 9));
  const hasTotal = rows.every(({ kind }) => kind === 'payments') && random.chance(0.3);
  const total: Item = {
    kind: 'total',
    text: random.pick(['Total', 'Totals', '']),
    isDated: random.chance(0.4),
  };
  const columns = [dateColumn(names), descriptionColumn(names), ...several.columns(names)];
  if (random.chance(0.4)) columns.push(besideColumn('property', names));
  const features = [`several: ${name}`, ...(hasTotal ? ['rows: total of several'] : [])];
  const items = hasTotal ? [...rows, total] : rows;
  const style = styleOf(random);
  // A name that says what the column is costs no question, nor does one column of all amounts.
  const unpriced = columns.map((column) => ({ ...column, cost: column.certainty === 'usual' ? 0 : 1 }));
  return { ...style, features, items, columns: unpriced, sign: 'columns', isSeveral: true };
}
