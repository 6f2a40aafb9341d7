/** The import of the page against the real service, without a browser: what it reads, compares and pushes. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { type ImportResult, importFileReader } from '../../../clients/typescript/import/index.ts';
import { Ledger, type PushResult } from '../../../clients/typescript/index.ts';
import { NOTHING_SENT } from '../../../clients/typescript/push-entries.ts';
import { isRunning, reportOf } from '../../../clients/web/import/push-state.ts';
import type { ReaderOf } from '../../../clients/web/import/reader.ts';
import { openSession } from '../../../clients/web/key/session.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { admin, system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { typedRows } from '../typed-rows.ts';
import { CSV, check, file, fileOf, newImporter, openFile, push, statuses } from './importer-fixture.ts';

setDefaultTimeout(60_000);

test.each([
  ['later', '2026-06-10'],
  ['earlier', '2026-02-10'],
])(
  'a correction that makes the period of the file %s makes the page compare that period',
  async (_, date) => {
    const { importer, ledger, source } = await newImporter();
    await ledger.push(source, [
      { date, type: 'expense', amountPence: 2349, description: 'Repairs', externalRef: 'r2' },
    ]);
    await openFile(importer, file(CSV));
    await check(importer);
    expect(statuses(importer)).toEqual(['new', 'new']);
    await importer.correct([3], { date });
    expect(statuses(importer)).toEqual(['new', 'known']);
  },
);

test("a line with HMRC's id of a property that is not abroad is a fault of the rules, which names the line", async () => {
  const { importer } = await newImporter();
  await openFile(importer, file(CSV));
  const problemWith = async (name: string) => {
    const id = '8e8b8450-dc1b-4360-8109-7067337b42cb';
    await importer.setCategorising({ rules: `otherwise -> uk-property\nHMRC's id of ${name} is ${id}\n` });
    return fileOf(importer).problem?.message;
  };
  expect(await problemWith('foreign-property')).toBeUndefined();
  for (const name of ['uk-property', 'self-employment'])
    expect(await problemWith(name)).toMatch(
      new RegExp(`[Ll]ine 2.*is about ${name}; remove it, because only property abroad has an id of HMRC`),
    );
});

test('another file ends the edits and settings of the one before', async () => {
  const { importer } = await newImporter();
  await openFile(importer, file(CSV));
  await importer.setParseOptions(fileOf(importer).file, { decimal: '.' });
  await importer.correct([2], { amount: '1.00' });
  await openFile(importer, file(CSV));
  const { parseOptions, corrections, result } = fileOf(importer);
  expect([parseOptions, corrections.size, importer.state.value.history.length]).toEqual([{}, 0, 0]);
  expect(result?.entries[0]?.entry.amountPence).toBe(95_000);
});

test('a read that ends after the form was emptied does not fill it again', async () => {
  const { importer } = await newImporter();
  const opened = importer.addFiles([file(CSV)]);
  importer.startAgain();
  await opened;
  const { files, isBusy } = importer.state.value;
  expect([files, isBusy]).toEqual([[], false]);
});

test('a failure after the reading says that the file cannot be read, and the page is not busy any more', async () => {
  const readerOf: ReaderOf = (bytes) => async (options) => ({
    ...(await importFileReader(bytes)(options)),
    statements: undefined as never,
  });
  const { importer } = await newImporter({ readerOf });
  await openFile(importer, file(CSV));
  expect([fileOf(importer).problem?.code, importer.state.value.isBusy]).toEqual(['unreadable_file', false]);
});

test('of two reads of the file, the result of the one that began last stays, whichever ends last', async () => {
  const reads: { end: () => void; ended: Promise<ImportResult> }[] = [];
  const readerOf: ReaderOf = (bytes) => {
    const read = importFileReader(bytes);
    return async (options) => {
      const gate = Promise.withResolvers<void>();
      const ended = gate.promise.then(() => read(options));
      reads.push({ end: gate.resolve, ended });
      return ended;
    };
  };
  const { importer } = await newImporter({ readerOf });
  const opened = openFile(importer, file(CSV));
  reads[0]?.end();
  await opened;
  const older = importer.correct([2], { amount: '1.00' });
  const newer = importer.correct([2], { amount: '2.00' });
  reads[2]?.end();
  await newer;
  reads[1]?.end();
  await older;
  expect(fileOf(importer).result?.entries[0]?.entry.amountPence).toBe(200);
});

test('pushing a file again creates nothing, with and without its corrections', async () => {
  const { account, importer } = await newImporter();
  for (const corrections of [{ amount: '951.00' }, {}]) {
    await openFile(importer, file(CSV.replaceAll(/,r\d/g, ',')));
    await importer.correct([2], corrections);
    await check(importer);
    await push(importer);
  }
  const stored = await rowsOf(account.accountId);
  expect(stored.map(({ amountPence }) => Number(amountPence)).sort()).toEqual([2349, 95_100]);
});

test('an unlikely date is not sent without a confirmation; one that the books have needs none', async () => {
  const { account, importer } = await newImporter();
  const unlikely = `${CSV}2062-04-01,Rent,950.00,r3\n`;
  await openFile(importer, file(unlikely));
  await check(importer);
  importer.go('push');
  importer.startPush();
  expect(importer.state.value.push?.status).toBe('ready');
  importer.startPush(true);
  await until('the push is done', () => importer.state.value.push?.status === 'done');
  expect(await rowsOf(account.accountId)).toHaveLength(3);
  await openFile(importer, file(`${unlikely}2026-04-21,Paint,-5.00,r4\n`));
  await check(importer);
  await push(importer);
  expect(await rowsOf(account.accountId)).toHaveLength(4);
});

test('another source of another type has none of the settings of the one before', async () => {
  const { account, importer } = await newImporter();
  await openFile(importer, file(CSV));
  await importer.setCategorising({ income: 'periodAmount' });
  importer.chooseSource(account.sources['self-employment']);
  await until('the file is read', () => !importer.state.value.isBusy);
  expect(importer.state.value.categorising.income).toBe('');
  expect(fileOf(importer).result?.entries.map(({ entry }) => entry.category)).toEqual([undefined, undefined]);
});

describe('another source of the account', () => {
  const RENTS = [1, 2, 3, 4].map((month) => `2026-0${month}-01,Rent ${month},900`);

  /** The file is pushed to the first property, and opened for the second one. */
  async function secondProperty(text: string) {
    const opened = await newImporter();
    const { account, importer } = opened;
    const { id: second } = await admin.createSource({
      accountId: account.accountId,
      type: 'uk-property',
      name: '4 Birch Road',
      role: 'owner',
      sharePercent: 100,
    });
    importer.setSession(await openSession(system.url, account.key));
    await openFile(importer, file(text));
    await check(importer);
    await push(importer);
    importer.startAgain();
    importer.chooseSource(second);
    await openFile(importer, file(text));
    await check(importer);
    return { ...opened, second };
  }

  test('with most rows of the file: it is pushed there, where nothing is new, or here once that is confirmed', async () => {
    const { account, importer, source, second } = await secondProperty(
      typedRows('Date,Description,Amount', RENTS).join('\n'),
    );
    expect(importer.state.value.compared?.wrongSource).toMatchObject({ equal: 4, entries: 4 });
    importer.go('push');
    expect(importer.state.value.step).toBe('check');
    importer.chooseSource(source ?? '');
    await until('it is compared again', () => importer.state.value.compared !== undefined);
    expect(statuses(importer)).toEqual(['known', 'known', 'known', 'known']);
    expect(importer.state.value.compared?.wrongSource).toBeUndefined();
    importer.chooseSource(second);
    importer.confirmSource();
    importer.chooseSource(source ?? '');
    importer.chooseSource(second);
    expect(importer.state.value.isSourceConfirmed).toBe(false);
    importer.confirmSource();
    await until('it is compared again', () => importer.state.value.compared !== undefined);
    await push(importer);
    expect(await rowsOf(account.accountId)).toHaveLength(8);
  });

  test('a reference of the file that is in it is not pushed, and the report says where it is', async () => {
    const { account, importer } = await secondProperty(CSV);
    expect(statuses(importer)).toEqual(['elsewhere', 'elsewhere']);
    await push(importer);
    const { push: pushed } = importer.state.value;
    expect(pushed && reportOf(pushed)).toContain('is in uk-property');
    expect(await rowsOf(account.accountId)).toHaveLength(2);
  });
});

