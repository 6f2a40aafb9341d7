/** `ledger reconcile --receipts`: files that a person named after entries, against the real service. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { FILE_BYTES_MAX } from '../../../clients/typescript/import/index.ts';
import { entry } from '../../fixtures/client.ts';
import { startProxy } from '../proxy.ts';
import { typedRows } from '../typed-rows.ts';
import { directory, landlord, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const RULES = `
description starts with "AGENT" -> uk-property / split: expense professionalFees 12 % of gross, rest periodAmount
description is "RENT" -> uk-property / periodAmount
otherwise -> uk-property / repairsAndMaintenance
`;
const ROWS = [
  '2026-10-01,PAINT,-12.50,INV/7',
  '2026-10-02,AGENT 7,836,A:1',
  '2026-10-03,ROOF,-400,100%',
  '2026-10-04,RENT,900,r1',
  '2026-10-05,GATE,-30,\u00c9t\u00e9',
];
const sha256Of = (content: string | Uint8Array) =>
  new Bun.CryptoHasher('sha256').update(content).digest('hex');

let count = 0;
/** A new folder with these files. */
function folderOf(files: Record<string, string | Uint8Array>): string {
  const folder = mkdtempSync(join(directory, 'receipts-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** A user whose statement is pushed. */
async function pushed(rows: readonly string[] = ROWS) {
  const user = await landlord(RULES);
  const statement = writeFile(
    `receipts-${++count}.csv`,
    [...typedRows('Date,Description,Amount,externalRef', rows), ''].join('\n'),
  );
  const push = await user.run('push', statement, '--rules', user.rules, '--yes');
  expect(push.exitCode).toBe(0);
  const stored = await user.account.entries();
  const idOf = (externalRef: string) => stored.find((each) => each.externalRef === externalRef)?.id ?? '';
  const reconcile = (folder: string, ...more: string[]) =>
    user.run('reconcile', statement, '--rules', user.rules, '--receipts', folder, ...more);
  const receipts = async (folder: string, ...more: string[]) =>
    (await reconcile(folder, ...more, '--json')).json().receipts;
  return { ...user, statement, idOf, reconcile, receipts };
}

test('each file that is named after an entry or a row is in the report with its SHA-256, and all others are named', async () => {
  const { account, idOf, receipts, reconcile } = await pushed();
  const earlier = entry({ date: '2025-01-01', type: 'expense', category: 'other', externalRef: 'old' });
  const { body } = await account.post(earlier);
  const roof = idOf('100%');
  const folder = folderOf({
    'INV%2F7.pdf': 'paint',
    'INV%2f7 (2).jpg': 'paint, page 2',
    '2026/agents/A%3A1.pdf': 'agent',
    [`${roof}.pdf`]: 'roof',
    // As a Mac writes it.
    'E\u0301te\u0301.pdf': 'gate',
    old: 'of another period',
    '.DS_Store': 'hidden',
    '.hidden/r1.pdf': 'hidden',
    'r1.pdf': '',
    'INV-7.pdf': 'paint',
    'a\u202efdp.exe\n': 'foreign',
  });
  const elsewhere = folderOf({ 'r1.pdf': 'rent', 'INV%2F7.pdf': 'paint' });
  symlinkSync(join(elsewhere, 'r1.pdf'), join(folder, 'r1 (2).pdf'));
  symlinkSync(elsewhere, join(folder, 'elsewhere'));
  expect(Bun.spawnSync(['mkfifo', join(folder, 'pipe')]).exitCode).toBe(0);
  const file = (name: string, content: string, ...entries: string[]) => ({
    name,
    sha256: sha256Of(content),
    entries,
  });
  const unnamed = 'No entry has this id or reference.';
  const link = 'It is a link, and links are not followed.';
  const found = await receipts(folder);
  expect(found).toEqual({
    above: 0,
    files: [
      file('2026/agents/A%3A1.pdf', 'agent', idOf('A:1'), idOf('A:1#2')),
      file(`${roof}.pdf`, 'roof', roof),
      file('INV%2F7.pdf', 'paint', idOf('INV/7')),
      file('INV%2f7 (2).jpg', 'paint, page 2', idOf('INV/7')),
      file('old', 'of another period', body.transactions[0].id),
      file('\u00c9t\u00e9.pdf', 'gate', idOf('\u00c9t\u00e9')),
    ].sort((one, other) => (one.name < other.name ? -1 : 1)),
    notMatched: [
      { name: 'INV-7.pdf', sha256: sha256Of('paint'), reason: unnamed },
      { name: 'a\u202efdp.exe\n', sha256: sha256Of('foreign'), reason: unnamed },
      { name: 'elsewhere', reason: link },
      { name: 'pipe', reason: 'It is no file.' },
      { name: 'r1 (2).pdf', reason: link },
      { name: 'r1.pdf', sha256: sha256Of(''), reason: 'It is empty.' },
    ],
    equal: [['INV%2F7.pdf', 'INV-7.pdf']],
    without: [],
  });
  const { exitCode, out } = await reconcile(folder);
  expect(exitCode).toBe(0);
  expect(out).toContain('6 receipts belong to entries.\n6 files belong to no entry:\n');
  expect(out).toContain('a\\u202efdp.exe\\u000a');
  expect(out).toContain('INV%2F7.pdf and INV-7.pdf have the same content.');
  const reports = [join(directory, 'receipts-1.json'), join(directory, 'receipts-2.json')];
  for (const report of reports) await reconcile(folder, '--report', report);
  const [one = '', two] = reports.map((report) => readFileSync(report, 'utf8'));
  expect(JSON.parse(one).receipts).toEqual(found);
  expect(two).toBe(one);
});

test('expenses without a receipt are listed: all of them, or those above an amount; the exit code stays', async () => {
  const { account, idOf, reconcile, receipts } = await pushed();
  const folder = folderOf({ '2026/INV%2F7.pdf': 'paint' });
  const without = async (...more: string[]) =>
    (await receipts(folder, ...more)).without.map(({ id }: { id: string }) => id);
  const fee = idOf('A:1');
  expect(await without()).toEqual([fee, idOf('100%'), idOf('\u00c9t\u00e9')]);
  expect(await without('--receipts-above', '29.99')).toEqual([fee, idOf('100%'), idOf('\u00c9t\u00e9')]);
  expect(await without('--receipts-above', '30')).toEqual([fee, idOf('100%')]);
  expect(await without('--receipts-above', '400')).toEqual([]);
  // Of the period, and in no file.
  const cash = { type: 'expense', category: 'other', amountPence: 99_99, description: 'CASH' };
  const { body } = await account.post([
    entry({ ...cash, date: '2026-10-04' }),
    entry({ ...cash, date: '2026-11-04' }),
  ]);
  expect(await without('--receipts-above', '50')).toEqual([fee, idOf('100%'), body.transactions[0].id]);
  const { exitCode, out } = await reconcile(folder, '--receipts-above', '114.00');
  expect([exitCode, out]).toEqual([0, expect.stringContaining('1 expense above 114.00 without a receipt:')]);
  expect(out).toMatch(new RegExp(`uk-property +2026-10-03 +400\\.00 +ROOF +${idOf('100%')}`));
});

test('a name that may be of several entries is of none: it is named with their ids', async () => {
  const { idOf, receipts } = await pushed([
    '2026-10-01,ONE,-1,A',
    '2026-10-02,TWO,-2,A (2)',
    '2026-10-03,THREE,-3,x:y',
    '2026-10-04,FOUR,-4,x%3Ay',
    '2026-10-05,FIVE,-5,\u00e9',
    '2026-10-06,SIX,-6,e\u0301',
    '2026-10-07,SEVEN,-7,2026',
    '2026-10-08,EIGHT,-8,2026.04',
  ]);
  const ambiguous = { 'A (2).pdf': 'two', 'x%3Ay.pdf': 'y', '\u00e9.pdf': 'e', '2026.04': 'no extension' };
  const clear = { 'A.pdf': 'one', 'A (2) (1).pdf': 'two', 'x%253Ay.pdf': 'y', '2026.04.pdf': 'april' };
  const found = await receipts(folderOf({ ...ambiguous, ...clear }));
  const either = (one: string, other: string) =>
    new Set([`It may be of ${idOf(one)} or of ${idOf(other)}: name it after the id.`]);
  const reasons = Object.fromEntries(
    found.notMatched.map(({ name, reason }: { name: string; reason: string }) => [name, reason]),
  );
  const sorted = (reason = '') => reason.match(/[\da-f-]{36}/g)?.sort();
  for (const [name, one, other] of [
    ['A (2).pdf', 'A', 'A (2)'],
    ['x%3Ay.pdf', 'x:y', 'x%3Ay'],
    ['\u00e9.pdf', '\u00e9', 'e\u0301'],
    ['2026.04', '2026', '2026.04'],
  ] as const) {
    const [expected] = either(one, other);
    expect([name, sorted(reasons[name])]).toEqual([name, sorted(expected)]);
    expect(reasons[name]).toMatch(/^It may be of \S+ or of \S+: name it after the id\.$/);
  }
  expect(found.notMatched).toHaveLength(4);
  const entries = found.files.map(({ name, entries }: { name: string; entries: string[] }) => [
    name,
    entries,
  ]);
  expect(Object.fromEntries(entries)).toEqual({
    'A.pdf': [idOf('A')],
    'A (2) (1).pdf': [idOf('A (2)')],
    'x%253Ay.pdf': [idOf('x%3Ay')],
    '2026.04.pdf': [idOf('2026.04')],
  });
});

test('a receipt of any size is read whole, and no part of it is sent', async () => {
  const { ledger, statement, rules, env, idOf } = await pushed();
  const folder = folderOf({ 'SECRET.pdf': 'not known' });
  const large = openSync(join(folder, 'INV%2F7.tiff'), 'w');
  ftruncateSync(large, FILE_BYTES_MAX + 1);
  closeSync(large);
  await using proxy = await startProxy();
  const args = ['reconcile', statement, '--rules', rules, '--receipts', folder, '--json'];
  const { receipts } = (await ledger(args, { env: { ...env, LEDGER_URL: proxy.url } })).json();
  const sha256 = sha256Of(new Uint8Array(FILE_BYTES_MAX + 1));
  expect(receipts.files).toEqual([{ name: 'INV%2F7.tiff', sha256, entries: [idOf('INV/7')] }]);
  expect(proxy.requests.length).toBeGreaterThan(0);
  for (const request of proxy.requests) {
    expect([request.method, request.body]).toEqual(['GET', '']);
    expect(JSON.stringify(request)).not.toMatch(new RegExp(`SECRET|tiff|${sha256}`));
  }
});

test('a folder that cannot be read, an output in it and an amount that is none are refused', async () => {
  const { reconcile, run, statement, rules } = await pushed();
  const folder = folderOf({ 'INV%2F7.json': '{"isReconciled":true}' });
  const linked = join(directory, `linked-receipts-${count}`);
  symlinkSync(folder, linked);
  const refusal = async (...args: Parameters<typeof reconcile>) => {
    const { exitCode, err } = await reconcile(...args);
    expect(exitCode).toBe(2);
    return err;
  };
  expect(await refusal(join(folder, 'none'))).toContain('none cannot be read: there is no such file.');
  expect(await refusal(join(folder, 'INV%2F7.json'))).toContain('cannot be read: it is no folder.');
  for (const [option, name] of [
    ['--report', 'INV%2F7.json'],
    ['--report', 'new.json'],
    ['--corrections', 'new.csv'],
    ['--decide', 'new.csv'],
  ] as const)
    for (const place of [folder, linked])
      expect(await refusal(folder, option, join(place, name), '--force')).toContain(
        'is the folder of receipts',
      );
  expect(readFileSync(join(folder, 'INV%2F7.json'), 'utf8')).toBe('{"isReconciled":true}');
  expect(readdirSync(folder)).toEqual(['INV%2F7.json']);
  for (const amount of ['much', '-1', '1.5', '1,000'])
    expect(await refusal(folder, `--receipts-above=${amount}`)).toContain('takes an amount in pounds');
  const alone = await run('reconcile', statement, '--rules', rules, '--receipts-above', '5');
  expect([alone.exitCode, alone.err]).toEqual([
    2,
    expect.stringContaining('--receipts-above needs --receipts'),
  ]);
  // A name that is no text cannot be opened.
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0xff)]), 'content');
  expect(await refusal(folder)).toContain('cannot be read');
});
