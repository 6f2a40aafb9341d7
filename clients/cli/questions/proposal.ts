/**
 * Proposes options for an open file. If the names of its columns answer every question, the file was read with these options, and no row is
 * invalid: they map columns, and leave out only those without amounts of their own. Otherwise a line has a mark for each open answer.
 */
import {
  ImportError,
  type ImportOptions,
  type ImportResult,
  type Question,
  withAnswer,
} from '../../typescript/import/index.ts';
import { eachColumn, OPEN_ANSWER } from '../../typescript/import/questions/answers.ts';
import { directionOf } from '../../typescript/import/values/direction.ts';
import { hasUnreadable } from '../../typescript/push/blockers.ts';
import { shellText } from '../output.ts';
import { answerByName, type Table, valuesOf } from './answer-by-name.ts';
import { choiceOptions } from './choice-options.ts';
import { oneLineOfAll } from './one-line.ts';
import { namesIn } from './question-lines.ts';

const ROUNDS_MAX = 3;

type Reader = (options: ImportOptions) => Promise<ImportResult>;

/** @param given the options of the refused reading */
export async function proposalLines(
  refusal: ImportError,
  file: string | undefined,
  given: ImportOptions,
  read: Reader,
): Promise<string[]> {
  const { questions = [], table } = refusal;
  if (!table || questions.length === 0) return [];
  const proposal = await proposalOf(refusal, given, read);
  const asked = [...eachColumn(questions), ...(proposal?.questions ?? [])];
  const named = namesIn(asked, table.header, file);
  if (!proposal) return [oneLineOfAll(questions, table, named) ?? []].flat();
  const options = choiceOptions(proposal.options, named).map(shellText);
  const date = proposal.isDateOpen
    ? ` --date-format ${OPEN_ANSWER}, with dmy (the day first) or mdy in place of ${OPEN_ANSWER}`
    : '';
  return [`If these columns hold what their names say: ${options.join(' ')}${date}`];
}

interface Proposal {
  options: ImportOptions;
  questions: readonly Question[];
  isDateOpen: boolean;
}

async function proposalOf(
  refusal: ImportError,
  given: ImportOptions,
  readFile: Reader,
): Promise<Proposal | undefined> {
  let [options, error]: [ImportOptions, ImportError] = [{}, refusal];
  let isDateOpen = false;
  const questions: Question[] = [];
  const read: Reader = (options) => readFile(isDateOpen ? { ...options, dateFormat: 'dmy' } : options);
  const outcomeOf = () => read(mergedOptions(given, options)).catch((error: unknown) => error);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if (!error.table || !error.questions?.length) return undefined;
    const each = eachColumn(error.questions);
    questions.push(...each);
    for (const question of each) {
      const answer = answerByName(question, questions, error.table);
      if (answer === undefined) return undefined;
      options = withAnswer(options, question, answer);
    }
    if (isDoubtful(options)) return undefined;
    let outcome = await outcomeOf();
    isDateOpen ||= outcome instanceof ImportError && outcome.code === 'ambiguous_dates';
    if (isDateOpen) outcome = await outcomeOf();
    if (outcome instanceof ImportError) {
      error = outcome;
      continue;
    }
    const result = outcome as ImportResult;
    if (!isReadable(result) || !(await isSettled(result, options, given, read))) return undefined;
    return { options: await withDirection(result, options, error.table, given, read), questions, isDateOpen };
  }
  return undefined;
}

/** Of two columns of rent, one may be what is due: only a sum of the row shows that both were paid. */
const isDoubtful = ({ amounts = [], map = {} }: ImportOptions): boolean =>
  amounts.filter(({ direction }) => direction === 'in').length > 1 && map.check === undefined;

/** The name Amount has no direction. The rest of the file has to settle it: the opposite reads the same, or fails. */
async function isSettled(
  result: ImportResult,
  proposed: ImportOptions,
  given: ImportOptions,
  read: Reader,
): Promise<boolean> {
  const { amount, ...map } = proposed.map ?? {};
  if (amount === undefined) return true;
  const spent = mergedOptions(given, { ...proposed, map: { ...map, spent: amount } });
  const other = await read(spent).catch(() => undefined);
  return !other || !isReadable(other) || paymentsText(other) === paymentsText(result);
}

/** Names the column of the direction that the reader has found, so that the line shows it. */
async function withDirection(
  result: ImportResult,
  proposed: ImportOptions,
  table: Table,
  given: ImportOptions,
  read: Reader,
): Promise<ImportOptions> {
  const { map = {} } = proposed;
  const type = table.header.find((name, index) => name !== '' && isOfDirections(valuesOf(index, table)));
  if (type === undefined || (map.amount ?? map.spent) === undefined) return proposed;
  const named = { ...proposed, map: { ...map, type } };
  const same = await read(mergedOptions(given, named)).catch(() => undefined);
  return same && paymentsText(same) === paymentsText(result) ? named : proposed;
}

const isOfDirections = (values: readonly string[]): boolean =>
  values.length > 0 && values.every((text) => directionOf(text) !== undefined);

const paymentsText = ({ entries }: ImportResult) =>
  JSON.stringify(entries.map(({ entry: { type, amountPence } }) => [type, amountPence]));

/** Rows that wait for a source are no fault of the options. */
const isReadable = (result: ImportResult) =>
  result.entries.length + result.withoutSource.length > 0 && !hasUnreadable([{ result }]);

function mergedOptions(
  given: ImportOptions,
  { map, ignore = [], amounts = [], values = {} }: ImportOptions,
): ImportOptions {
  return {
    ...given,
    map: { ...given.map, ...map },
    ignore: [...(given.ignore ?? []), ...ignore],
    values: { ...given.values, ...values },
    ...(amounts.length > 0 && { amounts: [...(given.amounts ?? []), ...amounts] }),
  };
}
