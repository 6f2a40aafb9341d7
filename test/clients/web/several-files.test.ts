/** The import of the page, file after file: what waits, and what is kept for files with the same header. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { eachColumn } from '../../../clients/typescript/import/questions/answers.ts';
import { categoriesOfAmount } from '../../../clients/web/import/categories.ts';
import { convertedRows, rowsWithoutRate } from '../../../clients/web/import/check/converted-rows.ts';
import { payeeRules } from '../../../clients/web/import/check/payee-rules.ts';
import type { Importer } from '../../../clients/web/import/importer.ts';
import { preferencesIn } from '../../../clients/web/import/preferences.ts';
import { otherSheets, otherSheetText, workbooksOf } from '../../../clients/web/import/sheets.ts';
import type { GivenFile, ImportState } from '../../../clients/web/import/state.ts';
import { workbook } from '../typescript/import/workbook.ts';
import { CSV, check, file, fileOf, memory, newImporter, openFile, push } from './importer-fixture.ts';

setDefaultTimeout(60_000);

describe('the use of columns', () => {
  const RENTS = (tenant: string, rent: number) =>
    file(
      `Date,Tenant,Rent Due,Rent Paid,Expenses\n01/10/2026,${tenant},${rent},${rent},\n15/10/2026,Plumber,,,120.50\n`,
    );
  const BOTH = { 'Rent Due': { use: 'ignore' }, 'Rent Paid': { use: 'moneyIn' } } as const;
  const amounts = (importer: Importer) =>
    fileOf(importer).result?.entries.map(({ entry }) => entry.amountPence);

  const LINE =
    /^columns in csv "Date,Tenant,Rent Due,Rent Paid,Expenses" from [\d-]+: amount Rent Paid=in; ignore Rent Due\n$/;
  const kept = (importer: Importer) => importer.state.value.categorising.rules;

  test('is kept with the rules for files of the kind, until it is forgotten', async () => {
    const { storage, texts } = memory();
    const preferences = preferencesIn(() => storage, 'account');
    const { importer } = await newImporter({ preferences });
    await openFile(importer, RENTS('Patel', 1025));
    expect(eachColumn(fileOf(importer).problem?.questions).map(({ name }) => name)).toEqual([
      ...['Rent Due', 'Rent Paid'],
    ]);
    await importer.setParseOptions(fileOf(importer).file, { uses: { 'Rent Due': { use: 'ignore' } } });
    expect(texts.size).toBe(0);
    await importer.setParseOptions(fileOf(importer).file, { uses: BOTH });
    expect(amounts(importer)).toEqual([102_500, 12_050]);
    expect([...texts]).toEqual([['ledger-import-rules account', expect.stringMatching(LINE)]]);

    const { importer: later } = await newImporter({ preferences });
    await openFile(later, RENTS('Jones', 895));
    expect(amounts(later)).toEqual([89_500, 12_050]);
    expect(fileOf(later).result?.recognised.keptFrom).toMatch(/^\d{4}-/);
    await openFile(later, file(CSV));
    expect(fileOf(later).result?.recognised.keptFrom).toBeUndefined();
    expect(amounts(later)).toEqual([95_000, 2_349]);
    await openFile(later, RENTS('Jones', 895));
    await later.forgetColumns(fileOf(later).file);
    expect(eachColumn(fileOf(later).problem?.questions).map(({ name }) => name)).toEqual([
      ...['Rent Due', 'Rent Paid'],
    ]);
    expect(texts.size).toBe(0);
  });

  test('holds for the other open files of the bank account, and for no other account', async () => {
    const { importer } = await newImporter();
    await importer.addFiles([RENTS('Patel', 1025), RENTS('Jones', 895), RENTS('Sims', 700)]);
    const [first, second, third] = importer.state.value.files.map((each) => each.file) as [
      ...[GivenFile, GivenFile, GivenFile],
    ];
    const states = () =>
      importer.state.value.files.map(
        ({ problem, result }) => !problem && result?.recognised.keptFrom !== undefined,
      );
    await importer.setParseOptions(third, { accountLabel: 'Other' });
    await importer.setParseOptions(first, { uses: BOTH });
    expect(states()).toEqual([true, true, false]);
    // Two uses of one kind: the files need the names of their accounts.
    await importer.setParseOptions(second, {
      uses: { 'Rent Due': { use: 'moneyIn' }, 'Rent Paid': { use: 'ignore' } },
    });
    expect([states(), kept(importer)]).toEqual([[false, false, false], '']);
    await importer.setParseOptions(second, { accountLabel: 'Second' });
    expect(states()).toEqual([true, true, false]);
    expect(kept(importer)).toMatch(
      /^columns in csv .*\ncolumns of "Second" in csv .* amount Rent Due=in; ignore Rent Paid\n$/,
    );
  });

  test('is not kept for a file that is opened while the one before is still read', async () => {
    const { storage, texts } = memory();
    const { importer } = await newImporter({ preferences: preferencesIn(() => storage, 'account') });
    await openFile(importer, RENTS('Patel', 1025));
    const chosen = importer.setParseOptions(fileOf(importer).file, {
      uses: BOTH,
    });
    await Promise.all([chosen, openFile(importer, file(CSV))]);
    expect(fileOf(importer).file.name).toBe('file.csv');
    expect(texts.size).toBe(0);
  });

  test.each([
    [
      'damaged',
      { getItem: (name: string) => (name.includes('rules') ? null : '{'), setItem() {}, removeItem() {} },
    ],
    ['full', { getItem: () => null, setItem: full, removeItem() {} }],
  ])('is found out by the reader where the storage is %s', async (_, storage) => {
    const { importer } = await newImporter({ preferences: preferencesIn(() => storage, 'account') });
    await openFile(importer, file(CSV));
    await importer.setParseOptions(fileOf(importer).file, {
      uses: { Description: { use: 'ignore' }, 'External ref': { use: 'description' } },
    });
    expect(fileOf(importer).result?.entries.map(({ entry }) => entry.description)).toEqual(['r1', 'r2']);
  });
});

function full() {
  throw new DOMException('The quota is used up.', 'QuotaExceededError');
}

const sheet = (name: string, column: string, ...cells: string[]) => ({
  name,
  rows: { 1: ['Date', 'Description', column], 2: cells },
});
const book = {
  name: 'book.xlsx',
  bytes: workbook([
    sheet('Invoices', 'Money in', '2026-05-01', 'Rent', '950.00'),
    sheet('Expenses', 'Money out', '2026-05-02', 'Gas', '80.00'),
  ]),
};

test('each sheet of a workbook is named until it is read, and each reading has its own proof', async () => {
  const { importer } = await newImporter();
  await importer.addFiles([book]);
  const sheetTexts = () =>
    otherSheets(workbooksOf(importer.state.value.files), importer.state.value.pushedFiles).map(
      otherSheetText,
    );
  expect(sheetTexts()).toEqual(['The sheet “Expenses” of book.xlsx is not read.']);
  await check(importer);
  await push(importer);
  importer.startAgain();
  await importer.addFiles([book]);
  await importer.setParseOptions(fileOf(importer).file, { sheet: 'Expenses' });
  expect(sheetTexts()).toEqual([]);
  await check(importer);
  await push(importer);
  expect(importer.state.value.pushedFiles.map(({ recognised }) => recognised?.sheet)).toEqual([
    'Invoices',
    'Expenses',
  ]);
});

test('decisions that differ give no rule for the other rows of the payee', async () => {
  const { importer } = await newImporter();
  const rows = [1, 2, 3].map((day) => `2026-05-0${day},NEW SHOP ${day},-5.00\n`);
  await openFile(importer, file(`Date,Description,Amount\n${rows.join('')}`));
  const decisions = () => payeeRules(importer.state.value).map(({ decision }) => decision);
  const [first = '', second = ''] = categoriesOfAmount(importer.state.value, 'expense').map(({ key }) => key);
  await importer.correct([2], { category: first });
  expect(decisions()).toEqual([first]);
  await importer.correct([3], { category: second });
  expect(decisions()).toEqual([]);
});

test('rows that wait for a property are converted', async () => {
  const { importer } = await newImporter();
  importer.chooseSource('');
  const rows = ['2026-05-01,Rent,850.00,,EUR', '2026-05-02,Gas,,80.00,EUR'];
  await openFile(importer, file(['Date,Description,Money in,Money out,Currency', ...rows].join('\n')));
  const results = () => importer.state.value.files.flatMap(({ result }) => result ?? []);
  expect(fileOf(importer).problem?.option).toBe('rates');
  await importer.setRates(file('month,currency,pounds per unit\n2026-04,EUR,0.86\n', 'rates.csv'));
  expect(results().map(rowsWithoutRate)).toEqual([2]);
  await importer.setRates(file('month,currency,pounds per unit\n2026-05,EUR,0.86\n', 'rates.csv'));
  expect(results().map(({ withoutSource }) => withoutSource.length)).toEqual([2]);
  expect(convertedRows(results())).toEqual(['EUR', 'EUR']);
});

test('an amount has the categories of its property, or of all if each row has its own', async () => {
  const { importer, account } = await newImporter();
  const { state } = importer;
  const keysOf = (of: ImportState, said?: string) =>
    categoriesOfAmount(of, 'income', said).map(({ key }) => key);
  const own = keysOf(state.value);
  const other = keysOf(state.value, account.sources['self-employment']);
  expect([own.includes('periodAmount'), other.includes('turnover')]).toEqual([true, true]);
  expect([own.includes('turnover'), other.includes('periodAmount')]).toEqual([false, false]);
  expect(keysOf({ ...state.value, source: undefined })).toEqual(expect.arrayContaining([...own, ...other]));
});

test('a workbook that is added twice at once is read once more, with its other sheet', async () => {
  const { importer } = await newImporter();
  await importer.addFiles([book]);
  await Promise.all([importer.addFiles([book]), importer.addFiles([book])]);
  expect(importer.state.value.files.map(({ file }) => file.name)).toEqual([
    'book.xlsx',
    'Expenses of book.xlsx',
  ]);
});
