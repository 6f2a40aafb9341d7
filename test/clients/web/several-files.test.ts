/** The import of the page, file after file: what waits, and what is kept for files with the same header. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Importer } from '../../../clients/web/import/importer.ts';
import { preferencesIn } from '../../../clients/web/import/preferences.ts';
import { CSV, file, fileOf, memory, newImporter, openFile } from './importer-fixture.ts';

setDefaultTimeout(60_000);

describe('the use of columns', () => {
  const RENTS = (tenant: string, rent: number) =>
    file(
      `Date,Tenant,Rent Due,Rent Paid,Expenses\n01/10/2026,${tenant},${rent},${rent},\n15/10/2026,Plumber,,,120.50\n`,
    );
  const BOTH = { 'Rent Due': { use: 'ignore' }, 'Rent Paid': { use: 'moneyIn' } } as const;
  const amounts = (importer: Importer) =>
    fileOf(importer).result?.entries.map(({ entry }) => entry.amountPence);

  test('is kept for files with the same header, by hash, until it is forgotten', async () => {
    const { storage, texts } = memory();
    const preferences = preferencesIn(() => storage, 'account');
    const { importer } = await newImporter({ preferences });
    await openFile(importer, RENTS('Patel', 1025));
    expect(fileOf(importer).problem?.questions?.map(({ name }) => name)).toEqual(['Rent Due', 'Rent Paid']);
    await importer.setParseOptions(fileOf(importer).file, { uses: { 'Rent Due': { use: 'ignore' } } });
    expect(texts.size).toBe(0);
    await importer.setParseOptions(fileOf(importer).file, { uses: BOTH });
    expect(amounts(importer)).toEqual([102_500, 12_050]);
    const [[name = '', text = ''] = []] = texts;
    expect(name).toMatch(/^ledger-import-columns account [0-9a-f]{64}$/);
    expect(JSON.parse(text)).toEqual({ uses: BOTH });

    const { importer: later } = await newImporter({ preferences });
    await openFile(later, RENTS('Jones', 895));
    expect(amounts(later)).toEqual([89_500, 12_050]);
    expect(fileOf(later).areColumnsKept).toBe(true);
    await openFile(later, file(CSV));
    expect(fileOf(later).areColumnsKept).toBe(false);
    expect(amounts(later)).toEqual([95_000, 2_349]);
    await openFile(later, RENTS('Jones', 895));
    await later.forgetColumns(fileOf(later).file);
    expect(fileOf(later).problem?.questions?.map(({ name }) => name)).toEqual(['Rent Due', 'Rent Paid']);
    expect(texts.size).toBe(0);
    await openFile(later, RENTS('Jones', 895));
    expect(fileOf(later).problem?.questions?.map(({ name }) => name)).toEqual(['Rent Due', 'Rent Paid']);
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
      { getItem: (name: string) => (name.includes('columns') ? '{' : null), setItem() {}, removeItem() {} },
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
