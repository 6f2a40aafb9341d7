/** Tables whose rows have several amounts: statements of agents, cash books, and gross beside net. */
import type { Random } from '../../faults/random.ts';
import type { Cell, Column, Item, Line } from './drawn-file.ts';
import { sum } from './lines.ts';
import { drawPayments, drawPence, type Payment, signed } from './payments.ts';
import type { Name, Names } from './words.ts';

interface Several {
  items(random: Random, count: number): Item[];
  columns(names: Names): Column[];
}

export const SEVERAL: Record<string, Several> = {
  'rent, fee, VAT, repairs, net': {
    items: (random, count) => statements(random, count, ['Rent', 'Fee', 'VAT', 'Repairs']),
    columns: (names) => [
      of(names, 'Rent', ['Rent received', 'Rent', 'Gross rent'], 'moneyIn'),
      of(names, 'Fee', ['Management fee', 'Fee', 'Commission'], 'moneyOut'),
      of(names, 'VAT', ['VAT', 'VAT on fee'], 'moneyOut'),
      of(names, 'Repairs', ['Repairs', 'Maintenance'], 'moneyOut'),
      net(names, ['Net paid', 'Net', 'Net paid to landlord']),
    ],
  },
  'gross, fee, net': {
    items: (random, count) => statements(random, count, ['Rent', 'Fee']),
    columns: (names) => [
      of(names, 'Rent', ['Gross', 'Gross earnings', 'Rent'], 'moneyIn'),
      of(names, 'Fee', ['Fee', 'Service fee', 'Charges'], 'moneyOut', names.random.chance(0.4)),
      net(names, ['Net', 'Amount', 'Payout']),
    ],
  },
  'gross, fee, net, payouts': {
    items: (random, count) =>
      statements(random, count, ['Rent', 'Fee']).flatMap((item): Item[] =>
        item.kind === 'payments'
          ? [item, { kind: 'payout', text: 'Transfer to HART', day: item.payments[0]?.day ?? '' }]
          : [item],
      ),
    columns: (names) => {
      const [stay, paid] = names.random.pick([
        ['Reservation', 'Payout'],
        ['Rent', 'Transfer'],
      ] as const);
      const none = (column: Column): Column => ({
        ...column,
        cell: (line) => (line.isOpposite ? '' : column.cell(line)),
      });
      const out = amounts(named(names, ['Paid out', 'Payout']), 'check', () => '');
      return [
        ...[none(of(names, 'Rent', ['Gross', 'Gross earnings'], 'moneyIn'))],
        ...[none(of(names, 'Fee', ['Fee', 'Service fee'], 'moneyOut')), none(net(names, ['Net', 'Amount']))],
        // It is the amount of the rows that are not stored.
        { ...out, answers: ['ignore'], cell: (line) => (line.isOpposite ? netOf(line) : '') },
        {
          ...amounts(names.certain(['Type', 'Kind']), 'check', () => ''),
          cell: (line) => (line.isOpposite ? paid : line.payments.length > 0 ? stay : ''),
          answers: [],
          meaning: ({ answer }) => answer,
        },
      ];
    },
  },
  'cash book': {
    items: (random, count) => {
      const payments = drawPayments(random, 'mixed', count).map((payment) => ({
        ...payment,
        category:
          payment.direction === 'in' ? 'Rent' : payment.category === 'Mortgage' ? 'Insurance' : 'Repairs',
      }));
      return payments.map((payment) => ({ kind: 'payments', payments: [payment] }));
    },
    columns: (names) => [
      of(names, 'Rent', ['Rent', 'Rent received', 'Rents'], 'moneyIn'),
      of(names, 'Repairs', ['Repairs', 'Repairs and maintenance'], 'moneyOut'),
      of(names, 'Insurance', ['Insurance', 'Mortgage interest', 'Utilities'], 'moneyOut'),
    ],
  },
};

/** Rows of an agent, each a month of one property. */
function statements(random: Random, count: number, categories: readonly string[]): Item[] {
  const rent = drawPence(random, 450, 1400);
  return drawPayments(random, 'all in', count).map((payment) => {
    const gross = random.chance(0.7) ? rent : payment.pence;
    const fee = Math.round(gross / 10);
    const pence: Record<string, number> = {
      Rent: gross,
      Fee: fee,
      VAT: Math.round(fee / 5),
      Repairs: random.chance(0.4) ? drawPence(random, 10, 200) : 0,
    };
    const payments = categories.map(
      (category): Payment => ({
        ...payment,
        category,
        pence: pence[category] ?? 0,
        direction: category === 'Rent' ? 'in' : 'out',
      }),
    );
    return { kind: 'payments', payments: payments.filter((each) => each.pence > 0) };
  });
}

const named = (names: Names, usual: readonly string[]): Name => {
  const isInvented = names.random.chance(0.12);
  return isInvented ? names.invented() : names.certain(usual);
};

function of(
  names: Names,
  category: string,
  usual: readonly string[],
  answer: 'moneyIn' | 'moneyOut',
  isNegative = false,
): Column {
  const name = named(names, usual);
  const empty = names.random.chance(0.5);
  return amounts(name, answer, (line) => {
    const found = line.payments.filter((payment) => payment.category === category);
    if (found.length === 0) return empty ? '' : { pence: 0 };
    const pence = sum(found.map((payment) => payment.pence));
    return { pence: isNegative ? -pence : pence };
  });
}

const net = (names: Names, usual: readonly string[]): Column => ({
  ...amounts(named(names, usual), 'check', (line) => ({ pence: sum(line.payments.map(signed)) })),
  answers: ['check', 'ignore'],
  isNeeded: false,
});

function amounts(name: Name, answer: 'moneyIn' | 'moneyOut' | 'check', cell: (line: Line) => Cell): Column {
  return {
    name: name.text,
    certainty: name.certainty,
    role: 'other',
    isNeeded: true,
    cell: (line) =>
      line.covers ? { pence: sum(line.covers.map((each) => penceOf(cell(each)))) } : cell(line),
    answers: [answer],
    cost: 1,
  };
}

const netOf = ({ covers = [] }: Line): Cell => ({
  pence: sum(covers.flatMap(({ payments }) => payments.map(signed))),
});

const penceOf = (cell: Cell) => (typeof cell === 'object' && 'pence' in cell ? cell.pence : 0);
