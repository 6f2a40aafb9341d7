/** The import of the page after the first one: corrected files, corrected rules, and another tab that imports at the same time. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Importer } from '../../../clients/web/import/importer.ts';
import { preferencesIn } from '../../../clients/web/import/preferences.ts';
import { countsOfPush } from '../../../clients/web/import/push-state.ts';
import { reconcilePushed } from '../../../clients/web/import/reconcile/reconcile-pushed.ts';
import { canPush } from '../../../clients/web/import/selectors.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { until } from '../../fixtures/until.ts';
import { typedRows } from '../typed-rows.ts';
import { check, file, fileOf, memory, newImporter, openFile, push, statuses } from './importer-fixture.ts';

setDefaultTimeout(60_000);

const csv = (...rows: string[]) => file([...typedRows('Date,Description,Amount', rows), ''].join('\n'));
const RENT = '2026-10-01,RENT,1000.00';
const AGENT = '2026-10-03,AGENT,880.00';
const SPLIT = `description is "AGENT" -> uk-property / split: expense other 12 % of gross, rest periodAmount\notherwise -> uk-property`;

const amountsOf = async (account: { accountId: string }) =>
  (await rowsOf(account.accountId)).map(({ amountPence }) => Number(amountPence)).sort((a, b) => a - b);
const open = ({ state }: Importer) =>
  state.value.compared?.entries.flatMap((entry) =>
    'probably' in entry ? entry.probably.isEarlierVersion : [],
  );
const counts = ({ state }: Importer) => {
  const { push } = state.value;
  return push && countsOfPush(push);
};
async function importAll(importer: Importer, text: ReturnType<typeof csv>): Promise<void> {
  await openFile(importer, text);
  await check(importer);
  await push(importer);
}
/** By these rules in place of a source. */
async function byRules(importer: Importer, rules: string): Promise<void> {
  importer.chooseSource('');
  await importer.setCategorising({ rules });
}

describe('a row whose amount was corrected', () => {
  const [WRONG, RIGHT] = ['2026-10-02,SHOP,-12.99', '2026-10-02,SHOP,-129.90'];

  async function corrected() {
    const { storage } = memory();
    const opened = await newImporter();
    const preferences = () => preferencesIn(() => storage, opened.account.accountId);
    const { importer } = await newImporter({ preferences: preferences() }, opened.account);
    await importAll(importer, csv(RENT, WRONG));
    await openFile(importer, csv(RENT, RIGHT));
    await check(importer);
    return { ...opened, importer, preferences };
  }

  test('needs a decision; as a payment of its own it is sent, in another session too', async () => {
    const { account, importer, preferences } = await corrected();
    expect([open(importer), canPush(importer.state.value)]).toEqual([[true], false]);
    importer.go('push');
    expect(importer.state.value.step).toBe('check');
    importer.decide([3], 'separate');
    expect([open(importer), canPush(importer.state.value)]).toEqual([[], true]);
    // The decision is about the row, whatever is read again.
    await importer.setParseOptions(fileOf(importer).file, { decimal: '.' });
    expect(open(importer)).toEqual([]);

    const { importer: later } = await newImporter({ preferences: preferences() }, account);
    await importAll(later, csv(RENT, RIGHT));
    expect(await amountsOf(account)).toEqual([1299, 12_990, 100_000]);
  });

  test('as the stored entry it is not sent, in another session neither, until that is taken back', async () => {
    const { account, importer, preferences } = await corrected();
    await importer.leaveOut([3]);
    expect(statuses(importer)).toEqual(['known', 'conflict']);
    await push(importer);
    expect(counts(importer)).toMatchObject({ created: 0, known: 1, conflicts: 1 });

    const { importer: later } = await newImporter({ preferences: preferences() }, account);
    await openFile(later, csv(RENT, RIGHT));
    await check(later);
    expect(statuses(later)).toEqual(['known', 'conflict']);
    later.decide([3], undefined);
    expect(open(later)).toEqual([true]);
    await later.undo();
    expect(statuses(later)).toEqual(['known', 'conflict']);
    expect(await amountsOf(account)).toEqual([1299, 100_000]);
    later.decide([3], undefined);
    const { importer: last } = await newImporter({ preferences: preferences() }, account);
    await openFile(last, csv(RENT, RIGHT));
    await check(last);
    expect(open(last)).toEqual([true]);
  });

  test('is left out together with others as one change', async () => {
    const { importer } = await corrected();
    await importer.leaveOut([2, 3]);
    expect([statuses(importer), importer.state.value.history.length]).toEqual([['conflict'], 1]);
    await importer.undo();
    expect(open(importer)).toEqual([true]);
  });
});

