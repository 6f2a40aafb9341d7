/** Errors for an assistant: the problem and its remedy, without a stack trace. */
import { UserError } from '../files/user-error.ts';
import { ImportError, type Question, withAnswer } from '../typescript/import/index.ts';
import {
  answerOptions,
  eachColumn,
  markedAmounts,
  OPEN_ANSWER,
  ofOneColumn,
} from '../typescript/import/questions/answers.ts';
import { choiceText, questionText } from '../typescript/import/questions/texts.ts';
import { LedgerError } from '../typescript/index.ts';
import { boundedText } from './texts.ts';

const MESSAGE_MAX = 8_000;
const QUESTIONS_SHOWN = 20;
/** The length of the text of a question about one column. */
const QUESTION_MAX = 500;
const VALUES_SHOWN = 20;

/** Ends a call of a tool with a sentence for the assistant. */
export class ToolError extends Error {}

/** Any error as a sentence for the assistant, without internals. */
export function messageOf(error: unknown): string {
  // An account may have many sources, and a preview many open rows.
  if (error instanceof ToolError || error instanceof UserError)
    return boundedText(error.message, MESSAGE_MAX);
  if (error instanceof ImportError) return importMessage(error);
  if (error instanceof LedgerError) return ledgerMessage(error);
  return 'The server failed unexpectedly. Try again: nothing is created twice.';
}

/** Arguments have the names of the reader's options. */
function importMessage(error: ImportError): string {
  const { message, option, table, questions = [] } = error;
  if (questions.length > 0) return boundedText(questionsMessage(error, questions), MESSAGE_MAX);
  const advice = option === undefined ? '' : ` The argument \`${option}\` settles it.`;
  const header = table?.header.slice(0, 50).map((name) => boundedText(name, 100)) ?? [];
  const columns = header.length > 0 ? ` The columns of the file are ${JSON.stringify(header)}.` : '';
  const ignored = option === 'map' ? ' `ignore` leaves columns out.' : '';
  return `${boundedText(message, 2_000)}${advice}${ignored}${columns}`;
}

/** Each question with the arguments of its answers. */
function questionsMessage({ keptNote = '' }: ImportError, questions: readonly Question[]): string {
  const shown = questions.slice(0, QUESTIONS_SHOWN).map((question, index) => {
    const answers = argumentsOf(question);
    const textMax = QUESTION_MAX * Math.max(1, eachColumn([question]).length);
    return `${index + 1}. ${boundedText(questionText(question), textMax)} ${answers.join(' or ')}`;
  });
  const more = questions.length > shown.length ? `${questions.length - shown.length} more follow.` : '';
  return [
    `Open questions of the file: ${questions.length}. Nothing was read. Ask the person, and call again with an argument for each answer. ${keptNote}`.trim(),
    ...shown,
    more,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Each answer as an argument. */
function argumentsOf(question: Question): string[] {
  if (question.kind === 'amounts') {
    const ofEach = question.choices.map(
      (choice) => `${JSON.stringify(withAnswer({}, ofOneColumn(question), choice))} (${choiceText(choice)})`,
    );
    const all = JSON.stringify(markedAmounts(question));
    return [`One call for all columns: ${all}, with for each column ${ofEach.join(' or ')}`];
  }
  return answerOptions(question, VALUES_SHOWN).map(({ options, choice, meanings, column }) => {
    const text = JSON.stringify(options);
    if (choice !== undefined) return `${text} (${choiceText(choice)})`;
    if (column !== undefined)
      return `${text} (${JSON.stringify(column)} gives the direction: in or out for each ${OPEN_ANSWER})`;
    return `${text} with ${meanings.map((meaning) => `${meaning} (${choiceText(meaning)})`).join(', ')}`;
  });
}

/** An error of the service as a sentence, with its issues. */
export function ledgerMessage({ code, message, issues }: LedgerError): string {
  const faults = issues.slice(0, 20).map(({ path, message }) => ` ${path.slice(1)} ${message}.`);
  const isElsewhere = code === 'unreachable' || code === 'unexpected_response';
  const advice = isElsewhere
    ? ' The address is fixed when this server starts: LEDGER_URL or the stored login sets it.'
    : '';
  return boundedText(`${message}${faults.join('')}${advice}`, 4_000);
}
