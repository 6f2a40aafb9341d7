/** The answer to a question that the names of a file give, if they give only one. Words are hints here: the proposal shows them to a person. */
import type { Answer, Choice, ImportError, Meaning, Question } from '../../typescript/import/index.ts';

const INCOME_NAME =
  /^in(flow)?$|\b(rents?|received|income|paid in|money in|receipts|earnings|gross earnings)\b/i;
const EXPENSE_NAME =
  /^out(flow)?$|\b(withdrawals?|costs?|expenses?|expenditure|fees?|bills?|charges?|repairs?|insurance|mortgage|paid out|money out|spent|commission)\b/i;
/** Amounts that are no payment of their own row, or not yet one. */
const OTHER_AMOUNT =
  /\b(due|owed|owing|expected|arrears|vat|tax(es)?|deposits?|cleaning|budget|forecast|limit|available)\b/i;
const SUM = /\b(net|total|sum)\b/i;
const OTHER_DATE = /\b(post(ed|ing)|value|book(ed|ing)|cleared|processed|settle(d|ment)|entered)\b/i;
const PLACE = /\b(city|town|county|country|zip|post ?code|address|location)\b/i;
const NUMBER_NAME = /\b(no|number|ref|reference|code|id|receipt|invoice)\b/i;
/** Whether a row was compared with a statement. */
const RECONCILED = /^reconciled?$/i;

export type Table = NonNullable<ImportError['table']>;

/** The only answer that the names fit. */
export function answerByName(question: Question, all: readonly Question[], table: Table): Answer | undefined {
  const meanings = meaningsByName(question, all);
  if (meanings) return meanings;
  const answers = choicesByName(question, all, table).filter((choice) => question.choices.includes(choice));
  return answers.length === 1 ? answers[0] : undefined;
}

function choicesByName(question: Question, all: readonly Question[], table: Table): Choice[] {
  const { kind, name, columns } = question;
  const [index = -1] = columns;
  const values = valuesOf(index, table);
  const isDirected = all.some((each) => Object.values(meaningsByName(each, all) ?? {}).includes('out'));
  switch (kind) {
    case 'direction': {
      if (isDirected) return ['unsigned'];
      if (OTHER_AMOUNT.test(name)) return [];
      const directions = byWord<Choice>(name, 'moneyIn', 'spent');
      // Categories may say it: they are asked about next.
      return directions.length > 0 ? directions : ['unsigned'];
    }
    case 'amount':
      if (isRepeated(question, all, table) || values.every((text) => /^1([.,]0+)?$/.test(text)))
        return ['ignore'];
      if (/\bbalance\b/i.test(name)) return ['balance'];
      if (SUM.test(name)) return ['check'];
      if (isNumbered(name, values)) return ['ignore'];
      // A sum of the row shows whether the tax is a part of it.
      if (/^(vat|tax)$/i.test(name) && all.some((each) => SUM.test(each.name))) return ['moneyOut'];
      if (OTHER_AMOUNT.test(name)) return [];
      if (/\bamount\b/i.test(name)) return [isDirected ? 'unsigned' : 'amount'];
      return byWord(name, 'moneyIn', 'moneyOut');
    case 'date':
      if (table.columns.date !== undefined) return OTHER_DATE.test(name) ? ['ignore'] : [];
      return all.filter((each) => each.kind === 'date').length === 1 ? ['date'] : [];
    case 'values':
      return PLACE.test(name) || isNumbered(name, values) ? ['ignore'] : [];
    default:
      return [];
  }
}

/** Words for both directions in the values of a column, if the direction is open. */
function meaningsByName(
  { kind, name, values = [] }: Question,
  all: readonly Question[],
): Record<string, Meaning> | undefined {
  if (kind !== 'values') return undefined;
  if (RECONCILED.test(name)) return Object.fromEntries(values.map((value) => [value, 'keep']));
  if (!all.some((each) => each.kind === 'direction' || each.kind === 'amount')) return undefined;
  const meanings = values.map((value): [string, Meaning[]] => [value, byWord(value, 'in', 'out')]);
  const said = new Set(meanings.flatMap(([, each]) => each));
  if (said.size !== 2 || meanings.some(([, each]) => each.length !== 1)) return undefined;
  return Object.fromEntries(meanings.flatMap(([value, each]) => each.map((meaning) => [value, meaning])));
}

function byWord<Hint>(name: string, income: Hint, expense: Hint): Hint[] {
  return [...(INCOME_NAME.test(name) ? [income] : []), ...(EXPENSE_NAME.test(name) ? [expense] : [])];
}

/** Whole numbers or codes below a name such as Reference number. */
const isNumbered = (name: string, values: readonly string[]): boolean =>
  NUMBER_NAME.test(name) && values.every((text) => /^'?[\p{L}\d /-]*\d[\p{L}\d /-]*$/u.test(text));

/** The same amounts as in a column before it: nothing is lost without it. */
function isRepeated({ columns }: Question, all: readonly Question[], table: Table): boolean {
  const [index = -1] = columns;
  const before = [
    ...[table.columns.amount, table.columns.moneyIn].filter((each) => each !== undefined),
    ...all.filter(({ kind }) => kind === 'amount').flatMap((each) => each.columns.filter((at) => at < index)),
  ];
  const amounts = valuesOf(index, table).map(digitsOf);
  return before.some((at) => valuesOf(at, table).map(digitsOf).join() === amounts.join());
}

const digitsOf = (text: string) => text.replace(/[^\d.,()-]/g, '');

/** The texts of the column in the first rows below the header. */
export function valuesOf(index: number, { header, rows }: Table): string[] {
  const below = rows.slice(rows.findIndex((cells) => cells.join() === header.join()) + 1);
  return below.map((cells) => cells[index] ?? '').filter((text) => text !== '');
}