test('the reconciliation names an entry that may be an earlier version, lists it as a correction, and takes a decision', async () => {
  const { importer, account, session, ledger, source } = await newImporter();
  await ledger.push(source, [
    { date: '2026-10-02', type: 'expense', amountPence: 1299, description: 'SHOP', externalRef: 'before' },
  ]);
  const { importer: other } = await newImporter({}, account);
  await openFile(other, csv(RENT, '2026-10-02,SHOP,-129.90'));
  await check(other);
  other.decide([3], 'separate');
  await push(other);
  // A tab that knows nothing of the decision.
  await importAll(importer, csv(RENT, '2026-10-02,SHOP,-129.90'));
  const reconcile = () => reconcilePushed(session, importer.state.value, importer.readerOf);
  const { reconciliation, corrections, keys } = await reconcile();
  expect([reconciliation.isReconciled, reconciliation.gone.map(({ row }) => row)]).toEqual([false, [3]]);
  expect(corrections).toMatchObject([{ action: 'check', reference: 'before', is: 'expense, 12.99' }]);
  for (const key of keys.values()) importer.decideByKey(key, 'send');
  // The entry is not that row. It still may be one that the file lacks.
  const ofFile = await reconcile();
  expect(ofFile.reconciliation.gone).toMatchObject([{ externalRef: 'before', isCertain: false }]);
  for (const key of ofFile.keys.values()) importer.decideByKey(key, 'send');
  const decided = await reconcile();
  expect([decided.reconciliation.isReconciled, decided.corrections]).toEqual([true, []]);
});

test('what is decided is kept of the last thousand rows', () => {
  const { storage } = memory();
  const preferences = preferencesIn(() => storage, 'account');
  const decisions = new Map(
    Array.from({ length: 1_500 }, (_, index) => [`r${index} e`, 'separate' as const]),
  );
  preferences.keepDecisions(decisions, new Map());
  expect([...preferences.decisions().keys()].at(0)).toBe('r500 e');
  expect(preferences.decisions().size).toBe(1_000);
  expect(preferencesIn(() => storage, 'another').decisions().size).toBe(0);
});

test('the decisions of earlier imports are read, in the words in which they are kept', () => {
  const { storage } = memory();
  const kept = [
    ['r1:0123456789abcdef e', 'send'],
    ['r2:0123456789abcdef e', 'leave'],
    ['file:a:b:2: entries', 'leave'],
    ['file:a:b:3: e', 'send'],
  ];
  storage.setItem('ledger-import-decisions account', JSON.stringify(kept));
  const preferences = preferencesIn(() => storage, 'account');
  const decisions = preferences.decisions();
  expect([...decisions.values()]).toEqual(['separate', 'same', 'complete', 'incomplete']);
  preferences.keepDecisions(new Map(decisions), new Map());
  expect(JSON.parse(storage.getItem('ledger-import-decisions account') ?? '')).toEqual(kept);
});

test('rows that the rules leave out and the books have are named, with the entries, at each step', async () => {
  const { account, importer } = await newImporter();
  await importAll(importer, csv(RENT, '2026-10-02,COUNCIL TAX,-178.50'));
  importer.startAgain();
  const rule = 'description is "COUNCIL TAX" -> leave out';
  await byRules(importer, `${rule}\notherwise -> uk-property`);
  await openFile(importer, csv(RENT, '2026-10-02,COUNCIL TAX,-178.50'));
  await check(importer);
  const leftOut = () => importer.state.value.compared?.leftOutAndStored.map(({ row, rule }) => [row, rule]);
  expect([leftOut(), statuses(importer)]).toEqual([[[3, 1]], ['known']]);
  await push(importer);
  expect(importer.state.value.push?.shown.leftOutAndStored).toHaveLength(1);
  // All rows are left out: there is something to see all the same.
  await openFile(importer, csv(RENT, '2026-10-02,COUNCIL TAX,-178.50'));
  await importer.setCategorising({ rules: 'otherwise -> leave out' });
  await check(importer);
  expect([leftOut()?.length, canPush(importer.state.value)]).toEqual([2, true]);
  expect(await amountsOf(account)).toEqual([17_850, 100_000]);
});

test('a row that a person has assigned is no question when the file is imported again', async () => {
  const { importer, source } = await newImporter();
  await byRules(importer, 'description is "RENT" -> uk-property\notherwise -> ask');
  await openFile(importer, csv(RENT, AGENT));
  await importer.correct([3], { source: source ?? '' });
  await check(importer);
  await push(importer);
  await openFile(importer, csv(RENT, AGENT));
  expect(fileOf(importer).result?.invalid.map(({ row }) => row)).toEqual([3]);
  await check(importer);
  expect(statuses(importer)).toEqual(['known', 'known']);
  expect(fileOf(importer).result?.invalid).toEqual([]);
});

