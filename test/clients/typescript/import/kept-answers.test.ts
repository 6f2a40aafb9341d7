/** Answers about columns that rules keep for the files of one account, one format and one header. */
import { describe, expect, test } from 'bun:test';
import {
  type ColumnAnswers,
  ImportError,
  type KeptAnswers,
  withKeptAnswers,
} from '../../../../clients/typescript/import/index.ts';
import { answersText, readAnswers } from '../../../../clients/typescript/import/rules/answers-text.ts';
import { keptAnswersOf, keptLine } from '../../../../clients/typescript/import/rules/kept-answers.ts';
import { parseRules } from '../../../../clients/typescript/import/rules/rules-text.ts';
import { readText } from './files.ts';

const kept = (change: Partial<KeptAnswers> = {}): KeptAnswers => ({
  accounts: ['HSBC'],
  format: 'csv',
  header: ['Date', 'Description', 'Amount'],
  date: '2026-11-28',
  answers: { map: { amount: 'Amount' } },
  ...change,
});
const LINE = 'columns of "HSBC" in csv "Date,Description,Amount" from 2026-11-28: amount=Amount';

/** The error of a reading. */
async function errorOf(reading: Promise<unknown>): Promise<ImportError> {
  const error = await reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(ImportError);
  return error as ImportError;
}

describe('the text of answers', () => {
  test.each<[ColumnAnswers, string]>([
    [{ map: { date: 'Booked', amount: 'Amount' } }, 'date=Booked; amount=Amount'],
    [{ map: { category: '' }, ignore: ['VAT', 'a, b'] }, 'category=; ignore VAT, "a, b"'],
    [{ values: { Booked: { Yes: 'keep', No: 'skip', '': 'keep' } } }, 'Booked: Yes=keep, No=skip, ""=keep'],
    [{ values: { in: { '=': 'in', 'x:"y"': 'out' } } }, 'in: "="=in, "x:""y"""=out'],
    [{ values: { 'Status #': { '; # ,': 'skip' } } }, '"Status #": "; # ,"=skip'],
    [{ unit: 'pence', map: { spent: 'amount=x' } }, 'spent="amount=x"; unit pence'],
    [{ map: { amount: 'Amount', moneyIn: 'in' } }, 'amount=Amount; moneyIn=in'],
    [{ values: { 'amount due': { a: 'in' }, amount: { b: 'out' } } }, '"amount due": a=in; amount: b=out'],
    [
      {
        amounts: [
          { columns: ['Rent'], direction: 'in', category: 'periodAmount' },
          { columns: ['Fee', 'V+T'], direction: 'out', source: '9 Mill / Lane' },
          { columns: ['A, B'], direction: 'out', source: 'House A', category: 'x' },
        ],
      },
      'amount Rent=in, periodAmount; amount Fee+"V+T"=out, , "9 Mill / Lane"; amount "A, B"=out, x, House A',
    ],
  ])('%j reads back', (answers, text) => {
    expect(answersText(answers)).toBe(text);
    expect(readAnswers(text)).toEqual(answers);
  });

  test.each([
    ['amount=A; amount=B', 'names two columns for amount'],
    ['unit euros', 'has a unit other than pence or pounds'],
    ['Booked: Yes=maybe', 'has no meaning at "Yes=maybe"; meanings are in, out, skip, keep'],
    ['Booked: Yes=in, Yes=out', 'has the value "Yes" twice'],
    ['Booked: a=in; Booked: b=in', 'has the column "Booked" twice'],
    ['nothing', 'is no choice at "nothing"; write for example Booked: Yes=keep, No=skip'],
    ['amount A+=in', 'is no amount at "A+=in"; write for example Fee+VAT=out, professionalFees'],
    ['amount A=both', 'is no amount at "A=both"; write for example Fee+VAT=out, professionalFees'],
    ['ignore ', 'is no choice at "ignore"; write for example Booked: Yes=keep, No=skip'],
  ])('%s is refused', (text, problem) => {
    expect(readAnswers(text)).toEqual({ problem });
  });
});

describe('a line of rules', () => {
  test.each<[string, Partial<KeptAnswers>, string]>([
    ['for an account and a header', {}, LINE],
    [
      'for files that name no account',
      { accounts: [] },
      'columns in csv "Date,Description,Amount" from 2026-11-28: amount=Amount',
    ],
    [
      'for a file of two accounts, with quotes in names',
      { accounts: ['A "B"', 'C'], header: ['a,b', 'c "d"', ''] },
      'columns of "A ""B""" and "C" in csv """a,b"",""c """"d"""""","',
    ],
    ['for a table without a header row', { header: ['', '', ''] }, 'columns of "HSBC" in csv with 3 columns'],
    ['for a format without columns', { format: 'ofx', header: [] }, 'columns of "HSBC" in ofx from 2026'],
  ])('%s reads back', (_, change, start) => {
    const line = keptLine(kept(change));
    expect(line).toStartWith(start);
    expect(keptAnswersOf(`# rules\n${line}  # a comment`)).toEqual([kept(change)]);
  });

  test('is no rule, may come after the last rule, and changes the line of none', () => {
    const rules = `${LINE}\n"rent" -> periodAmount\notherwise -> ask\n${LINE.replace('HSBC', 'Amex')}`;
    expect(parseRules(rules).map(({ line }) => line)).toEqual([2, 3]);
  });

  test.each([
    ['columns of HSBC in csv "A,B" from 2026-11-28: amount=A', 'is no line about columns; write for example'],
    [LINE.replace('csv', 'pdf'), 'has the unknown format "pdf"'],
    [LINE.replace('11-28', '02-30'), 'has no date at "2026-02-30"'],
    [LINE.replace('=Amount', '=A; amount=B'), 'names two columns for amount'],
    ['columns in qif from 2026-11-28: spent=T', 'has neither a header nor the name of an account'],
    [`${LINE}\n${LINE}`, 'Line 3 of the rules is about the same files as line 2; delete one of them'],
  ])('%s is refused with its line', async (line, problem) => {
    const rules = `# first\n${line}`;
    expect(() => keptAnswersOf(rules)).toThrow(problem);
    const { code, message } = await errorOf(readText('Date,Amount\n2026-04-06,5\n', { rules }));
    expect([code, message]).toEqual(['invalid_rules', expect.stringContaining(' of the rules ')]);
  });

  test('replaces the line of the same files, and else comes last', () => {
    const RULES = '"rent" -> periodAmount\r\notherwise -> ask\r\n';
    const first = withKeptAnswers(RULES, kept());
    expect(first).toBe(`${RULES}${LINE}\r\n`);
    const other = withKeptAnswers(first, kept({ accounts: ['Amex'], answers: { map: { spent: 'Amount' } } }));
    const again = withKeptAnswers(other, kept({ date: '2026-12-01', answers: { map: { amount: 'Sum' } } }));
    expect(keptAnswersOf(again).map(({ accounts, date }) => [...accounts, date])).toEqual([
      ['HSBC', '2026-12-01'],
      ['Amex', '2026-11-28'],
    ]);
    expect(again).toStartWith(RULES);
    expect(withKeptAnswers('', kept())).toBe(`${LINE}\n`);
    expect(withKeptAnswers('# no line end', kept())).toBe(`# no line end\n${LINE}\n`);
  });
});
