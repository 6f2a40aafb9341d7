/** Files drawn from their meaning, in the page: each question can be answered there, and true answers lead to the true entries. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { importFileReader } from '../../../clients/typescript/import/index.ts';
import type { Meaning, Question } from '../../../clients/typescript/import/questions-and-answers.ts';
import { fileColumns, withAnswerFor } from '../../../clients/web/import/column-uses.ts';
import { answerItemsOf } from '../../../clients/web/import/file/answers.ts';
import { createImporter } from '../../../clients/web/import/importer.ts';
import type { ColumnUse, FileState, ParseOptions } from '../../../clients/web/import/state.ts';
import { runs } from '../../fixtures/runs.ts';
import { drawPlan } from '../any-file/draw.ts';
import type { Plan } from '../any-file/plan.ts';
import { readTruthfully } from '../any-file/reading.ts';
import { answerTo, dateFormatOf } from '../any-file/truth.ts';
import { type Written, write } from '../any-file/written.ts';
import { fileOf } from './importer-fixture.ts';

setDefaultTimeout(120_000);

/** So many have a question of each kind. */
const FILES_MIN = 30;
const FILES = Math.max(FILES_MIN, runs(90));
const ANSWERS_MAX = 40;

/** The change by the control of the page that has the true answer. Undefined: another question has it. */
function changeBy(question: Question, of: FileState, plan: Plan, written: Written): ParseOptions | undefined {
  const answer = answerTo(question, plan, written);
  if (answer === undefined) return undefined;
  const columns = fileColumns(of);
  if (question.kind === 'amounts') {
    const answered = columns.flatMap((each) => {
      const use = typeof answer === 'object' ? answer[each.name] : undefined;
      expect(each.isOneOfSeveral).toBe(question.columns.includes(each.index));
      return use === undefined ? [] : [[each, { use: use as ColumnUse['use'] }] as const];
    });
    expect(answered).toHaveLength(question.columns.length);
    return {
      uses: answered.reduce((all, each) => withAnswerFor(columns, all, ...each), of.parseOptions.uses),
    };
  }
  const column = columns.find(
    ({ index, questions }) => question.columns.includes(index) && questions.length > 0,
  );
  // The values of the column that gives the direction are a part of the answer.
  const said =
    typeof answer === 'object' && question.questions ? (answer as ParseOptions['values']) : undefined;
  if (column && (typeof answer === 'string' || said) && question.kind !== 'unit') {
    const asked = answerItemsOf({ problem: { questions: question.questions ?? [] }, parseOptions: {} });
    for (const [name, meanings] of Object.entries(said ?? {}))
      expect(asked.filter((item) => item.column === name)).toHaveLength(Object.keys(meanings).length);
    const use = { use: (said ? 'unsigned' : answer) as ColumnUse['use'] };
    const values = said && { values: { ...of.parseOptions.values, ...said } };
    return { uses: withAnswerFor(columns, of.parseOptions.uses, column, use), ...values };
  }
  const meanings = typeof answer === 'object' ? (answer as Record<string, Meaning>) : {};
  const [text = '', meaning] = Object.entries(meanings)[0] ?? [];
  const label = {
    values: `${text === '' ? 'An empty cell' : `“${text}”`} in ${question.name}`,
    heading: question.rows[0] === 0 ? 'The whole file' : `Row ${question.rows[0]}`,
    unit: 'Unit of the amounts',
    direction: `Amounts (${question.name})`,
    amount: '',
    date: '',
  }[question.kind];
  const item = answerItemsOf(of).find((each) => each.label === label && each.answer === undefined);
  const choice = meaning ?? String(answer);
  expect([question.message, item && choice in item.choices]).toEqual([question.message, true]);
  return item?.change(choice);
}

test('each question about a file can be answered on the page, and true answers lead to the true entries', async () => {
  const kinds = new Set<string>();
  for (let index = 0; index < FILES; index++) {
    const plan = drawPlan(`page/${index}`);
    const reading = await readTruthfully(plan);
    if (reading.outcome !== 'right after answers' || reading.openRows > 0) continue;
    const written = write(plan);
    const importer = createImporter({ onKeyRefused: () => {}, readerOf: importFileReader });
    await importer.addFiles([{ name: plan.fileName, bytes: written.bytes }]);
    for (let answers = 0; answers < ANSWERS_MAX && fileOf(importer).problem; answers++) {
      const of = fileOf(importer);
      const { file, problem } = of;
      const questions = problem?.questions ?? [];
      for (const { kind } of questions) kinds.add(kind);
      const change =
        problem?.code === 'ambiguous_dates'
          ? { dateFormat: dateFormatOf(plan) }
          : questions.map((each) => changeBy(each, of, plan, written)).find((each) => each !== undefined);
      await importer.setParseOptions(file, change ?? {});
    }
    const { problem, result } = fileOf(importer);
    const entries = result?.entries.map(({ entry: { date, type, amountPence } }) => ({
      date,
      type,
      amountPence,
    }));
    expect([index, problem?.message, entries]).toEqual([index, undefined, [...reading.entries]]);
  }
  expect([...kinds].sort()).toEqual([
    ...['amount', 'amounts', 'date', 'direction', 'heading', 'unit', 'values'],
  ]);
});