describe('another tab that imports the same file', () => {
  test('by a rule that splits: what has changed is not sent, and goes back to the rows', async () => {
    const { account, importer } = await newImporter();
    const { importer: other } = await newImporter({}, account);
    for (const each of [importer, other]) await openFile(each, csv(RENT, AGENT));
    await byRules(other, SPLIT);
    for (const each of [importer, other]) await check(each);
    importer.go('push');
    await push(other);
    const stored = await amountsOf(account);
    importer.startPush();
    await until('the rows are shown again', () => importer.state.value.changed !== undefined);
    await check(importer);
    const { step, changed } = importer.state.value;
    expect([step, changed?.map(({ row }) => row)]).toEqual(['check', [3]]);
    expect(statuses(importer)).toEqual(['known', 'conflict']);
    await push(importer);
    expect(importer.state.value.step).toBe('result');
    expect(await amountsOf(account)).toEqual(stored);
  });

  test('while this one is paused: the rest is compared again, and what was created before is counted', async () => {
    const { account, importer } = await newImporter();
    const rows = Array.from({ length: 700 }, (_, index) => `2026-10-04,ROW ${index},1.00`);
    await openFile(importer, csv(...rows, AGENT));
    await check(importer);
    importer.go('push');
    const pause = importer.state.subscribe(() => {
      const { push } = importer.state.value;
      if (push?.status === 'running' && push.settled === 500) importer.pausePush();
    });
    importer.startPush();
    await until('it is paused', () => importer.state.value.push?.status === 'paused');
    pause();
    expect(counts(importer)).toMatchObject({ created: 500, remaining: 201 });
    const { importer: other } = await newImporter({}, account);
    await byRules(other, SPLIT);
    await importAll(other, csv(AGENT));
    importer.startPush();
    await until('the rows are shown again', () => importer.state.value.changed !== undefined);
    await check(importer);
    expect(importer.state.value.changed?.map(({ row }) => row)).toEqual([702]);
    expect(statuses(importer)?.filter((status) => status === 'known')).toHaveLength(700);
    await push(importer);
    expect(counts(importer)).toMatchObject({ created: 700, conflicts: 1, remaining: 0 });
    expect(await amountsOf(account)).toHaveLength(702);
  });
});

const LLOYDS =
  'Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance';
const coffee = (balance: string) => `30/06/2026,DEB,30-00-01,12345678,COFFEE,3.00,,${balance}`;
const bank = (...rows: string[]) => file([LLOYDS, ...rows, ''].join('\n'));

test('the closing balance of an import is kept for the next visit: a payment that follows it is another one', async () => {
  const { storage } = memory();
  const opened = await newImporter();
  const preferences = () => preferencesIn(() => storage, opened.account.accountId);
  const { importer } = await newImporter({ preferences: preferences() }, opened.account);
  await importAll(importer, bank(coffee('997.00'), '02/06/2026,DEB,30-00-01,12345678,X,1.00,,1000.00'));
  const { importer: next } = await newImporter({ preferences: preferences() }, opened.account);
  await openFile(next, bank('05/07/2026,DEB,30-00-01,12345678,AVIVA,30.00,,964.00', coffee('994.00')));
  await check(next);
  expect([open(next), canPush(next.state.value)]).toEqual([[false], false]);
  next.decide([3], 'separate');
  await push(next);
  expect(await amountsOf(opened.account)).toEqual([100, 300, 300, 3_000]);
});

test('a row whose reference belongs to another entry is not stored, and the page says so', async () => {
  const { importer, ledger, source } = await newImporter();
  const rent = { date: '2026-06-02', type: 'income', amountPence: 95_000, description: 'RENT' } as const;
  await ledger.push(source, [{ ...rent, externalRef: '1' }]);
  await importAll(importer, file('Date,Description,Money out,Transaction ID\n2026-07-13,PLUMBER,120.00,1\n'));
  expect(counts(importer)).toMatchObject({ created: 0, known: 0, taken: 1, remaining: 0 });
  const [outcome] = importer.state.value.push?.outcomes ?? [];
  expect(outcome).toMatchObject({ status: 'taken', holder: { stored: { date: '2026-06-02' } } });
});

test('a file is reconciled with the rates that it was imported with', async () => {
  const { importer, session } = await newImporter();
  await importer.setRates(file('month,currency,pounds per unit\n2026-10,EUR,0.8612\n', 'rates.csv'));
  await importAll(
    importer,
    file('Date,Description,Currency,Paid out\n2026-10-01,HOTEL,EUR,100.00\n', 'eur.csv'),
  );
  await importer.setRates(undefined);
  await importAll(importer, csv(RENT));
  const { reconciliation } = await reconcilePushed(session, importer.state.value, importer.readerOf);
  expect(reconciliation).toMatchObject({ isReconciled: true, counts: { 'in the books': 2 } });
});

test('undo takes an answer about an entry back, and nothing before it', async () => {
  const { importer } = await newImporter();
  await openFile(importer, csv(RENT));
  await importer.correct([2], { amount: '1001.00' });
  importer.decideByKey('a key', 'send');
  expect(importer.state.value.decisions.size).toBe(1);
  await importer.undo();
  expect(importer.state.value.decisions.size).toBe(0);
  expect(fileOf(importer).corrections.get(2)).toEqual({ amount: '1001.00' });
});
