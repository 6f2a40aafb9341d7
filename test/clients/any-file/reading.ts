/** Reads a file as a user of the library does: reads it, answers what is asked, and reads it again. */

import {
  ImportError,
  type ImportOptions,
  type ImportResult,
  type Question,
  readImportFile,
} from '../../../clients/typescript/import/index.ts';
import { withAnswer } from '../../../clients/typescript/import/questions/answers.ts';
import type { Meaning } from '../../../clients/typescript/import/questions-and-answers.ts';
import { expectedOf } from './lines.ts';
import type { Entry, Plan } from './plan.ts';
import { answerTo, dateFormatOf, mapOf, rowAnswer } from './truth.ts';
import { type Written, write } from './written.ts';

type Outcome = 'right' | 'right after answers' | 'wrong' | 'wrong after answers' | 'unreadable' | 'crash';

export interface Reading {
  outcome: Outcome;
  /** Why it is not readable, in words without names and numbers of the file. */
  reason: string;
  /** How many answers were given: one for each question, and one for all rows of a pass. */
  answers: number;
  questions: readonly Question[];
  /** Messages of errors and of rows that nothing settles. */
  messages: readonly string[];
  /** Rows that may be totals, parts or opposites. */
  openRows: number;
  entries: readonly Entry[];
  /** Entries are wrong beside rows that cannot be read. */
  isWrongBesideInvalid: boolean;
  options: ImportOptions;
}

const PASSES_MAX = 6;

/** @param kept answers about columns that were given for an earlier file of the kind */
export async function readTruthfully(plan: Plan, kept: ImportOptions = {}): Promise<Reading> {
  const written = write(plan);
  const asked: Question[] = [];
  const messages: string[] = [];
  let options: ImportOptions = { ...kept, fileName: plan.fileName };
  let answers = 0;
  let openRows = 0;
  const ended = (outcome: Outcome, reason: string, entries: readonly Entry[] = []): Reading => {
    const isWrongBesideInvalid = outcome === 'unreadable' && entries.length > 0 && !isPartOf(entries, plan);
    return {
      outcome,
      reason,
      answers,
      questions: asked,
      messages,
      openRows,
      entries,
      isWrongBesideInvalid,
      options,
    };
  };
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    let result: ImportResult;
    try {
      result = await readImportFile(written.bytes, options);
    } catch (error) {
      if (!(error instanceof ImportError)) {
        messages.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
        return ended('crash', 'crash');
      }
      messages.push(error.message);
      const answered = answerError(error, options, plan, written);
      asked.push(...(error.questions ?? []));
      if (answered.answers === 0) return ended('unreadable', answered.reason);
      answers += answered.answers;
      options = answered.options;
      continue;
    }
    const entries = result.entries.map(({ entry: { date, type, amountPence } }) => ({
      date,
      type,
      amountPence,
    }));
    const open = result.invalid.filter(
      ({ row, option }) => option === 'rowMeanings' && options.rowMeanings?.[row] === undefined,
    );
    const openRowsNow = open.map(({ row }) => row);
    const rows = open.flatMap(({ row }) => {
      const meaning = rowAnswer(row, openRowsNow, written);
      return meaning ? [[row, meaning] as const] : [];
    });
    if (rows.length > 0) {
      openRows += new Set(rows.map(([row]) => row)).size;
      messages.push(...open.map(({ row, message }) => `Row ${row}: ${message}`));
      options = {
        ...options,
        rowMeanings: { ...options.rowMeanings, ...(Object.fromEntries(rows) as Record<number, Meaning>) },
      };
      answers++;
      continue;
    }
    const dates = result.invalid.find(({ option }) => option === 'dateFormat');
    if (dates && options.dateFormat === undefined) {
      options = { ...options, dateFormat: dateFormatOf(plan) };
      answers++;
      continue;
    }
    const [first] = result.invalid;
    messages.push(...result.invalid.map(({ row, message }) => `Row ${row}: ${message}`));
    if (first) return ended('unreadable', `invalid: ${shape(first.message)}`, entries);
    const isRight = expectedOf(plan).some((expected) => isEqual(expected, entries, plan.isSeveral));
    messages.push(...result.skipped.map(({ row, reason }) => `Row ${row} skipped: ${reason}`));
    if (isRight) return ended(answers > 0 ? 'right after answers' : 'right', '', entries);
    return ended(answers > 0 ? 'wrong after answers' : 'wrong', '', entries);
  }
  return ended('unreadable', 'asked again after each answer');
}

function answerError(error: ImportError, options: ImportOptions, plan: Plan, written: Written) {
  const none = (reason: string) => ({ answers: 0, options, reason });
  if (error.code === 'ambiguous_dates' && options.dateFormat === undefined) {
    return { answers: 1, options: { ...options, dateFormat: dateFormatOf(plan) }, reason: '' };
  }
  if (error.code === 'no_header' && options.map === undefined) {
    const named = mapOf(plan, written);
    return { answers: Math.max(1, named.answers), options: { ...options, ...named.options }, reason: '' };
  }
  const { questions = [] } = error;
  if (questions.length === 0) return none(`${error.code} without questions`);
  let next = options;
  let answers = 0;
  const unanswered: Question[] = [];
  const all = questions.map((question) => ({ question, answer: answerTo(question, plan, written) }));
  // That another column says it is no answer by itself if the question about that column is beside it.
  const isSaid = all.some(
    ({ answer }) => typeof answer === 'object' && /"(?:in|out)"/.test(JSON.stringify(Object.values(answer))),
  );
  for (const { question, answer } of all) {
    if (answer === undefined) unanswered.push(question);
    else {
      next = withAnswer(next, question, answer);
      if (!(isSaid && question.kind === 'direction' && answer === 'unsigned')) answers++;
    }
  }
  if (JSON.stringify(next) === JSON.stringify(options)) answers = 0;
  const kinds = [...new Set(unanswered.map(({ kind }) => kind))].join(', ');
  const reason = unanswered.length > 0 ? `no true choice: ${kinds}` : 'the same question again';
  return { answers, options: next, reason };
}

const keyOf = ({ date, type, amountPence }: Entry) => `${date} ${type} ${amountPence}`;
const sorted = (entries: readonly Entry[]) => entries.map(keyOf).sort();

function isEqual(expected: readonly Entry[], entries: readonly Entry[], isSummed: boolean): boolean {
  const [one, other] = isSummed ? [summed(expected), summed(entries)] : [sorted(expected), sorted(entries)];
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/** Columns of one direction may be one entry of the row. */
function summed(entries: readonly Entry[]): string[] {
  const sums = new Map<string, number>();
  for (const { date, type, amountPence } of entries) {
    sums.set(`${date} ${type}`, (sums.get(`${date} ${type}`) ?? 0) + amountPence);
  }
  return [...sums].map(([key, pence]) => `${key} ${pence}`).sort();
}

function isPartOf(entries: readonly Entry[], plan: Plan): boolean {
  return (
    plan.isSeveral ||
    expectedOf(plan).some((expected) => {
      const left = sorted(expected);
      return sorted(entries).every((key) => {
        const at = left.indexOf(key);
        if (at >= 0) left.splice(at, 1);
        return at >= 0;
      });
    })
  );
}

/** A message without names and numbers, so that equal reasons are counted together. */
const shape = (message: string) =>
  message
    .replace(/^The row contradicts itself.*/, 'The row contradicts itself.')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/£?-?\d[\d.,/-]*/g, '0')
    .slice(0, 110);
