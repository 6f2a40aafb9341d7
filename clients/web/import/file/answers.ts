/** The answers about values, lines between rows, the unit and signs without a column, both open and given. */

import type {
  Answer,
  Choice,
  Field,
  ImportError,
  Meaning,
  Question,
} from '../../../typescript/import/index.ts';
import { withAnswer } from '../../../typescript/import/questions/answers.ts';
import { MEANINGS } from '../../../typescript/import/questions-and-answers.ts';
import { FIELD_NAMES, SIGN_FIELDS } from '../column-uses.ts';
import type { FileState, ParseOptions } from '../state.ts';

export interface AnswerItem {
  label: string;
  /** The name of the column that has the values. */
  column?: string;
  message?: string | undefined;
  answer: string | undefined;
  /** The possible answers, with the names that the page shows. */
  choices: Readonly<Record<string, string>>;
  /** @param answer undefined: it is open again */
  change: (answer: string | undefined) => ParseOptions;
}

export const CHOICE_NAMES: Record<Choice, string> = {
  ...FIELD_NAMES,
  in: 'Money in',
  out: 'Money out',
  skip: 'No payment',
  keep: 'Neither',
  ignore: 'Not used',
  pounds: 'Pounds',
  pence: 'Pence',
};

const namedChoices = (choices: readonly Choice[]) =>
  Object.fromEntries(choices.map((choice) => [choice, CHOICE_NAMES[choice]]));
const DATE_ORDERS = { dmy: 'The day comes first', mdy: 'The month comes first' };
const SIGNS = ['amount', 'spent', 'moneyIn', 'moneyOut', 'unsigned'] as const;
const isOffered = (question: Question | undefined) => (choice: Choice) =>
  question?.choices.includes(choice) ?? true;
const MEANT = namedChoices(MEANINGS);

interface Asked extends Pick<FileState, 'parseOptions'> {
  problem?: Partial<Pick<ImportError, 'code' | 'questions'>> | undefined;
}

/** The items of a file, in an order that no answer changes. */
export function answerItemsOf({ problem, parseOptions }: Asked): AnswerItem[] {
  const open: Open = (kind) => problem?.questions?.filter((each) => each.kind === kind) ?? [];
  return [
    ...(problem?.code === 'ambiguous_dates' ? [dateItem(parseOptions)] : []),
    ...unique([...signItems(parseOptions, open), ...unitItems(parseOptions, open)]),
    ...unique(valueItems(parseOptions, open)),
    ...unique(lineItems(parseOptions, open)),
  ];
}

type Open = (kind: Question['kind']) => readonly Question[];

function withAddedAnswer(to: ParseOptions, question: Partial<Question>, answer: Answer): ParseOptions {
  const { uses, ...options } = to;
  const { values, rowMeanings, unit } = withAnswer(
    options,
    { name: '', rows: [], ...question } as Question,
    answer,
  );
  return { values, rowMeanings, unit };
}

function valueItems(options: ParseOptions, open: Open): AnswerItem[] {
  const asked = [
    ...Object.entries(options.values ?? {}).flatMap(([name, meanings]) =>
      Object.keys(meanings).map((text) => ({ name, text, message: undefined })),
    ),
    // A question about a column is shown at the column.
    ...open('values').flatMap(({ name, columns, values = [], message }) =>
      values.map((text) => ({ name, text, message: columns.length === 0 ? message : undefined })),
    ),
  ];
  return asked.map(({ name, text, message }) => {
    const { [name]: { [text]: answer, ...others } = {}, ...rest } = options.values ?? {};
    const without = { values: Object.keys(others).length > 0 ? { ...rest, [name]: others } : rest };
    const label = `${text === '' ? 'An empty cell' : `“${text}”`} in ${name}`;
    const change: AnswerItem['change'] = (to) =>
      to ? withAddedAnswer({ ...options, ...without }, { name }, { [text]: to as Meaning }) : without;
    return { label, column: name, message, answer, choices: MEANT, change };
  });
}

function lineItems(options: ParseOptions, open: Open): AnswerItem[] {
  const asked = [
    ...Object.keys(options.rowMeanings ?? {}).map((row) => ({ row: Number(row), message: undefined })),
    ...open('heading').flatMap(({ rows, message }) => rows.map((row) => ({ row, message }))),
  ];
  return asked.map(({ row, message }) => {
    const { [row]: answer, ...rowMeanings } = options.rowMeanings ?? {};
    const change: AnswerItem['change'] = (to) =>
      to ? withAddedAnswer(options, { rows: [row] }, to as Meaning) : { rowMeanings };
    return { label: row === 0 ? 'The whole file' : `Row ${row}`, message, answer, choices: MEANT, change };
  });
}

function signItems({ uses = {} }: ParseOptions, open: Open): AnswerItem[] {
  const names = [
    ...SIGN_FIELDS.filter((name) => name in uses),
    ...open('direction').flatMap(({ name, columns }) => (columns.length === 0 ? name : [])),
  ];
  return names.map((name) => {
    const { [name]: chosen, ...others } = uses;
    const question = open('direction').find((each) => each.name === name);
    return {
      label: `Amounts (${name})`,
      message: question?.message,
      // An answer that leaves it open is none.
      answer: question ? undefined : chosen?.use,
      choices: namedChoices(SIGNS.filter(isOffered(question))),
      change: (to) => ({ uses: to ? { ...others, [name]: { use: to as Field } } : others }),
    };
  });
}

function unitItems(options: ParseOptions, open: Open): AnswerItem[] {
  const [question] = open('unit');
  if (!question && !options.unit) return [];
  const change: AnswerItem['change'] = (to) => ({ unit: to as ParseOptions['unit'] });
  const choices = namedChoices(['pounds', 'pence']);
  const { message } = question ?? {};
  return [{ label: 'Unit of the amounts', message, answer: options.unit, choices, change }];
}

const dateItem = ({ dateFormat }: ParseOptions): AnswerItem => ({
  label: 'Order of dates',
  answer: dateFormat,
  choices: DATE_ORDERS,
  change: (to) => ({ dateFormat: to as ParseOptions['dateFormat'] }),
});

const unique = (items: readonly AnswerItem[]): AnswerItem[] =>
  [...new Map(items.map((item) => [item.label, item])).values()].sort((one, other) =>
    one.label.localeCompare(other.label, 'en', { numeric: true }),
  );