test('an import that has waited at the daily cap for as long as it may stops with a reason, and can go on', async () => {
  const { importer, account, session } = await newImporter();
  let pushes = 0;
  /** The cap is still reached after 48 hours, because other programs create entries too. */
  class CappedLedger extends Ledger {
    override push(...[source, entries, options]: Parameters<Ledger['push']>): Promise<PushResult> {
      if (pushes++ > 0) return super.push(source, entries, options);
      const retryAt = new Date(Date.now() + 60_000);
      return Promise.resolve({ ...NOTHING_SENT, remaining: 2, stoppedBy: 'daily_cap', fitsNow: 0, retryAt });
    }
  }
  const ledger = new CappedLedger({ url: system.url, apiKey: account.key });
  importer.setSession({ ...session, ledger });
  await openFile(importer, file(CSV));
  await check(importer);
  importer.go('push');
  importer.startPush();
  await until('it has stopped', () => !isRunning(importer.state.value));
  const { push: stopped } = importer.state.value;
  expect([stopped?.status, stopped?.error?.code, pushes]).toEqual(['failed', 'daily_cap', 1]);
  importer.startPush();
  await until('the push is done', () => importer.state.value.push?.status === 'done');
  expect(await rowsOf(account.accountId)).toHaveLength(2);
});

test('a change of many rows is taken back as one, and the file is as before', async () => {
  const { importer } = await newImporter();
  await openFile(importer, file(CSV));
  await importer.correct([3], { amount: '9.00' });
  await importer.correct([2, 3], { isLeftOut: true });
  expect(fileOf(importer).result?.entries).toEqual([]);
  await importer.undo();
  const amounts = () => fileOf(importer).result?.entries.map(({ entry }) => entry.amountPence);
  expect(amounts()).toEqual([95_000, 900]);
  await importer.undo();
  await importer.undo();
  expect(amounts()).toEqual([95_000, 2349]);
});

describe('rules that decide', () => {
  const RULES = [
    'description contains "RENT" -> uk-property / periodAmount',
    'description contains "AGENT" -> uk-property / split: expense professionalFees 12 % of gross, rest periodAmount',
    'description contains "CLIENT" -> self-employment / turnover',
    'description is "OWN" -> leave out',
    'otherwise -> ask',
  ].join('\n');
  const ROWS = ['2026-03-01,RENT,900', '2026-03-02,AGENT,836', '2026-03-03,CLIENT,5', '2026-03-04,OWN,-7'];
  const TEXT = typedRows('Date,Description,Amount', [...ROWS, '2026-03-05,SHOP,-6']).join('\n');

  test('leave nothing to the property that was chosen before', async () => {
    const { importer } = await newImporter();
    await openFile(importer, file(TEXT));
    importer.chooseSource('');
    await importer.setCategorising({ rules: RULES.replace('otherwise -> ask', '') });
    await until('it is read', () => !importer.state.value.isBusy);
    expect(fileOf(importer).result?.invalid.map(({ row }) => row)).toEqual([6]);
  });
});
