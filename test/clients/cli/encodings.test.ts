/** Files of the user and of the ledger are in UTF-8. In another encoding they are refused: a rule with a wrong letter would match no row. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, startAssistant } from '../mcp/assistant.ts';
import { landlord, statementOf, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const ENCODINGS: [name: string, encoded: (text: string) => Buffer][] = [
  ['Windows-1252', (text) => Buffer.from(text, 'latin1')],
  ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
];
const RULES = 'description contains "CAFÉ" -> leave out\notherwise -> uk-property\n';
const ROWS = ['2026-10-01,CAFÉ ROUGE,-12.00', '2026-10-02,RENT,900.00'];
const REPORT = 'file,row,outcome,account,closingDate,closing\r\na.csv,2,created,CAFÉ,2026-10-01,1.00\r\n';
const FILES = {
  '--rules': RULES,
  '--rates': 'month,currency,pounds per unit,Café\n2026-10,EUR,0.86\n',
  '--decide':
    'decision,file,row,date,amount,description,entryDate,entryAmount,entryDescription,rowId,id\r\nCafé,a.csv,2,,,CAFÉ,,,,row:1,\r\n',
  '--previous': REPORT,
};

/** A landlord with a statement of a café and a rent, and these bytes as the kept rules. */
async function withKeptRules(bytes?: Uint8Array) {
  const user = await landlord('');
  const folder = join(user.env.XDG_CONFIG_HOME, 'bookkeeping-ledger', 'rules');
  mkdirSync(folder, { recursive: true });
  const kept = join(folder, 'default.txt');
  if (bytes) writeFileSync(kept, bytes);
  const file = statementOf(`cafe-${user.account.accountId}.csv`, ...ROWS);
  return { ...user, kept, file };
}
const notUtf8 = (file: string) => `${file} is not a text in UTF-8: save it as UTF-8.`;

describe.each(ENCODINGS)('in %s', (name, encoded) => {
  test.each(Object.entries(FILES))('a file of %s is refused, and nothing is sent', async (option, text) => {
    const { run, stored, file } = await withKeptRules();
    const other = writeFile(`own${option}-${name}.txt`, encoded(text));
    const { exitCode, err } = await run('push', file, '-s', 'uk-property', '--yes', option, other);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(notUtf8(other))]);
    expect(await stored()).toEqual([]);
  });

  test('kept rules are refused by the command', async () => {
    const { run, stored, kept, file } = await withKeptRules(encoded(RULES));
    for (const command of [['push', file, '--yes'], ['reconcile', file], ['rules']]) {
      const { exitCode, err } = await run(...command);
      expect([exitCode, err]).toEqual([2, expect.stringContaining(notUtf8(kept))]);
    }
    expect(await stored()).toEqual([]);
  });

  test('earlier figures are refused', async () => {
    const { run } = await withKeptRules();
    const earlier = writeFile(`figures-${name}.json`, encoded('{"name":"Café"}'));
    const { exitCode, err } = await run('figures', '--tax-year', '2026-27', '--since', earlier);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(notUtf8(earlier))]);
  });

  test('kept rules and earlier figures are refused by the server for assistants', async () => {
    const { account, env, kept, stored } = await withKeptRules(encoded(RULES));
    const folder = newFolder();
    writeFileSync(join(folder, 'earlier.json'), encoded('{"name":"Café"}'));
    const rows = `Date,Description,Amount\n${ROWS.join('\n')}\n`;
    await using assistant = await startAssistant(account.key, { folder, env });
    const preview = await assistant.call('preview_rows', { rows });
    expect([preview.isError, preview.text]).toEqual([true, expect.stringContaining(notUtf8(kept))]);
    writeFileSync(kept, '');
    const figures = await assistant.call('figures', {
      taxYear: '2026-27',
      quarter: 1,
      since: 'earlier.json',
    });
    expect([figures.isError, figures.text]).toEqual([true, expect.stringContaining(notUtf8('earlier.json'))]);
    expect(await stored()).toEqual([]);
  });
});

test.each([
  ['without a byte order mark', ''],
  ['with one', '\ufeff'],
])('rules in UTF-8 %s leave the row out', async (_, mark) => {
  const { run, stored, kept, file } = await withKeptRules(Buffer.from(mark + RULES));
  expect((await run('push', file, '--yes')).exitCode).toBe(0);
  expect((await run('push', file, '--yes', '--rules', kept)).exitCode).toBe(0);
  expect(await stored()).toEqual(['uk-property null 90000']);
});
