/**
 * Runs Code.js of the Google Sheets recipe with what it uses of Google's services, which speak to the real API. Reads an `AppsScriptRun`
 * from standard input, and prints an `AppsScriptResult`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import type { AppsScriptResult, AppsScriptRun } from './sheets.ts';

const CODE = join(import.meta.dir, '../../../clients/recipes/google-sheets/Code.js');
const SERVICE = 'https://ledger.example';

type Value = string | number | boolean | Date;

const format = (date: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(date);

/** A date of Sheets is midnight in the time zone of the spreadsheet. */
function midnight(day: string, timeZone: string): Date {
  // Hour by hour, since the offset of the zone is what is looked for.
  for (let hour = -14; hour <= 14; hour++) {
    const instant = new Date(Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000);
    if (format(instant, timeZone) === day) return instant;
  }
  throw new Error(`${timeZone} has no ${day}`);
}

function execute(run: AppsScriptRun): void {
  const { timeZone = 'Europe/London', answers = [], hiddenRows = [], requestMs = 0 } = run;
  let live = run.cells.map((row) =>
    row.map((cell): Value => (typeof cell === 'object' ? midnight(cell.date, timeZone) : cell)),
  );
  let saved = structuredClone(live);
  const flush = () => {
    saved = structuredClone(live);
  };
  const result: AppsScriptResult = {
    cells: [],
    report: '',
    pausesMs: [],
    userProperties: run.userProperties ?? { LEDGER_URL: SERVICE, LEDGER_API_KEY: run.key },
    documentProperties: run.documentProperties ?? { 'source of sheet 0': run.source },
  };
  const print = () => {
    result.cells = saved.map((row) =>
      row.map((cell) => (cell instanceof Date ? { date: format(cell, timeZone) } : cell)),
    );
    process.stdout.write(JSON.stringify(result));
  };

  const write = (row: number, column: number, value: Value) => {
    const cells = live[row - 1] as Value[];
    while (cells.length < column) cells.push('');
    cells[column - 1] = value;
  };
  const range = (row: number, column: number, rows = 1, columns = 1) => ({
    getValues: () =>
      Array.from({ length: rows }, (_, r) =>
        Array.from({ length: columns }, (_, c) => live[row - 1 + r]?.[column - 1 + c] ?? ''),
      ),
    setValue: (value: Value) => write(row, column, value),
    setValues: (values: Value[][]) => {
      if (values.length !== rows) throw new Error('the size of the range is another');
      for (const [r, [value = '']] of values.entries()) write(row + r, column, value);
    },
    getRow: () => row,
    getLastRow: () => row + rows - 1,
  });
  const selected = run.selection.map(([first, last]) => range(first, 1, last - first + 1));
  const sheet = {
    getSheetId: () => 0,
    getLastRow: () => live.length,
    getLastColumn: () => Math.max(...live.map((row) => row.length)),
    getMaxColumns: () => 26,
    getRange: range,
    getActiveRangeList: () => ({ getRanges: () => selected }),
    getFilter: () => (hiddenRows.length > 0 ? {} : null),
    isRowHiddenByFilter: (row: number) => hiddenRows.includes(row),
  };

  const properties = (values: Record<string, string>) => ({
    getProperty: (name: string) => values[name] ?? null,
    getProperties: () => ({ ...values }),
    setProperty: (name: string, value: string) => void Object.assign(values, { [name]: value }),
    setProperties: (more: Record<string, string>) => void Object.assign(values, more),
    deleteProperty: (name: string) => void delete values[name],
  });
  const ui = {
    Button: { OK: 'OK', CANCEL: 'CANCEL' },
    ButtonSet: { OK: 'OK', OK_CANCEL: 'OK_CANCEL' },
    alert: (_title: string, message: string) => {
      result.report = message;
    },
    prompt: () => {
      const answer = answers.shift() ?? null;
      return { getSelectedButton: () => (answer === null ? 'CANCEL' : 'OK'), getResponseText: () => answer };
    },
  };

  let virtualMs = 0;
  let pushes = 0;
  const fetchNow = (url: string, options: FetchOptions) => {
    virtualMs += requestMs;
    if (!options.muteHttpExceptions || options.followRedirects !== false) throw new Error('wrong options');
    const { status, headers, body } = curl(url.replace(SERVICE, run.address), options);
    if (options.payload !== undefined && ++pushes === 1) {
      if (run.meanwhile === 'the run ends') {
        print();
        process.exit(0);
      }
      if (run.meanwhile === 'a person turns the rows')
        live = live.slice(0, 1).concat(live.slice(1).reverse());
    }
    return { getResponseCode: () => status, getContentText: () => body, getHeaders: () => headers };
  };

  const context = createContext({
    SpreadsheetApp: {
      getUi: () => ui,
      getActive: () => ({ getSpreadsheetTimeZone: () => timeZone }),
      getActiveSheet: () => sheet,
      flush,
    },
    UrlFetchApp: { fetch: fetchNow },
    PropertiesService: {
      getUserProperties: () => properties(result.userProperties),
      getDocumentProperties: () => properties(result.documentProperties),
    },
    LockService: { getDocumentLock: () => ({ tryLock: () => true, releaseLock: () => {} }) },
    Utilities: {
      getUuid: () => crypto.randomUUID(),
      formatDate: (date: Date, zone: string) => format(date, zone),
      sleep: (ms: number) => {
        result.pausesMs.push(ms);
        virtualMs += ms;
      },
    },
    virtualNow: () => Date.now() + virtualMs,
  });
  runInContext(`Date.now = virtualNow;${readFileSync(CODE, 'utf8')}`, context, { filename: CODE });
  runInContext(`${run.call ?? 'pushSelectedRows'}()`, context);
  flush();
  print();
}

interface FetchOptions {
  headers: Record<string, string>;
  contentType?: string;
  payload?: string;
  muteHttpExceptions: boolean;
  followRedirects: boolean;
}

function curl(url: string, { headers, contentType, payload }: FetchOptions) {
  const fields = { ...headers, Expect: '', ...(contentType && { 'Content-Type': contentType }) };
  const args = Object.entries(fields).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const data = payload === undefined ? [] : ['--data-binary', '@-'];
  const child = Bun.spawnSync(['curl', '-sSi', ...args, ...data, url], { stdin: Buffer.from(payload ?? '') });
  if (child.exitCode !== 0) throw new Error(`Address unavailable: ${url}`);
  const [, head = '', body = ''] = /^(.*?)\r\n\r\n(.*)$/s.exec(child.stdout.toString()) ?? [];
  const [statusLine = '', ...lines] = head.split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2))),
    body,
  };
}

if (import.meta.main) execute(JSON.parse(await Bun.stdin.text()));
