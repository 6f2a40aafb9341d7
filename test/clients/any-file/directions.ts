/** The ways in which a table with one amount in a row says the direction of each payment. */

import type { Cell, Column, DrawnFile, Line } from './drawn-file.ts';
import { signedOf, sum } from './lines.ts';
import type { Mix } from './payments.ts';
import {
  AMOUNTS,
  DIRECTION_NAMES,
  inventedWord,
  KNOWN_WORDS,
  type Name,
  type Names,
  PAIRS,
  RECEIVED,
  SPENT,
  UNUSUAL_WORDS,
} from './words.ts';

export interface Way {
  mix: readonly Mix[];
  sign: DrawnFile['sign'];
  /** Costs that came back: none, one, or one of the category of the cost with a minus. */
  refund?: 'one' | 'maybe';
  columns(names: Names): Column[];
  /** Whether a total under the rows is an amount like the others. */
  hasTotals: boolean;
  /** The column of the amount exists in OFX and QIF too. */
  isPlain?: boolean;
  /** Questions about the direction. */
  cost: number;
  /** A payment of the other direction has a third word. */
  needsCategories?: boolean;
}

const money = (name: Name, of: (line: Line) => Cell): Column => ({
  name: name.text,
  certainty: name.certainty,
  role: 'amount',
  isNeeded: true,
  cell: (line) => (line.covers ? total(line.covers.map(of), line.isOpposite === true) : of(line)),
  answers: [],
  cost: name.certainty === 'usual' ? 0 : 1,
});

function total(cells: readonly Cell[], isOpposite: boolean): Cell {
  const pence = cells.map((cell) => (typeof cell === 'object' && 'pence' in cell ? cell.pence : 0));
  return sum(pence) === 0 ? '' : { pence: isOpposite ? -sum(pence) : sum(pence) };
}

const bankSign = (line: Line): Cell => ({ pence: signedOf(line) });
const spendingSign = (line: Line): Cell => ({ pence: -signedOf(line) });
const noSign = (line: Line): Cell => ({ pence: Math.abs(signedOf(line)) });
const isOut = (line: Line) => line.payments[0]?.direction === 'out';

const amount = (names: Names, of: (line: Line) => Cell) =>
  money(names.pick(AMOUNTS.usual, AMOUNTS.unusual), of);

/** A column of words, each with one direction. */
function words(name: Name, word: (line: Line) => string, isQuestion: boolean): Column {
  return {
    name: name.text,
    certainty: name.certainty,
    role: 'type',
    isNeeded: true,
    cell: word,
    answers: [],
    meaning: (line) => (isOut(line) ? 'out' : 'in'),
    cost: isQuestion ? 1 : 0,
  };
}

const byWords = (
  pairs: (names: Names) => readonly [string, string],
  cell = noSign,
  isQuestion = true,
): Way => ({
  mix: ['mixed', 'mostly in', 'mostly out'],
  sign: cell === noSign ? 'none' : 'bank',
  columns: (names) => {
    const [out, into] = pairs(names);
    const name = names.pick(DIRECTION_NAMES.usual, DIRECTION_NAMES.unusual);
    return [words(name, (line) => (isOut(line) ? out : into), isQuestion), amount(names, cell)];
  },
  hasTotals: false,
  isPlain: true,
  cost: 0,
});

const inventedPair = ({ random }: Names) => [inventedWord(random), inventedWord(random)] as const;
const SELVES = ['Me', 'Us', 'Main account', 'J Smith', 'Current'];

