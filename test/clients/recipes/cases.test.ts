/** Everything that reads rows is held to one table: it stores the entries that are right, or says what it refuses. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readImportFile } from '../../../clients/typescript/import/index.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { writeFile } from '../cli/command.ts';
import { requireProgram } from '../programs.ts';
import { type WorkbookCell, workbook } from '../typescript/import/workbook.ts';
import { CASES, type Case, DOORS, type Door } from './cases.ts';
import { runScript, SCRIPTS } from './scripts.ts';
import { type Cell, newRun, runExcel, runGoogle } from './sheets.ts';

setDefaultTimeout(60_000);

beforeAll(async () => {
  for (const program of ['python3', 'curl', 'jq']) await requireProgram(program);
});

/** In the order of the days. */
interface Outcome {
  stored: string[];
  said: string;
}
const lineOf = ({ date, type, amountPence }: { date: string; type: string; amountPence: number }) =>
  `${date} ${type === 'income' ? '+' : '-'}${amountPence}`;
const storedOf = async ({ accountId }: TestAccount) => (await rowsOf(accountId)).map(lineOf).sort();

const LONDON_SUMMER_MS = 3_600_000;
/** Days since 1900 of what London shows in summer. */
const serialOf = (date: Date) => (date.getTime() + LONDON_SUMMER_MS) / 86_400_000 + 25_569;

function workbookOf({ rows = [], sheet: { hiddenRows, format, is1904 } = {} }: Case): Uint8Array {
  const cell = (value: Cell): WorkbookCell =>
    value instanceof Date
      ? { dateSerial: serialOf(value) - (is1904 ? 1_462 : 0) }
      : typeof value === 'number'
        ? { number: String(value) }
        : String(value);
  const numbered = Object.fromEntries(rows.map((cells, index) => [index + 1, cells.map(cell)]));
  return workbook([{ name: 'Entries', rows: numbered, hiddenRows }], { format, is1904 });
}

/** As `ledger push --skip-invalid --yes`. An unlikely date that nobody has named is not sent. */
async function readByLibrary(each: Case): Promise<Outcome> {
  const { csv } = each;
  const bytes = csv === undefined ? workbookOf(each) : Buffer.from(csv);
  try {
    const { entries, invalid, skipped, warnings } = await readImportFile(bytes);
    const unlikely = warnings.filter(({ field }) => field === 'date');
    const sent = entries.filter(({ row }) => !unlikely.some((warning) => warning.row === row));
    const said = [...invalid, ...unlikely].map(({ message }) => message);
    return {
      stored: sent.map(({ entry }) => lineOf(entry)).sort(),
      said: [...said, ...skipped.map(({ reason }) => reason)].join('\n'),
    };
  } catch (error) {
    return { stored: [], said: (error as Error).message };
  }
}

async function pushByScript(name: string, { csv = '' }: Case): Promise<Outcome> {
  const account = await TestAccount.create();
  const script = SCRIPTS.find((each) => each.name === name) as (typeof SCRIPTS)[number];
  const command = script.push(writeFile('case.csv', csv), account.sources['uk-property']);
  const { err } = await runScript(command, { key: account.key });
  return { stored: await storedOf(account), said: err };
}

async function pushSheet(door: 'Google' | 'Excel', { rows = [], sheet }: Case): Promise<Outcome> {
  const account = await TestAccount.create();
  const cells = rows.map((line) =>
    line.map((cell) =>
      cell instanceof Date && door === 'Excel' ? serialOf(cell) - (sheet?.is1904 ? 1_462 : 0) : cell,
    ),
  );
  const run = newRun(account.key, account.sources['uk-property'], cells, sheet);
  await (door === 'Google' ? runGoogle(run) : runExcel(run));
  const status = run.cells[0]?.indexOf('Ledger status') ?? -1;
  return {
    stored: await storedOf(account),
    said: [run.report, ...run.cells.map((line) => line[status])].join('\n'),
  };
}

const READS: Record<Door, (each: Case) => Promise<Outcome>> = {
  library: readByLibrary,
  Python: (each) => pushByScript('Python', each),
  bash: (each) => pushByScript('bash', each),
  Google: (each) => pushSheet('Google', each),
  Excel: (each) => pushSheet('Excel', each),
};
const reads = (door: Door, { csv }: Case) =>
  door === 'library' || (door === 'Python' || door === 'bash' ? csv !== undefined : csv === undefined);

describe.each(DOORS)('%s', (door) => {
  const cases = CASES.filter((each) => reads(door, each)).map((each) => [each.name, each] as const);
  test.each(cases)('%s', async (_, each) => {
    const { stored, said } = await READS[door](each);
    const refused = each.refused instanceof RegExp ? each.refused : each.refused?.[door];
    const right = [...each.right].sort();
    if (!refused) {
      expect({ stored, said }).toEqual({ stored: right, said });
      return;
    }
    expect(said).toMatch(refused);
    expect(stored.filter((line) => !right.includes(line))).toEqual([]);
  });
});
