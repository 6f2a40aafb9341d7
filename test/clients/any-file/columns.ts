/** Columns beside the amounts: dates, texts, numbers, and the running balance. */
import type { Random } from '../../faults/random.ts';
import type { Cell, Column, Line } from './drawn-file.ts';
import { DATES, DESCRIPTIONS, inventedWord, type Name, type Names } from './words.ts';

/** By default a column whose values say nothing: true answers are that it is not read, or the name of its field. */
function column(name: Name, cell: (line: Line) => Cell, more: Partial<Column> = {}): Column {
  return {
    name: name.text,
    certainty: name.certainty,
    role: 'other',
    isNeeded: false,
    cell: (line) => (line.covers || line.heading !== undefined ? '' : cell(line)),
    answers: ['ignore'],
    cost: name.certainty === 'usual' ? 0 : 1,
    ...more,
  };
}

export const dateColumn = (names: Names): Column =>
  column(names.pick(DATES.usual, DATES.unusual), () => '', {
    role: 'date',
    isNeeded: true,
    cell: ({ day }) => (day ? { day } : ''),
    answers: ['date'],
  });

export const descriptionColumn = (names: Names): Column =>
  column(names.pick(DESCRIPTIONS.usual, DESCRIPTIONS.unusual), () => '', {
    role: 'description',
    isNeeded: true,
    cell: ({ text }) => text,
    answers: ['description', 'ignore'],
  });

/** @param isCertain with a name that says what it is */
export function balanceColumn(names: Names, isCertain: boolean): Column {
  const usual = ['Balance', 'Running balance', 'Account balance', 'Bank balance'];
  const name = isCertain ? names.certain(usual) : names.pick(usual, ['Left', 'Saldo', 'Position']);
  return column(name, ({ balance = 0 }) => ({ pence: balance }), {
    role: 'balance',
    answers: ['balance', 'ignore'],
  });
}

export const accountColumn = (names: Names): Column =>
  column(names.pick(['Account'], ['Posting', 'Ledger']), ({ account = '' }) => account, {
    isNeeded: true,
    answers: [],
    meaning: ({ answer }) => answer,
    cost: 1,
  });

export const parentColumn = (names: Names): Column =>
  column(names.pick([], ['Parent', 'Split of', 'Part of']), ({ parent = '' }) => parent, { cost: 1 });

/** A kind of row, one of which only moves the agent's money. */
export const kindColumn = (names: Names): Column =>
  column(names.pick(['Type'], ['Kind', 'Group', 'Entry']), () => '', {
    isNeeded: true,
    cell: ({ category }) => category,
    answers: [],
    meaning: ({ answer }) => answer,
    cost: 1,
  });

/** A number that differs in each row, and stays with its payment in a smaller and in a later file. */
const hashed = (line: Line, salt: string) =>
  1000 + (Bun.hash.xxHash32(`${salt} ${line.payments[0]?.id}`) % 9000);

const pickFor = (line: Line, salt: string, from: readonly string[]) =>
  from[hashed(line, salt) % from.length] ?? '';

/** Columns that say nothing about direction or state. */
const BESIDE: Record<string, (names: Names) => Column> = {
  category: (names) =>
    column(names.pick(['Category'], ['Class', 'Heading', 'Nominal']), ({ category }) => category, {
      answers: ['category', 'ignore'],
    }),
  property: (names) =>
    column(
      names.pick(['Property', 'House', 'Flat'], ['Let', 'Site', 'Unit']),
      ({ payments }) => payments[0]?.property ?? '',
      { answers: ['ignore', 'description', 'source'] },
    ),
  party: (names) =>
    column(
      names.pick(['Tenant', 'Payer', 'Supplier'], ['Party', 'Contact', 'Customer']),
      ({ text }) => text,
      {
        answers: ['ignore', 'description'],
      },
    ),
  method: (names) =>
    column(
      names.pick([], ['Method', 'Via', 'How']),
      (line) => pickFor(line, 'method', ['BACS', 'Cash', 'Standing order']),
      { answers: ['ignore', 'description'] },
    ),
  'a fact with yes and no': (names) => {
    const [yes, no] = names.random.pick([
      ['Yes', 'No'],
      ['Y', ''],
      ['true', 'false'],
    ] as const);
    return column(
      names.pick([], ['Receipt kept', 'Tax deductible', 'Reviewed', 'Joint', 'Printed']),
      (line) => pickFor(line, 'yes', [yes, no]),
      { cost: 1 },
    );
  },
  currency: (names) => column(names.pick(['Currency'], ['Ccy']), () => 'GBP'),
  reference: (names) => {
    const letter = names.random.pick(['R-', 'INV/', '']);
    return column(
      names.pick(['Reference', 'Ref', 'No', 'Invoice number'], ['Doc', 'Voucher', 'Code']),
      (line) => `${letter}${hashed(line, 'reference')}`,
      { answers: ['ignore', 'reference', 'description'] },
    );
  },
  notes: (names) =>
    column(
      names.pick(['Notes', 'Memo'], ['Remarks', 'Comment']),
      (line) => pickFor(line, 'notes', ['', '', '', `see ${line.text}`, 'by hand']),
      { answers: ['ignore', 'description'] },
    ),
  'invented words': (names) => {
    const words = [inventedWord(names.random), inventedWord(names.random), ''];
    return column(names.invented(), (line) => pickFor(line, 'invented', words), { cost: 1 });
  },
  'another amount': (names) =>
    column(names.pick([], ['Rent due', 'Budget', 'Deposit held', 'Rate']), (line) => ({
      pence: hashed(line, 'other') * 10,
    })),
  'another date': (names) =>
    column(names.pick([], ['Due date', 'Value date', 'Invoice date']), (line) =>
      line.day ? { day: `${line.day.slice(0, 8)}${String((hashed(line, 'date') % 14) + 14)}` } : '',
    ),
};
export const BESIDE_NAMES = Object.keys(BESIDE);

export function besideColumn(name: string, names: Names): Column {
  const draw = BESIDE[name];
  if (!draw) throw new Error(`No column is called ${name}`);
  return draw(names);
}

export const shuffled = <Each>(items: readonly Each[], random: Random): Each[] =>
  items
    .map((item) => ({ item, at: random.int(0, 1_000_000) }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
