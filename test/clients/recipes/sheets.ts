/** Runs the scripts for Google Sheets and Excel on an array of rows, with requests to the real API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import ts from 'typescript-5';
import { system } from '../../fixtures/system.ts';

const RECIPES = join(import.meta.dir, '../../../clients/recipes');
export const SERVICE = 'https://ledger.example';
export const EXCEL_SCRIPT = join(RECIPES, 'excel/push-rows.ts');

export const CODE = {
  google: readFileSync(join(RECIPES, 'google-sheets/Code.js'), 'utf8'),
  excel: ts.transpile(readFileSync(EXCEL_SCRIPT, 'utf8'), { target: ts.ScriptTarget.ES2017 }),
};

export type Cell = string | number | boolean | Date;

/** What a script finds, and what it leaves behind. */
export interface Run {
  cells: Cell[][];
  /** The rows as they were saved last. */
  saved: Cell[][];
  /** First and last row of each selected range, from 1. */
  selection: [number, number][];
  /** By hand or, with `isFiltered`, by a filter. */
  hiddenRows: number[];
  isFiltered: boolean;
  /** Of the first column. */
  dateFormat: string;
  /** Of all other columns. */
  format: string;
  /** The workbook of Excel counts days from 1904. */
  is1904: boolean;
  key: string;
  source: string;
  /** Where requests to SERVICE go. */
  address: string;
  /** Runs after each request with entries, before the script has its response. */
  onPush: () => void;
  /** The message for the person. */
  report: string;
  pausesMs: number[];
  /** The person's answers to the prompts of Google; after the last one, Cancel. */
  answers: string[];
  ofUser: Record<string, string>;
  ofDocument: Record<string, string>;
  timeZone: string;
  /** The clock of the script is late by so much. */
  lateMs: number;
}

export const newRun = (key: string, source: string, cells: Cell[][], options: Partial<Run> = {}): Run => ({
  key,
  source,
  cells,
  saved: [],
  selection: [[1, cells.length]],
  hiddenRows: [],
  isFiltered: true,
  dateFormat: 'dd/mm/yyyy',
  format: 'General',
  is1904: false,
  address: system.url,
  onPush: () => {},
  report: '',
  pausesMs: [],
  answers: [],
  timeZone: 'Europe/London',
  lateMs: 0,
  ofUser: { LEDGER_URL: SERVICE, LEDGER_API_KEY: key },
  ofDocument: { 'source of sheet 0': source },
  ...options,
});

/** A sheet and its ranges have the methods of both products. */
function sheetOf({ cells, hiddenRows, isFiltered, selection, dateFormat, format, is1904 }: Run) {
  const width = Math.max(...cells.map(({ length }) => length));
  const isHidden = (row: number) => hiddenRows.includes(row);
  const range = (row: number, column: number, rows = 1, columns = 1) => ({
    getValues: () =>
      cells
        .slice(row, row + rows)
        .map((line) => Array.from({ length: columns }, (_, c) => line[column + c] ?? '')),
    setValue: (value: Cell) => Object.assign(cells[row] ?? [], { [column]: value }),
    setValues: (values: [Cell][]) =>
      values.map(([value], r) => Object.assign(cells[row + r] ?? [], { [column]: value })),
    getNumberFormats: () => Array(rows).fill([column === 0 ? dateFormat : format]),
    // A date with the year that Excel shows; other cells are not asked for their text.
    getTexts: () =>
      cells.slice(row, row + rows).map((line) => {
        const value = line[column];
        const day = new Date((Number(value) - 25_569 + (is1904 ? 1_462 : 0)) * 86_400_000);
        return [typeof value === 'number' ? `dd/mm/${day.getUTCFullYear()}` : value];
      }),
    getRow: () => row + 1,
    getLastRow: () => row + rows,
    getRowIndex: () => row,
    getRowCount: () => rows,
    getColumnIndex: () => column,
    getColumnCount: () => columns,
    // Excel returns null if only some of the rows are hidden, which no range with a hidden row is here.
    getRowHidden: () => (rows === 1 ? isHidden(row + 1) : hiddenRows.length > 0 ? null : false),
  });
  const selected = selection.map(([first, last]) => range(first - 1, 0, last - first + 1));
  return {
    getSheetId: () => 0,
    getLastRow: () => cells.length,
    getLastColumn: () => Math.max(width, ...cells.map(({ length }) => length)),
    getMaxColumns: () => 26,
    getRange: (row: number, column: number, ...size: number[]) => range(row - 1, column - 1, ...size),
    getFilter: () => (isFiltered && hiddenRows.length > 0 ? {} : null),
    isRowHiddenByFilter: isHidden,
    isRowHiddenByUser: (row: number) => !isFiltered && isHidden(row),
    getActiveRangeList: () => ({ getRanges: () => selected }),
    getUsedRange: () => range(0, 0, cells.length, Math.max(...cells.map(({ length }) => length))),
    getRangeByIndexes: range,
    getAreas: () => selected,
  };
}

