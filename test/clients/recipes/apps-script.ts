/**
 * Runs Code.js of the Google Sheets recipe with small stand-ins of Google's services, which speak to the real API.
 * A process of its own, because UrlFetchApp is synchronous: it reads a `Run` from standard input and prints a `RunResult`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';

const CODE = join(import.meta.dir, '../../../clients/recipes/google-sheets/Code.js');

/** A date is midnight in the time zone of the spreadsheet. */
export type Cell = string | number | boolean | { date: string };

export interface Run {
  /** The function that the menu calls. */
  call: string;
  cells: Cell[][];
  /** First and last row of each selected range. */
  selection?: [number, number][];
  hiddenRows?: number[];
  timeZone?: string;
  userProperties?: Record<string, string>;
  documentProperties?: Record<string, string>;
  /** What the person types at each prompt; null cancels. */
  answers?: (string | null)[];
  /** Requests to the origin go to this address. */
  origin?: string;
  address?: string;
  /** After this request the process is killed, before the script sees the response. */
  killAfterRequest?: number;
  /** While this request runs, a person turns the rows around. */
  turnDuringRequest?: number;
  requestMs?: number;
  isLocked?: boolean;
}

export interface RunResult {
  /** As saved by the spreadsheet. Dates are texts. */
  cells: (string | number | boolean)[][];
  alerts: string[];
  sleepsMs: number[];
  requests: number;
  menu: string[];
  userProperties: Record<string, string>;
  documentProperties: Record<string, string>;
}

type Value = string | number | boolean | Date;

function format(date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(date);
}

function midnight(day: string, timeZone: string): Date {
  // Hour by hour, since the offset of the zone is what is looked for.
  for (let hour = -14; hour <= 14; hour++) {
    const instant = new Date(Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000);
    if (format(instant, timeZone) === day) return instant;
  }
  throw new Error(`${timeZone} has no ${day}`);
}

function execute(run: Run): void {
  const { timeZone = 'Europe/London', answers = [], origin = 'https://ledger.example' } = run;
  let live = run.cells.map((row) =>
    row.map((cell): Value => (typeof cell === 'object' ? midnight(cell.date, timeZone) : cell)),
  );
  let saved = structuredClone(live);
  const result: RunResult = {
    cells: [],
    alerts: [],
    sleepsMs: [],
    requests: 0,
    menu: [],
    userProperties: run.userProperties ?? {},
    documentProperties: run.documentProperties ?? {},
  };
  let virtualMs = 0;
  const print = () => {
    const shown = saved.map((row) => row.map((c) => (c instanceof Date ? format(c, timeZone) : c)));
    process.stdout.write(JSON.stringify({ ...result, cells: shown }));
  };
  const flush = () => {
    saved = structuredClone(live);
  };

  const columnsOf = () => Math.max(...live.map((row) => row.length));
  const write = (row: number, column: number, value: Value) => {
    if (typeof value === 'string' && value.startsWith('=')) throw new Error('a formula was written');
    while (live.length < row) live.push([]);
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
      for (const [r, cells] of values.entries())
        for (const [c, value] of cells.entries()) write(row + r, column + c, value);
    },
    getRow: () => row,
    getLastRow: () => row + rows - 1,
  });
  const ranges = (run.selection ?? []).map(([first, last]) => range(first, 1, last - first + 1));
  const sheet = {
    getSheetId: () => 0,
    getLastRow: () => live.length,
    getLastColumn: columnsOf,
    getMaxColumns: () => 26,
    getRange: range,
    getActiveRangeList: () => (ranges.length > 0 ? { getRanges: () => ranges } : null),
    getFilter: () => (run.hiddenRows ? {} : null),
    isRowHiddenByFilter: (row: number) => run.hiddenRows?.includes(row) ?? false,
  };

  const properties = (values: Record<string, string>) => ({
    getProperty: (name: string) => values[name] ?? null,
    getProperties: () => ({ ...values }),
    setProperty: (name: string, value: string) => void Object.assign(values, { [name]: value }),
    setProperties: (more: Record<string, string>) => void Object.assign(values, more),
    deleteProperty: (name: string) => void delete values[name],
  });
  const menu = {
    addItem(name: string, call: string) {
      result.menu.push(`${name}: ${call}`);
      return menu;
    },
    addSeparator: () => menu,
    addToUi: () => {},
  };
  const ui = {
    Button: { OK: 'OK', CANCEL: 'CANCEL' },
    ButtonSet: { OK: 'OK', OK_CANCEL: 'OK_CANCEL' },
    alert: (_title: string, message: string) => void result.alerts.push(message),
    prompt: (_title: string, question: string) => {
      result.alerts.push(question);
      const answer = answers.shift() ?? null;
      return { getSelectedButton: () => (answer === null ? 'CANCEL' : 'OK'), getResponseText: () => answer };
    },
    createMenu: () => menu,
  };

  const fetchNow = (url: string, options: FetchOptions) => {
    result.requests++;
    virtualMs += run.requestMs ?? 0;
    if (!options.muteHttpExceptions || options.followRedirects !== false) throw new Error('wrong options');
    const { status, headers, body } = curl(url.replace(origin, run.address ?? origin), options);
    if (result.requests === run.killAfterRequest) {
      print();
      process.exit(0);
    }
    if (result.requests === run.turnDuringRequest) {
      const [header = [], ...rows] = live;
      live = [header, ...rows.reverse()];
    }
    return {
      getResponseCode: () => status,
      getContentText: () => body,
      getHeaders: () => headers,
    };
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
    LockService: { getDocumentLock: () => ({ tryLock: () => !run.isLocked, releaseLock: () => {} }) },
    Utilities: {
      getUuid: () => crypto.randomUUID(),
      formatDate: (date: Date, zone: string) => format(date, zone),
      sleep: (ms: number) => {
        result.sleepsMs.push(ms);
        virtualMs += ms;
      },
    },
    virtualNow: () => Date.now() + virtualMs,
  });
  runInContext(`Date.now = virtualNow;${readFileSync(CODE, 'utf8')}`, context, { filename: CODE });
  runInContext(`${run.call}()`, context);
  flush();
  print();
}

interface FetchOptions {
  method?: string;
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
