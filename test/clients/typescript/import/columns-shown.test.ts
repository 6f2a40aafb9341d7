/** What the command shows of the columns of a file: how each was read, and the options that answer what is open. */
import { describe, expect, test } from 'bun:test';
import { previewLines } from '../../../../clients/cli/push/file-preview.ts';
import { proposalLines } from '../../../../clients/cli/questions/proposal.ts';
import { questionLines, refusalText } from '../../../../clients/cli/questions/question-lines.ts';
import {
  ImportError,
  type ImportOptions,
  type Question,
  readImportFile,
} from '../../../../clients/typescript/import/index.ts';
import { lines, readOpen, readText } from './files.ts';

const errorOf = (text: string, options: ImportOptions = {}) =>
  readOpen(text, options).then(
    () => undefined,
    (error: ImportError) => error,
  );

async function proposed(text: string, file?: string): Promise<string[]> {
  const error = await errorOf(text);
  const bytes = new TextEncoder().encode(text);
  return error ? proposalLines(error, file, {}, (options) => readImportFile(bytes, options)) : [];
}
const PROPOSED = 'If these columns hold what their names say: ';

function openError(question: Partial<Question>, header: string[] = ['Date', 'Booked', 'a,b']): ImportError {
  const error = new ImportError('unresolved_columns', 'Open.', 'map');
  const all: Question = {
    kind: 'values',
    columns: [1],
    name: 'Booked',
    rows: [],
    message: 'May say it.',
    choices: [],
    ...question,
  };
  error.questions = [all];
  error.table = { format: 'csv', encoding: null, rows: [header], header, columns: {} };
  return error;
}

describe('each answer to a question is an option', () => {
  const optionsOf = (question: Partial<Question>, file?: string) =>
    questionLines(openError(question), file)
      .slice(1)
      .map((line) => line.trim().split('  ')[0]);

  test.each<[string, Partial<Question>, string[]]>([
    [
      'of a direction',
      { kind: 'direction', choices: ['amount', 'spent', 'moneyIn', 'unsigned'] },
      ['--map amount=Booked', '--map spent=Booked', '--map moneyIn=Booked', '--map unsigned=Booked'],
    ],
    [
      'of a column with a comma in its name',
      { kind: 'date', name: 'a,b', columns: [2], choices: ['date', 'ignore'] },
      ['--map date=3', '--ignore 3'],
    ],
    [
      'of one value',
      { values: ['it\'s "x"'], choices: ['skip', 'ignore', 'category'] },
      [`--values 'Booked: "it'\\''s ""x"""=skip'`, '--ignore Booked', '--map category=Booked'],
    ],
    [
      'of several values, without an example that may pass for an answer',
      { values: ['Yes', ''], choices: ['skip', 'keep', 'ignore'] },
      [`--values 'Booked: Yes=…, ""=…'`, '--ignore Booked'],
    ],
    [
      'of a heading',
      { kind: 'heading', name: '', rows: [7], choices: ['in', 'skip'] },
      ['--rows 7=in', '--rows 7=skip'],
    ],
    ['of the unit', { kind: 'unit', choices: ['pounds', 'pence'] }, ['--unit pounds', '--unit pence']],
  ])('%s', (_, question, options) => {
    expect(optionsOf(question)).toEqual(options);
  });

  test('of one of several files', () => {
    expect(optionsOf({ kind: 'unit', choices: ['pence'] }, 'my list.csv')).toEqual([
      `--unit 'my list.csv:pence'`,
    ]);
  });

  test('of several columns of amounts: one line with a mark for each, and the other options of a column', async () => {
    const text = 'Date,Rent A,Rent B\n2026-04-01,895.00,900.00\n';
    const [asked, ...options] = questionLines((await errorOf(text)) as ImportError, undefined);
    expect(asked).toStartWith('1. Several columns hold amounts. "Rent A" has amounts');
    expect(options.map((line) => line.trim().split('  ')[0])).toEqual([
      `--amount 'Rent A=…' --amount 'Rent B=…'`,
      ...['--amount COLUMN=in', '--amount COLUMN=out', '--map balance=COLUMN', '--map check=COLUMN'],
      ...['--ignore COLUMN', '--map amount=COLUMN', '--map spent=COLUMN', '--map unsigned=COLUMN'],
    ]);
    expect(await proposed(text)).toEqual([]);
    const parts = 'Date,Text,Pounds,Pence\n13/04/2026,a,-60,50\n14/04/2026,b,900,00\n';
    expect(questionLines((await errorOf(parts)) as ImportError, undefined).join()).not.toContain('…');
  });

  test('of one amount: the values of a column that gives the direction are an answer too', async () => {
    const text = 'Date,Text,Amount,Category\n2026-04-01,a,5.00,Rent\n2026-04-02,b,6.00,Repairs\n';
    const options = questionLines((await errorOf(text)) as ImportError, undefined).join('\n');
    expect(options).toContain(`--map unsigned=Amount --values 'Category: Rent=…, Repairs=…'`);
    expect(options).toContain('"Category" gives the direction: for each … put in (money in), out ');
    const meanings = { Category: { Rent: 'in', Repairs: 'out' } } as const;
    expect(lines(await readText(text, { map: { unsigned: 'Amount' }, values: meanings }))).toEqual([
      '2 2026-04-01 +500 a',
      '3 2026-04-02 -600 b',
    ]);
  });

  test('and the reader takes it', async () => {
    const text = 'Date,Description,Amount\n2026-04-01,a,5.00\n2026-04-02,b,6.00\n';
    const error = await errorOf(text);
    const options = questionLines(error as ImportError, undefined).join('\n');
    expect(options).toContain('--map spent=Amount');
    expect(lines(await readText(text, { map: { spent: 'Amount' } }))).toEqual([
      '2 2026-04-01 -500 a',
      '3 2026-04-02 -600 b',
    ]);
  });
});

