/**
 * Proposes options for an open file, if the names of its columns answer every question. It maps columns, and leaves out only those without
 * amounts of their own. The file was read with these options, and no row is invalid.
 */
import {
  type Choice,
  ImportError,
  type ImportOptions,
  type ImportResult,
  type Question,
  withAnswer,
} from '../../typescript/import/index.ts';
import { shellText } from '../output.ts';
import { choiceOptions } from './choice-options.ts';
import { namesIn } from './open-questions.ts';

const INCOME = /\b(rents?|received|income|paid in|money in|receipts|earnings|gross earnings)\b/i;
const EXPENSE =
  /\b(costs?|expenses?|expenditure|fees?|bills?|charges?|repairs?|insurance|mortgage|paid out|money out|spent|commission)\b/i;
/** Amounts that are no payment of their own row, or not yet one. */
const OTHER_AMOUNT =
  /\b(due|owed|owing|expected|arrears|vat|tax|deposits?|cleaning|budget|forecast|limit|available)\b/i;
const SUM = /\b(net|total|sum)\b/i;
const OTHER_DATE = /\b(post(ed|ing)|value|book(ed|ing)|cleared|processed|settle(d|ment)|entered)\b/i;
const PLACE = /\b(city|town|county|country|zip|post ?code|address|location)\b/i;
const NUMBER = /\b(no|number|ref|reference|code|id|receipt|invoice)\b/i;
const ROUNDS_MAX = 3;

type Table = NonNullable<ImportError['table']>;
type Read = (options: ImportOptions) => Promise<ImportResult>;

/** @param given the options of the refused reading */
export async function proposalLines(
  refusal: ImportError,
  file: string | undefined,
  given: ImportOptions,
  read: Read,
): Promise<string[]> {
  let [proposed, error]: [ImportOptions, ImportError] = [{}, refusal];
  const questions: Question[] = [];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if (!error.table || !error.questions?.length) return [];
    for (const question of error.questions) {
      const answer = answerByName(question, error.questions, error.table);
      if (answer === undefined) return [];
      proposed = withAnswer(proposed, question, answer);
    }
    questions.push(...error.questions);
    if (isDoubtful(proposed)) return [];
    const outcome = await read(merged(given, proposed)).catch((error: unknown) => error);
    if (outcome instanceof ImportError) {
      error = outcome;
      continue;
    }
    const isRight =
      isWhole(outcome as ImportResult) && (await isSettled(outcome as ImportResult, proposed, given, read));
    return isRight ? [lineOf(proposed, questions, error.table, file)] : [];
  }
  return [];
}

/** Of two columns of rent, one may be what is due: only a sum of the row shows that both were paid. */
const isDoubtful = ({ amounts = [], map = {} }: ImportOptions): boolean =>
  amounts.filter(({ direction }) => direction === 'in').length > 1 && map.check === undefined;

/** The name Amount has no direction. The rest of the file has to settle it: the opposite reads the same, or fails. */
async function isSettled(
  { entries }: ImportResult,
  proposed: ImportOptions,
  given: ImportOptions,
  read: Read,
): Promise<boolean> {
  const { amount, ...map } = proposed.map ?? {};
  if (amount === undefined) return true;
  const other = await read(merged(given, { ...proposed, map: { ...map, spent: amount } })).catch(
    () => undefined,
  );
  const facts = (all: ImportResult['entries']) =>
    JSON.stringify(all.map(({ entry: { type, amountPence } }) => [type, amountPence]));
  return !other || !isWhole(other) || facts(other.entries) === facts(entries);
}

function lineOf(
  proposed: ImportOptions,
  questions: Question[],
  table: Table,
  file: string | undefined,
): string {
  const options = choiceOptions(proposed, namesIn(questions, table.header, file));
  return `If these columns hold what their names say: ${options.map(shellText).join(' ')}`;
}

/** Rows that wait for a source are no fault of the options. */
const isWhole = ({ entries, invalid, undecided }: ImportResult) =>
  entries.length + undecided.length > 0 &&
  invalid.every(({ row }) => undecided.some((each) => each.row === row));

function merged(given: ImportOptions, { map, ignore = [], amounts = [] }: ImportOptions): ImportOptions {
  return {
    ...given,
    map: { ...given.map, ...map },
    ignore: [...(given.ignore ?? []), ...ignore],
    ...(amounts.length > 0 && { amounts: [...(given.amounts ?? []), ...amounts] }),
  };
}

/** The only choice that the name of the column fits. */
function answerByName(question: Question, all: readonly Question[], table: Table): Choice | undefined {
  const answers = choicesByName(question, all, table).filter((choice) => question.choices.includes(choice));
  return answers.length === 1 ? answers[0] : undefined;
}

function choicesByName(question: Question, all: readonly Question[], table: Table): Choice[] {
  const { kind, name, columns } = question;
  const [index = -1] = columns;
  const values = valuesOf(index, table);
  switch (kind) {
    case 'direction':
      return OTHER_AMOUNT.test(name) ? [] : byWord(name, 'moneyIn', 'spent');
    case 'amount':
      if (isRepeated(question, all, table) || values.every((text) => /^1([.,]0+)?$/.test(text)))
        return ['ignore'];
      if (/\bbalance\b/i.test(name)) return ['balance'];
      if (SUM.test(name)) return ['check'];
      if (isNumbered(name, values)) return ['ignore'];
      // A sum of the row shows whether the tax is a part of it.
      if (/^(vat|tax)$/i.test(name) && all.some((each) => SUM.test(each.name))) return ['moneyOut'];
      if (OTHER_AMOUNT.test(name)) return [];
      return /\bamount$/i.test(name) ? ['amount'] : byWord(name, 'moneyIn', 'moneyOut');
    case 'date':
      if (table.columns.date !== undefined) return OTHER_DATE.test(name) ? ['ignore'] : [];
      return all.filter((each) => each.kind === 'date').length === 1 ? ['date'] : [];
    case 'values':
      return PLACE.test(name) || isNumbered(name, values) ? ['ignore'] : [];
    default:
      return [];
  }
}

function byWord(name: string, income: Choice, expense: Choice): Choice[] {
  return [...(INCOME.test(name) ? [income] : []), ...(EXPENSE.test(name) ? [expense] : [])];
}

/** Whole numbers or codes below a name such as Reference number. */
const isNumbered = (name: string, values: readonly string[]): boolean =>
  NUMBER.test(name) && values.every((text) => /^'?[\p{L}\d /-]*\d[\p{L}\d /-]*$/u.test(text));

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
function valuesOf(index: number, { header, rows }: Table): string[] {
  const below = rows.slice(rows.findIndex((cells) => cells.join() === header.join()) + 1);
  return below.map((cells) => cells[index] ?? '').filter((text) => text !== '');
}