async function send(run: Run, url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url.replace(SERVICE, run.address), init);
  if (init.body) run.onPush();
  return response;
}
const save = (run: Run) => Object.assign(run, { saved: structuredClone(run.cells) });

export async function runExcel(run: Run, url = SERVICE): Promise<void> {
  const sheet = sheetOf(run);
  const globals = {
    fetch: (path: string, init: RequestInit) => send(save(run), path, init),
    console: { log: (report: string) => Object.assign(run, { report }) },
    setTimeout: (resolve: () => void, ms: number) => [run.pausesMs.push(ms), resolve()],
  };
  const workbook = { getActiveWorksheet: () => sheet, getSelectedRanges: () => sheet };
  const main = runInContext(`${CODE.excel}; main`, createContext(globals));
  // Excel shows an error to the person.
  await main(workbook, url, run.key, run.source).catch(({ message }: Error) => globals.console.log(message));
}

/** `UrlFetchApp.fetch` is synchronous at Google. Here each function on the way to it awaits it. */
const AWAITING = CODE.google
  .replace(/(?<!function |\.)\b(UrlFetchApp\.fetch|fetchOnce|request|push|report|work)\(/g, 'await $1(')
  .replace(
    /function (fetchOnce|request|push|report|pushSelectedRows|chooseSource|setConnection)\(/g,
    'async $&',
  )
  .replaceAll('report(() =>', 'report(async () =>');

const propertiesOf = (values: Record<string, string>) => ({
  getProperty: (name: string) => values[name],
  getProperties: () => values,
  setProperty: (name: string, value: string) => Object.assign(values, { [name]: value }),
  setProperties: (more: Record<string, string>) => Object.assign(values, more),
  deleteProperty: (name: string) => delete values[name],
});

/** @param call the function that the menu calls */
export async function runGoogle(run: Run, call = 'pushSelectedRows'): Promise<void> {
  const ui = {
    Button: { OK: 'OK' },
    ButtonSet: {},
    alert: (_: string, report: string) => Object.assign(run, { report }),
    prompt: () => ({
      getSelectedButton: () => run.answers[0] && 'OK',
      getResponseText: () => run.answers.shift(),
    }),
  };
  const globals = {
    SpreadsheetApp: {
      getUi: () => ui,
      getActive: () => ({ getSpreadsheetTimeZone: () => run.timeZone }),
      getActiveSheet: () => sheetOf(run),
      flush: () => save(run),
    },
    UrlFetchApp: { fetch: (url: string, options: FetchOptions) => fetchAsGoogle(run, url, options) },
    PropertiesService: {
      getUserProperties: () => propertiesOf(run.ofUser),
      getDocumentProperties: () => propertiesOf(run.ofDocument),
    },
    LockService: { getDocumentLock: () => ({ tryLock: () => true, releaseLock: () => {} }) },
    Utilities: {
      getUuid: () => crypto.randomUUID(),
      formatDate: (date: Date, timeZone: string) => date.toLocaleDateString('en-CA', { timeZone }),
      sleep: (ms: number) => run.pausesMs.push(ms),
    },
    Date: class extends Date {
      static override now = () => Date.now() + run.lateMs;
    },
  };
  await runInContext(`${AWAITING}; ${call}()`, createContext(globals));
}

type FetchOptions = { headers: Record<string, string> } & Record<
  'contentType' | 'payload' | 'method' | 'muteHttpExceptions' | 'followRedirects',
  string
>;

async function fetchAsGoogle(run: Run, url: string, options: FetchOptions) {
  const { contentType = '', payload = null, method = 'get', headers } = options;
  const response = await send(run, url, {
    method,
    body: payload,
    headers: { ...headers, 'Content-Type': contentType },
    redirect: options.followRedirects ? 'follow' : 'manual',
  });
  if (!response.ok && !options.muteHttpExceptions) throw new Error('the response is an error');
  const text = await response.text();
  return {
    getResponseCode: () => response.status,
    getContentText: () => text,
    getHeaders: () => Object.fromEntries(response.headers),
  };
}