export const WAYS = {
  'signed bank': {
    mix: ['mixed', 'mostly out', 'mostly in'],
    sign: 'bank',
    columns: (names) => [amount(names, bankSign)],
    hasTotals: true,
    isPlain: true,
    cost: 1,
  },
  'signed spending': {
    mix: ['mostly out', 'mixed', 'all out'],
    sign: 'spending',
    refund: 'maybe',
    columns: (names) => [amount(names, spendingSign)],
    hasTotals: true,
    isPlain: true,
    cost: 1,
  },
  'no sign, all in': {
    mix: ['all in'],
    sign: 'none',
    columns: (names) => [amount(names, noSign)],
    hasTotals: true,
    isPlain: true,
    cost: 1,
  },
  'no sign, all out': {
    mix: ['all out'],
    sign: 'none',
    columns: (names) => [amount(names, noSign)],
    hasTotals: true,
    isPlain: true,
    cost: 1,
  },
  'no sign, all out, one refund': {
    mix: ['all out'],
    sign: 'spending',
    refund: 'one',
    columns: (names) => [amount(names, spendingSign)],
    hasTotals: true,
    isPlain: true,
    cost: 1,
  },
  'a column of money in': {
    mix: ['all in'],
    sign: 'none',
    columns: (names) => [money(names.certain(RECEIVED), noSign)],
    hasTotals: true,
    cost: 0,
  },
  'a column of money out': {
    mix: ['all out'],
    sign: 'none',
    columns: (names) => [money(names.certain(SPENT), noSign)],
    hasTotals: true,
    cost: 0,
  },
  'two columns': { ...twoColumns(), cost: 0 },
  'words: known': byWords((names) => names.random.pick(KNOWN_WORDS), noSign, false),
  'words: unusual': byWords((names) => names.random.pick(UNUSUAL_WORDS)),
  'words: invented': byWords(inventedPair),
  'words beside signs': byWords(
    (names) =>
      names.random.chance(0.3) ? inventedPair(names) : names.random.pick([...KNOWN_WORDS, ...UNUSUAL_WORDS]),
    bankSign,
  ),
  'words: one unknown': {
    mix: ['mixed', 'mostly out'],
    sign: 'none',
    columns: (names) => {
      const { random } = names;
      const [out, into] = random.pick(KNOWN_WORDS);
      const third = random.pick(['Drawings', 'Capital', 'Owner', inventedWord(random)]);
      const name = names.pick(DIRECTION_NAMES.usual, DIRECTION_NAMES.unusual);
      const word = (line: Line) =>
        line.category === 'Travel' || line.category === 'Insurance' ? third : into;
      return [
        words(name, (line) => (isOut(line) ? (word(line) === third ? third : out) : into), true),
        amount(names, noSign),
      ];
    },
    hasTotals: false,
    isPlain: true,
    cost: 0,
  },
  'words beside signs, one without': {
    mix: ['mixed', 'mostly out'],
    sign: 'bank',
    columns: (names) => {
      const [out, into] = names.random.pick(KNOWN_WORDS);
      const third = names.random.pick(['Transfer', 'Transfer', 'Drawings', inventedWord(names.random)]);
      const isThird = (line: Line) =>
        isOut(line) && (line.category === 'Mortgage' || line.category === 'Insurance');
      const name = names.pick(DIRECTION_NAMES.usual, DIRECTION_NAMES.unusual);
      return [
        words(name, (line) => (isThird(line) ? third : isOut(line) ? out : into), true),
        amount(names, (line) => (isThird(line) ? noSign(line) : bankSign(line))),
      ];
    },
    hasTotals: false,
    cost: 0,
  },
  'words: only minus': byWords(({ random }) => [random.pick(['-', '-', 'x', 'Out', 'D']), '']),
  'suffix on both': suffix('DR', 'CR'),
  'suffix on one': suffix(undefined, 'CR', 'DR', undefined),
  'from and to': {
    mix: ['mixed', 'mostly out', 'mostly in'],
    sign: 'none',
    columns: (names) => {
      const self = names.random.pick(SELVES);
      const from = names.pick(['From'], ['Sender', 'Paid by']);
      const to = names.pick(['To'], ['Recipient', 'Paid to']);
      const side = (name: Name, isSelf: (line: Line) => boolean) =>
        words(name, (line) => (isSelf(line) ? self : line.text), true);
      return [side(from, isOut), side(to, (line) => !isOut(line)), amount(names, noSign)];
    },
    hasTotals: false,
    cost: 0,
  },
  categories: byCategory(),
  'categories, one refund': byCategory('one'),
} satisfies Record<string, Way>;

export type WayName = keyof typeof WAYS;

function twoColumns(): Omit<Way, 'cost'> {
  return {
    mix: ['mixed', 'mostly out', 'mostly in'],
    sign: 'columns',
    columns: (names) => {
      const { random } = names;
      const isInvented = random.chance(0.3);
      const pair = random.pick(PAIRS);
      const [out, into] = pair.map((text) => (isInvented ? names.invented() : names.certain([text])));
      const empty = random.pick(['', '', 'zero']);
      const blank = (): Cell => (empty === 'zero' ? { pence: 0 } : '');
      const side = (name: Name, isHere: (line: Line) => boolean, answer: 'moneyIn' | 'moneyOut') => ({
        ...money(name, (line) => (isHere(line) ? noSign(line) : blank())),
        answers: [answer],
      });
      const columns = [
        side(out ?? names.invented(), isOut, 'moneyOut'),
        side(into ?? names.invented(), (line) => !isOut(line), 'moneyIn'),
      ];
      return random.chance(0.5) ? columns : columns.toReversed();
    },
    hasTotals: true,
  };
}

/** Marks behind amounts: on both directions, or on one of them. */
function suffix(...pairs: ('DR' | 'CR' | undefined)[]): Way {
  return {
    mix: ['mixed', 'mostly out', 'mostly in'],
    sign: 'none',
    columns: (names) => {
      const [out, into] = pairs.length > 2 && names.random.chance(0.5) ? pairs.slice(2) : pairs;
      const cell = (line: Line): Cell => {
        const mark = isOut(line) ? out : into;
        return { pence: Math.abs(signedOf(line)), ...(mark && { mark }) };
      };
      return [amount(names, cell)];
    },
    hasTotals: false,
    cost: pairs.length > 2 ? 1 : 0,
  };
}

/** The category of a payment says its direction, and a minus is a refund. */
function byCategory(refund?: 'one'): Way {
  return {
    mix: ['mixed', 'mostly out', 'mostly in'],
    sign: 'none',
    ...(refund && { refund }),
    columns: (names) => {
      const name = names.pick(['Category', 'Type'], ['Kind', 'Account', 'Group', 'For', 'Nominal']);
      const isCost = (line: Line) => line.category !== 'Rent' && line.category !== 'Laundry';
      const column = words(name, ({ category }) => category, true);
      const cell = (line: Line): Cell => ({ pence: isCost(line) ? -signedOf(line) : signedOf(line) });
      return [
        { ...column, role: 'category', meaning: (line) => (isCost(line) ? 'out' : 'in') },
        amount(names, cell),
      ];
    },
    hasTotals: false,
    isPlain: true,
    cost: 0,
    needsCategories: true,
  };
}