test('the message counts what is open, and says why kept answers do not settle it', () => {
  const error = openError({ rows: [3, 4], choices: ['skip'], values: ['x'] });
  error.keptNote = 'The header has changed.';
  expect(refusalText(error)).toEndWith(' of the right answer to each. The header has changed.');
  expect(questionLines(error, undefined)[0]).toBe('1. May say it. (rows 3, 4)');
});

describe('options are proposed', () => {
  test('if the name of each column answers its question', async () => {
    const columns =
      'Transaction Date,Posting Date,Billing Amount,Merchant,Reference Number,Debit/Credit Flag';
    const rows = '13/04/2026,14/04/2026,60.00,A,1234567,D\n15/04/2026,15/04/2026,100.00,B,1234568,C\n';
    expect(await proposed(`${columns}\n${rows}`)).toEqual([
      `${PROPOSED}--map 'amount=Billing Amount,type=Debit/Credit Flag' --ignore 'Posting Date' --ignore 'Reference Number'`,
    ]);
  });

  test.each([
    [
      'with the direction of words',
      'Date,Payee,Group,Amount\n2026-04-01,a,Bills,60\n2026-04-02,b,Rent,900\n',
      `${PROPOSED}--map unsigned=Amount --values 'Group: Bills=out, Rent=in'`,
    ],
    [
      'that read an amount once which is there three times',
      'Date,Text,Book,Reconcile,Amount Sym,Amount Num,Rate\n2026-04-01,a,Bills:Gas,n,-£60.00,-60.00,1.00\n2026-04-02,b,Rent,n,£5.00,5.00,1.00\n',
      `${PROPOSED}--map 'unsigned=Amount Sym' --ignore 'Amount Num' --ignore Rate --values 'Book: "Bills:Gas"=out, Rent=in' --values 'Reconcile: n=keep'`,
    ],
    [
      'with a mark for the order of the dates',
      'Date,Rent,Fee,Net\n01/04/2026,900,90,810\n02/04/2026,900,90,810\n',
      `${PROPOSED}--map check=Net --date-format …, with dmy (the day first) or mdy in place of …`,
    ],
    [
      'with a mark for each open answer',
      'Date,Text,Ready,Amount\nSpring,,,\n2026-04-01,a,Yes,60\n2026-04-02,b,No,900\n',
      `All in one line, with an answer in place of each …: --values 'Ready: Yes=…, No=…' --rows '2=…'`,
    ],
    [
      'with a mark for an unknown name',
      'Date,Amount,"a $(b)"\n2026-04-01,5.00,6.00\n',
      `All in one line, with an answer in place of each …: --map '…=Amount' --amount '"a $(b)"=…'`,
    ],
    [
      'but no column of other amounts or dates is left out then',
      'Date,Posting Date,Text,Ready,Amount\n2026-04-01,2026-04-03,a,Yes,60\n2026-04-02,2026-04-03,b,No,900\n',
      `All in one line beside the answers to 1, with an answer in place of each …: --map '…=Amount' --values 'Ready: Yes=…, No=…'`,
    ],
  ])('%s', async (_, text, line) => {
    expect(await proposed(text)).toEqual([line]);
  });

  test.each([
    ['rent that may be due', 'Date,Tenant,Rent Due,Rent Paid\n2026-04-01,a,895.00,895.00\n'],
    ['an amount of unknown direction', 'Date,My amount,Text\n2026-04-01,5.00,a\n2026-04-02,6.00,b\n'],
    ['a column of values', 'Date,Amount,Kind\n2026-04-01,-5.00,A\n2026-04-02,-6.00,B\n'],
    ['pounds and pence in two columns', 'Date,Text,Pounds,Pence\n13/04/2026,a,-60,50\n14/04/2026,b,900,00\n'],
    ['a deposit', 'Date,Amount,Deposit\n2026-04-01,-5.00,6.00\n2026-04-02,-6.00,7.00\n'],
  ])('not for %s', async (_, text) => {
    expect(await errorOf(text)).toBeDefined();
    expect(await proposed(text)).toEqual([]);
  });
});

test('the whole preview says which column was read as what, which were left out, and which dates are unlikely', async () => {
  const text = 'Date,Payee,Reference,Amount,Balance,Share\n2062-04-06,a,b,5.00,9.00,2.50\n';
  const statement = await readText(text, { ignore: ['Share'], map: { amount: 'Amount' } });
  const preview = previewLines({ name: 'rents.csv', result: statement }, 'Elm Road', [], {
    isVerbose: true,
    isOneOfSeveral: false,
  });
  expect(preview.slice(0, 4)).toEqual([
    'rents.csv: 1 row of csv, from 2062-04-06 to 2062-04-06, for Elm Road',
    'Columns  date "Date", amount "Amount", description "Payee", balance "Balance"',
    'Also     "Reference"',
    'Left out "Share"',
  ]);
  expect(preview).toContain('  row 2: The date 2062-04-06 is more than a week ahead.');
});

test('the preview says since when the columns are chosen', async () => {
  const text = 'Date,Text,Sum\n2026-04-06,a,5.00\n';
  const rules = 'columns in csv "Date,Text,Sum" from 2026-11-28: spent=Sum';
  const statement = await readText(text, { rules });
  expect(
    previewLines({ name: 'a.csv', result: statement }, undefined, [], {
      isVerbose: false,
      isOneOfSeveral: false,
    }),
  ).toContain('Columns  as chosen on 2026-11-28: spent=Sum');
});
