/** Runs push-rows.ts of the Excel recipe with a small stand-in of the workbook, which speaks to the real API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import ts from 'typescript';
import { system } from '../../fixtures/system.ts';

export const SCRIPT = join(import.meta.dir, '../../../clients/recipes/excel/push-rows.ts');

type Cell = ExcelScript.Cell;

export interface Book {
  cells: Cell[][];
  /** First and last row of each selected range, from 1. */
  selection?: [number, number][];
  hiddenRows?: number[];
  /** Of the column Date, which is the first. */
  dateFormat?: string;
}

export interface ScriptRun extends Book {
  key: string;
  source: string;
  address?: string;
  url?: string;
  /** Called when a response has arrived. A promise that never resolves is a browser that is closed. */
  onResponse?: (cells: Cell[][]) => Promise<void> | void;
}

/** As Excel does, it carries out writes when the script reads, or ends. */
function workbookOf({
  cells,
  selection = [[1, cells.length]],
  hiddenRows = [],
  dateFormat = 'dd/mm/yyyy',
}: Book) {
  const queued: [row: number, column: number, value: Cell][] = [];
  const carryOut = () => {
    for (const [row, column, value] of queued.splice(0)) {
      while (cells.length <= row) cells.push([]);
      const target = cells[row] as Cell[];
      while (target.length < column) target.push('');
      target[column] = value;
    }
  };
  const read = <Value>(value: () => Value) => {
    carryOut();
    return value();
  };
  const range = (row: number, column: number, rows: number, columns: number): ExcelScript.Range => ({
    getRowIndex: () => row,
    getRowCount: () => rows,
    getColumnIndex: () => column,
    getColumnCount: () => columns,
    getRowHidden: () =>
      read(() => {
        const hidden = Array.from({ length: rows }, (_, r) => hiddenRows.includes(row + 1 + r));
        // Excel returns null if only some of the rows are hidden, though its types say boolean.
        return hidden.every((each) => each === hidden[0]) ? Boolean(hidden[0]) : (null as unknown as boolean);
      }),
    getNumberFormats: () =>
      read(() => Array.from({ length: rows }, () => [column === 0 ? dateFormat : 'General'])),
    getValues: () =>
      read(() =>
        Array.from({ length: rows }, (_, r) =>
          Array.from({ length: columns }, (_, c) => cells[row + r]?.[column + c] ?? ''),
        ),
      ),
    setValue: (value) => {
      if (typeof value === 'string' && value.startsWith('=')) throw new Error('a formula was written');
      queued.push([row, column, value]);
    },
  });
  const sheet: ExcelScript.Worksheet = {
    getUsedRange: () => read(() => range(0, 0, cells.length, Math.max(...cells.map((row) => row.length)))),
    getRangeByIndexes: range,
  };
  const areas = selection.map(([first, last]) => range(first - 1, 0, last - first + 1, 1));
  const workbook: ExcelScript.Workbook = {
    getActiveWorksheet: () => sheet,
    getSelectedRanges: () => ({ getAreas: () => areas }),
  };
  return { workbook, carryOut };
}

/** What the script does with the workbook. `cells` change in place. */
export async function runOfficeScript(run: ScriptRun): Promise<{ log: string[]; pausesMs: number[] }> {
  const { workbook, carryOut } = workbookOf(run);
  const [log, pausesMs]: [string[], number[]] = [[], []];
  const context = createContext({
    fetch: async (url: string, init: RequestInit) => {
      const response = await fetch(url.replace('https://ledger.example', run.url ?? system.url), init);
      await run.onResponse?.(run.cells);
      return response;
    },
    console: { log: (text: string) => log.push(text) },
    setTimeout: (resolve: () => void, ms: number) => {
      pausesMs.push(ms);
      resolve();
    },
  });
  const main = runInContext(`${javascript()}; main`, context);
  await main(workbook, run.address ?? 'https://ledger.example', run.key, run.source);
  carryOut();
  return { log, pausesMs };
}

function javascript(): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2017, module: ts.ModuleKind.None };
  return ts.transpileModule(readFileSync(SCRIPT, 'utf8'), { compilerOptions }).outputText;
}
