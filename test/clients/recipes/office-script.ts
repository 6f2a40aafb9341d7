/** Runs push-rows.ts of the Excel recipe with what it uses of a workbook, and with requests to the real API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import ts from 'typescript-5';
import type { SheetResult, SheetRun } from './sheets.ts';

export const SCRIPT = join(import.meta.dir, '../../../clients/recipes/excel/push-rows.ts');
const SERVICE = 'https://ledger.example';

export interface OfficeScriptRun extends SheetRun {
  /** Of the cells in the column Date, which is the first. */
  dateFormat?: string;
  /** As the person types it. */
  url?: string;
}

/** Days since 1899-12-30, which is how Excel keeps a date. */
const serial = (day: string) => Date.parse(day) / 86_400_000 + 25_569;

/** As Excel does, it carries out writes when the script reads, or ends. */
function workbookOf(
  cells: ExcelScript.Cell[][],
  { selection, hiddenRows = [], dateFormat = 'dd/mm/yyyy' }: OfficeScriptRun,
) {
  const queued: [row: number, column: number, value: ExcelScript.Cell][] = [];
  const carryOut = () => {
    for (const [row, column, value] of queued.splice(0)) {
      const target = cells[row] as ExcelScript.Cell[];
      while (target.length < column) target.push('');
      target[column] = value;
    }
  };
  const range = (row: number, column: number, rows: number, columns: number): ExcelScript.Range => ({
    getRowIndex: () => row,
    getRowCount: () => rows,
    getColumnIndex: () => column,
    getColumnCount: () => columns,
    getRowHidden: () => {
      const hidden = Array.from({ length: rows }, (_, r) => hiddenRows.includes(row + 1 + r));
      // Excel returns null if only some of the rows are hidden, though its types say boolean.
      return hidden.every((each) => each === hidden[0]) ? Boolean(hidden[0]) : (null as unknown as boolean);
    },
    getNumberFormats: () => Array.from({ length: rows }, () => [column === 0 ? dateFormat : 'General']),
    getValues: () => {
      carryOut();
      return Array.from({ length: rows }, (_, r) =>
        Array.from({ length: columns }, (_, c) => cells[row + r]?.[column + c] ?? ''),
      );
    },
    setValue: (value) => void queued.push([row, column, value]),
  });
  const sheet: ExcelScript.Worksheet = {
    getUsedRange: () => {
      carryOut();
      return range(0, 0, cells.length, Math.max(...cells.map((row) => row.length)));
    },
    getRangeByIndexes: range,
  };
  const areas = selection.map(([first, last]) => range(first - 1, 0, last - first + 1, 1));
  const workbook: ExcelScript.Workbook = {
    getActiveWorksheet: () => sheet,
    getSelectedRanges: () => ({ getAreas: () => areas }),
  };
  return { workbook, carryOut };
}

/** An error that the script throws is what the person is told. */
export async function runOfficeScript(run: OfficeScriptRun): Promise<SheetResult> {
  const cells = run.cells.map((row) =>
    row.map((cell) => (typeof cell === 'object' ? serial(cell.date) : cell)),
  );
  const { workbook, carryOut } = workbookOf(cells, run);
  const result: SheetResult = { cells, report: '', pausesMs: [] };
  const end = Promise.withResolvers<void>();
  let pushes = 0;
  const context = createContext({
    fetch: async (url: string, init: RequestInit) => {
      const response = await fetch(url.replace(SERVICE, run.address), init);
      if (init.method === 'POST' && ++pushes === 1) {
        if (run.meanwhile === 'the run ends') {
          end.resolve();
          return new Promise(() => {});
        }
        if (run.meanwhile === 'a person turns the rows')
          cells.splice(1, cells.length, ...cells.slice(1).reverse());
      }
      return response;
    },
    console: {
      log: (text: string) => {
        result.report = text;
      },
    },
    setTimeout: (resolve: () => void, ms: number) => {
      result.pausesMs.push(ms);
      resolve();
    },
  });
  const main = runInContext(`${javascript()}; main`, context);
  const ending = main(workbook, run.url ?? SERVICE, run.key, run.source)
    .then(carryOut)
    .catch(({ message }: Error) => {
      result.report = message;
    });
  await Promise.race([ending, end.promise]);
  return result;
}

function javascript(): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2017, module: ts.ModuleKind.None };
  return ts.transpileModule(readFileSync(SCRIPT, 'utf8'), { compilerOptions }).outputText;
}
