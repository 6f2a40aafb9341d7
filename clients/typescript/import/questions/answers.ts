/** The options that an answer to a question of the reader means. */
import { type Choice, type ImportOptions, MEANINGS, type Meaning, type Question } from '../options.ts';

/** An answer: one of the choices, or the meaning of each open value. */
export type Answer = Choice | Readonly<Record<string, Meaning>>;

/** The options with the answer added. An amount of several in one direction becomes one of `amounts`. */
export function withAnswer(options: ImportOptions, question: Question, answer: Answer): ImportOptions {
  const { kind, name, rows } = question;
  if (typeof answer === 'object') {
    const { values = {} } = options;
    return { ...options, values: { ...values, [name]: { ...values[name], ...answer } } };
  }
  if (answer === 'ignore') return { ...options, ignore: [...(options.ignore ?? []), name] };
  if (answer === 'pounds' || answer === 'pence') return { ...options, unit: answer };
  if (isMeaning(answer)) {
    const answered = Object.fromEntries(rows.map((row) => [row, answer]));
    return { ...options, rows: { ...options.rows, ...answered } };
  }
  const { amounts = [], map = {} } = options;
  if (kind === 'amount' && (answer === 'moneyIn' || answer === 'moneyOut')) {
    const direction = answer === 'moneyIn' ? 'in' : 'out';
    return { ...options, amounts: [...amounts, { columns: [name], direction }] };
  }
  return { ...options, map: { ...map, [answer]: name } };
}

const isMeaning = (answer: Choice): answer is Meaning => (MEANINGS as readonly Choice[]).includes(answer);

/** The meanings among the choices of a question. */
export const meaningsOf = ({ choices }: Question): Meaning[] => choices.filter(isMeaning);
