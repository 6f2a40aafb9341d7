/** The import of the page, file after file: what waits, and what is kept for files with the same header. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Importer } from '../../../clients/web/import/importer.ts';
import { keptIn } from '../../../clients/web/import/kept.ts';
import { CSV, file, memory, newImporter } from './importer-fixture.ts';

setDefaultTimeout(30_000);

describe('the use of columns', () => {
  const RENTS = (tenant: string, rent: number) =>
    file(
      `Date,Tenant,Rent Due,Rent Paid,Expenses\n01/10/2026,${tenant},${rent},${rent},\n15/10/2026,Plumber,,,120.50\n`,
    );
  const amounts = ({ state }: Importer) => state.value.result?.entries.map(({ entry }) => entry.amountPence);

  test('is kept for files with the same header, by hash, until it is forgotten', async () => {
    const { storage, texts } = memory();
    const kept = keptIn(() => storage, 'account');
    const { importer } = await newImporter({ kept });
    await importer.openFile(RENTS('Patel', 1025));
    expect(importer.state.value.problem?.unsettled).toEqual([2, 3]);
    await importer.setReading({ ignore: ['Rent Due'] });
    expect(texts.size).toBe(0);
    await importer.setReading({ map: { moneyIn: 'Rent Paid' } });
    expect(amounts(importer)).toEqual([102_500, 12_050]);
    const [[name = '', text = ''] = []] = texts;
    expect(name).toMatch(/^ledger-import-columns account [0-9a-f]{64}$/);
    expect(JSON.parse(text)).toEqual({ map: { moneyIn: 'Rent Paid' }, ignore: ['Rent Due'] });

    const { importer: later } = await newImporter({ kept });
    await later.openFile(RENTS('Jones', 895));
    expect(amounts(later)).toEqual([89_500, 12_050]);
    expect(later.state.value.areColumnsKept).toBe(true);
    await later.openFile(file(CSV));
    expect(later.state.value.areColumnsKept).toBe(false);
    expect(amounts(later)).toEqual([95_000, 2_349]);
    await later.openFile(RENTS('Jones', 895));
    await later.forgetColumns();
    expect(later.state.value.problem?.unsettled).toEqual([2, 3]);
    expect(texts.size).toBe(0);
    await later.openFile(RENTS('Jones', 895));
    expect(later.state.value.problem?.unsettled).toEqual([2, 3]);
  });

  test('is not kept for a file that is opened while the one before is still read', async () => {
    const { storage, texts } = memory();
    const { importer } = await newImporter({ kept: keptIn(() => storage, 'account') });
    await importer.openFile(RENTS('Patel', 1025));
    const chosen = importer.setReading({ map: { moneyIn: 'Rent Paid' }, ignore: ['Rent Due'] });
    await Promise.all([chosen, importer.openFile(file(CSV))]);
    expect(importer.state.value.file?.name).toBe('file.csv');
    expect(texts.size).toBe(0);
  });

  test.each([
    [
      'damaged',
      { getItem: (name: string) => (name.includes('columns') ? '{' : null), setItem() {}, removeItem() {} },
    ],
    ['full', { getItem: () => null, setItem: full, removeItem() {} }],
  ])('is found out by the reader where the storage is %s', async (_, storage) => {
    const { importer } = await newImporter({ kept: keptIn(() => storage, 'account') });
    await importer.openFile(file(CSV));
    await importer.setReading({ map: { description: 'External ref' } });
    expect(importer.state.value.result?.entries.map(({ entry }) => entry.description)).toEqual(['r1', 'r2']);
  });
});

function full() {
  throw new DOMException('The quota is used up.', 'QuotaExceededError');
}
