/** Columns that say of a payment that it happened, or that it did not. */
import type { Random } from '../../faults/random.ts';
import type { Column, Line } from './drawn-file.ts';
import { inventedWord, type Names } from './words.ts';

interface State {
  usual: readonly string[];
  unusual: readonly string[];
  happened: readonly string[];
  /** Each says that the payment did not happen, or is not to be stored. */
  other: readonly string[];
}

const YES = ['Yes', 'Y', 'true', 'x'];
const NO = ['No', 'N', 'false', 'no'];

/** Of each: the words for payments that happened, and the words for the others. */
const STATES: Record<string, State> = {
  'yes means paid': {
    usual: ['Paid', 'Cleared', 'Received', 'Settled'],
    unusual: ['Booked', 'Posted', 'Captured', 'Executed', 'Done'],
    happened: YES,
    other: NO,
  },
  'yes means paid, or blank': {
    usual: ['Paid', 'Cleared', 'Received'],
    unusual: ['Booked', 'Posted', 'Executed', 'OK'],
    happened: YES,
    other: ['', '', 'tbc', 'Part', 'later'],
  },
  'yes means not paid': {
    usual: ['Void', 'Declined', 'Refunded'],
    unusual: ['Forecast', 'Cancelled', 'Planned', 'Estimate', 'Scheduled', 'Internal transfer'],
    happened: [...NO, ''],
    other: YES,
  },
  status: {
    usual: ['Status', 'Payment status', 'State'],
    unusual: ['Info', 'Stage', 'Progress', 'Remark'],
    happened: ['Completed', 'Booked', 'Settled', 'Cleared', 'Paid', 'Posted', 'Transaction booked'],
    other: [
      ...['Pending', 'Declined', 'Scheduled', 'Due', 'Draft', 'Awaiting', 'Transaction pending', 'On hold'],
      ...['Cancelled', 'Expected', 'Bounced', 'Not taken'],
    ],
  },
};

export const STATE_NAMES = [...Object.keys(STATES), 'state of invented words', 'day of payment'];

/** The column of the state. Its words are few, so that they are no free text. */
export function stateColumn(name: string, names: Names): Column {
  const { random } = names;
  if (name === 'day of payment') return dayOfPayment(names);
  const isInvented = name === 'state of invented words';
  const state = STATES[name] ?? STATES.status;
  if (!state) throw new Error(`No state is called ${name}`);
  const heading = isInvented ? names.pick(['Status', 'Paid']) : names.pick(state.usual, state.unusual);
  const word = (from: readonly string[]) => (isInvented ? inventedWord(random) : random.pick(from));
  const [happened, other, another] = [word(state.happened), word(state.other), word(state.other)];
  return {
    ...shown(heading.text, (line, index) => (isDone(line) ? happened : index % 2 === 0 ? other : another)),
    certainty: heading.certainty,
    meaning: (line) => (isDone(line) ? 'keep' : 'skip'),
  };
}

function dayOfPayment(names: Names): Column {
  const heading = names.pick(['Paid on'], ['Received on', 'Cleared on', 'Settled']);
  return {
    ...shown(heading.text, (line) => (isDone(line) && line.day ? { day: line.day } : '')),
    certainty: heading.certainty,
    // The day of the payment, in rows that have one; the other rows are then without a date.
    answers: ['date'],
    meaning: (line) => (isDone(line) ? 'keep' : 'skip'),
  };
}

const isDone = ({ payments }: Line) => payments.every(({ happened }) => happened);

function shown(name: string, cell: (line: Line, index: number) => ReturnType<Column['cell']>) {
  // The second word of a meaning depends on the payment alone, so that a smaller file has the same words.
  const index = (line: Line) => line.text.length;
  return {
    name,
    role: 'other',
    isNeeded: true,
    cell: (line: Line) => (line.covers || line.heading !== undefined ? '' : cell(line, index(line))),
    answers: [],
    cost: 1,
  } as const;
}

/** Some of the payments did not happen, and at least one of them. */
export function someNot<Each extends { happened: boolean }>(
  payments: readonly Each[],
  random: Random,
): Each[] {
  const at = random.int(0, payments.length - 1);
  return payments.map((payment, index) =>
    index === at || random.chance(0.2) ? { ...payment, happened: false } : payment,
  );
}
