/** Names of columns and words of values: usual ones, unusual ones, and words that nobody has ever used. */
import type { Random } from '../../faults/random.ts';

const BEGINNINGS = ['b', 'br', 'd', 'dr', 'f', 'fl', 'g', 'gl', 'k', 'kl', 'm', 'n', 'p', 'pl', 'qu', 'sk'];
const MIDDLES = ['a', 'e', 'i', 'o', 'u', 'oo', 'ay'];
const ENDS = ['x', 'zz', 'mp', 'nk', 'rf', 'lv', 'sk', 'b', 'pt', 'g'];

/** A pronounceable word that means nothing: `Drazzomp`. */
export function inventedWord(random: Random): string {
  const syllables = random.pick([1, 2, 2]);
  let word = '';
  for (let count = 0; count < syllables; count++) word += random.pick(BEGINNINGS) + random.pick(MIDDLES);
  word += random.pick(BEGINNINGS) + random.pick(MIDDLES) + random.pick(ENDS);
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export type Certainty = 'usual' | 'unusual' | 'invented';

/** The name of a column. */
export interface Name {
  text: string;
  /** A usual name says what the column is. */
  certainty: Certainty;
}

/** Draws names of columns, and never one twice. */
export class Names {
  readonly #taken = new Set<string>();

  constructor(readonly random: Random) {}

  pick(usual: readonly string[], unusual: readonly string[] = []): Name {
    const isFree = (text: string) => !this.#taken.has(text);
    const [freeUsual, freeUnusual] = [usual.filter(isFree), unusual.filter(isFree)];
    const certainty = this.random.pick([...(['usual', 'usual', 'usual', 'unusual', 'invented'] as const)]);
    const from = { usual: freeUsual, unusual: freeUnusual, invented: [] }[certainty];
    if (from.length > 0) return this.#take(this.random.pick(from), certainty);
    if (certainty === 'usual' && freeUnusual.length > 0) {
      return this.#take(this.random.pick(freeUnusual), 'unusual');
    }
    return this.#take(inventedWord(this.random), 'invented');
  }

  /** One of names with a certain meaning. */
  certain(usual: readonly string[]): Name {
    return this.#take(this.random.pick(usual), 'usual');
  }

  invented(): Name {
    return this.#take(inventedWord(this.random), 'invented');
  }

  #take(text: string, certainty: Certainty): Name {
    this.#taken.add(text);
    return { text, certainty };
  }
}

export const DATES = {
  usual: ['Date', 'Transaction date', 'Date paid', 'Payment date', 'Posting date', 'When'],
  unusual: ['Day', 'Booked on', 'Entered', 'On', 'Datum'],
};
export const AMOUNTS = {
  usual: ['Amount', 'Transaction amount', 'Transaction value', 'Amount (GBP)', 'Amount (£)'],
  unusual: ['Sum', 'Value', 'Price', 'GBP', '£', 'Paid', 'Total', 'Figure', 'Payment', 'Cost'],
};
/** Names that say that all of it is money in, or out. */
export const RECEIVED = ['Money in', 'Paid in', 'Amount in', 'Received', 'Income', 'Money received'];
export const SPENT = ['Money out', 'Paid out', 'Amount out', 'Spent', 'Expenses'];
export const DESCRIPTIONS = {
  usual: ['Description', 'Details', 'Narrative', 'Payee', 'Memo', 'What for'],
  unusual: ['Item', 'Label', 'Particulars', 'Who', 'Client', 'Retailer', 'Shop', 'Text'],
};

/** Names of money out and money in. */
export const PAIRS: readonly (readonly [string, string])[] = [
  ...([
    ['Money out', 'Money in'],
    ['Paid out', 'Paid in'],
    ['Debit', 'Credit'],
    ['Withdrawals', 'Deposits'],
    ['Withdrawal', 'Deposit'],
    ['Outflow', 'Inflow'],
    ['Out', 'In'],
    ['Funds Out', 'Funds In'],
    ['Payments', 'Deposits'],
    ['Withdrawals', 'Lodgements'],
    ['Expenses', 'Income'],
  ] as const),
];
/** Words for out and in that everyone knows. */
export const KNOWN_WORDS: readonly (readonly [string, string])[] = [
  ...([
    ['Expense', 'Income'],
    ['Debit', 'Credit'],
    ['DR', 'CR'],
    ['Out', 'In'],
    ['expense', 'income'],
    ['Money out', 'Money in'],
  ] as const),
];
export const UNUSUAL_WORDS: readonly (readonly [string, string])[] = [
  ...([
    ['DBIT', 'CRDT'],
    ['D', 'K'],
    ['Outflow', 'Inflow'],
    ['Bought', 'Sold'],
    ['Spend', 'Receive'],
    ['-', '+'],
    ['Purchase', 'Sale'],
    ['Outgoing', 'Incoming'],
    ['Withdrawal', 'Deposit'],
    ['Cost', 'Rent'],
    ['Soll', 'Haben'],
  ] as const),
];
export const DIRECTION_NAMES = {
  usual: ['Type', 'Direction', 'In/Out', 'Debit/Credit', 'Income or expense'],
  unusual: ['Flow', 'Movement', 'Indicator', 'Group', 'Kind', 'DC', '+/-', 'Side', 'Class', 'Bought/Sold'],
};
