/** Answers about columns as text, in rules files and in options of the command: `amount=Amount; Booked: Yes=keep, No=skip`. */
import {
  type AmountColumns,
  type ColumnAnswers,
  FIELDS,
  type Field,
  MEANINGS,
  type Meaning,
} from '../questions-and-answers.ts';
import { piecesOf, quoted, unquoted } from './action.ts';

type Values = Record<string, Meaning>;
type LineProblem = { problem: string };

/** A name that needs no quotes. A word of the grammar followed by a space is no name. */
const PLAIN_NAME =
  /^(?!(?:ignore|unit|amount)\s)[\p{L}\p{N}(£][\p{L}\p{N}(£)._%&'-]*(?: [\p{L}\p{N}(£)._%&'-]+)*$/iu;

/** In double quotes if a separator may be in it. */
const nameText = (name: string): string => (PLAIN_NAME.test(name) ? name : quoted(name));

/** The answers in a fixed order, so that equal answers have equal texts. */
export function answersText({
  map = {},
  ignore = [],
  values = {},
  amounts = [],
  unit,
}: ColumnAnswers): string {
  const fields = FIELDS.filter((field) => map[field] !== undefined);
  return [
    ...fields.map((field) => `${field}=${map[field] === '' ? '' : nameText(map[field] ?? '')}`),
    ...amounts.map((each) => `amount ${amountColumnsText(each)}`),
    ...(ignore.length > 0 ? [`ignore ${ignore.map(nameText).join(', ')}`] : []),
    ...Object.entries(values).map(([column, each]) => valuesText(column, each)),
    ...(unit === undefined ? [] : [`unit ${unit}`]),
  ].join('; ');
}

export const valuesText = (column: string, values: Readonly<Values>): string =>
  `${nameText(column)}: ${Object.entries(values)
    .map(([value, meaning]) => `${nameText(value)}=${meaning}`)
    .join(', ')}`;

export const amountColumnsText = ({ columns, direction, category, source }: AmountColumns): string =>
  [
    `${columns.map(nameText).join('+')}=${direction}`,
    ...(category === undefined && source === undefined ? [] : [nameOrNone(category)]),
    ...(source === undefined ? [] : [nameOrNone(source)]),
  ].join(', ');

const nameOrNone = (name = '') => (name === '' ? '' : nameText(name));

/** Reads the text of answers. A problem is the end of a sentence. */
export function readAnswers(text: string): ColumnAnswers | LineProblem {
  const map: Partial<Record<Field, string>> = {};
  const ignore: string[] = [];
  const values = new Map<string, Values>();
  const amounts: AmountColumns[] = [];
  let unit: ColumnAnswers['unit'];
  for (const piece of piecesOf(text, ';')) {
    const [, word = '', rest = ''] = /^(ignore|unit|amount)\s+(?!=)([\s\S]*)$/i.exec(piece) ?? [];
    const field = FIELDS.find((each) => new RegExp(`^${each}\\s*=`, 'i').test(piece));
    if (/^ignore$/i.test(word)) ignore.push(...piecesOf(rest, ',').map(unquoted));
    else if (/^unit$/i.test(word)) {
      if (rest !== 'pence' && rest !== 'pounds') return { problem: 'has a unit other than pence or pounds' };
      unit = rest;
    } else if (word !== '') {
      const amount = readAmountColumns(rest);
      if ('problem' in amount) return amount;
      amounts.push(amount);
    } else if (field !== undefined) {
      if (map[field] !== undefined) return { problem: `names two columns for ${field}` };
      map[field] = unquoted(piece.slice(piece.indexOf('=') + 1));
    } else {
      const read = readValues(piece);
      if ('problem' in read) return read;
      if (values.has(read.column)) return { problem: `has the column "${read.column}" twice` };
      values.set(read.column, read.values);
    }
  }
  if (ignore.includes('')) return { problem: 'leaves out a column without a name' };
  return columnAnswersOf({ map, ignore, values: Object.fromEntries(values), amounts, unit });
}

/** Reads `Column: Yes=keep, No=skip`. */
export function readValues(text: string): { column: string; values: Values } | LineProblem {
  const [name = '', ...rest] = piecesOf(text, ':');
  const column = unquoted(name);
  if (column === '' || rest.length === 0)
    return { problem: `is no choice at "${text.slice(0, 40)}"; write for example Booked: Yes=keep, No=skip` };
  const values = new Map<string, Meaning>();
  for (const pair of piecesOf(rest.join(':'), ',')) {
    const at = pair.lastIndexOf('=');
    const word = pair.slice(at + 1).trim();
    const meaning = MEANINGS.find((each) => each === word.toLowerCase());
    if (at === -1 || meaning === undefined)
      return { problem: `has no meaning at "${pair.slice(0, 40)}"; meanings are ${MEANINGS.join(', ')}` };
    const value = unquoted(pair.slice(0, at));
    if (values.has(value)) return { problem: `has the value "${value}" twice` };
    values.set(value, meaning);
  }
  return { column, values: Object.fromEntries(values) };
}

const AMOUNT =
  /^(?<columns>.*?)=\s*(?<direction>in|out)\s*(?:,\s*(?<category>"(?:[^"]|"")*"|[^,]*?)\s*(?:,(?<source>.*))?)?$/is;

/** Reads `Fee+VAT=out, CATEGORY, SOURCE`: the columns of one amount. Category and source can be left out. */
export function readAmountColumns(text: string): AmountColumns | LineProblem {
  const { columns: names = '', direction, category = '', source = '' } = AMOUNT.exec(text)?.groups ?? {};
  const columns = piecesOf(names, '+').map(unquoted);
  if (direction === undefined || columns.includes(''))
    return {
      problem: `is no amount at "${text.slice(0, 40)}"; write for example Fee+VAT=out, professionalFees`,
    };
  const [key, owner] = [category, source].map(unquoted);
  return {
    columns,
    direction: direction.toLowerCase() as AmountColumns['direction'],
    ...(key && { category: key }),
    ...(owner && { source: owner }),
  };
}

/** The answers of the options, without empty ones. */
export function columnAnswersOf({
  map = {},
  ignore = [],
  values = {},
  amounts = [],
  unit,
}: ColumnAnswers): ColumnAnswers {
  return {
    ...(Object.keys(map).length > 0 && { map }),
    ...(ignore.length > 0 && { ignore }),
    ...(Object.keys(values).length > 0 && { values }),
    ...(amounts.length > 0 && { amounts }),
    ...(unit !== undefined && { unit }),
  };
}

export const hasAnswers = (answers: ColumnAnswers): boolean =>
  Object.keys(columnAnswersOf(answers)).length > 0;
