/** The two recipes for spreadsheets behind one interface: a sheet, a run of the script, and the sheet that it leaves. */
import { expect } from 'bun:test';
import { join } from 'node:path';
import { system } from '../../fixtures/system.ts';
import { runOfficeScript } from './office-script.ts';

/** A date is a cell that is formatted as one. */
export type Cell = string | number | boolean | { date: string };

export interface SheetRun {
  cells: Cell[][];
  key: string;
  /** The id of the source. */
  source: string;
  /** First and last row of each selected range, from 1. */
  selection: [number, number][];
  hiddenRows?: number[];
  /** Where requests to https://ledger.example go. */
  address: string;
  /** Between the first request with entries and its response. */
  meanwhile?: 'the run ends' | 'a person turns the rows';
}

export interface SheetResult {
  cells: Cell[][];
  /** What the person is told. */
  report: string;
  pausesMs: number[];
}

/** What only one of the products has. */
export interface AppsScriptRun extends SheetRun {
  /** The function that the menu calls. */
  call?: string;
  timeZone?: string;
  requestMs?: number;
  userProperties?: Record<string, string>;
  documentProperties?: Record<string, string>;
  /** What the person types at each prompt; null cancels. */
  answers?: (string | null)[];
}
export interface AppsScriptResult extends SheetResult {
  userProperties: Record<string, string>;
  documentProperties: Record<string, string>;
}

type Owner = { key: string; sources: Record<'uk-property', string> };
type Options<Run extends SheetRun> = Pick<Run, 'cells'> & Partial<Run>;

const withDefaults = <Run extends SheetRun>(account: Owner, options: Options<Run>) => ({
  key: account.key,
  source: account.sources['uk-property'],
  selection: [[1, options.cells.length]] as [number, number][],
  address: system.url,
  ...options,
});

/** A process of its own: `UrlFetchApp` is synchronous. */
export async function runAppsScript(
  account: Owner,
  options: Options<AppsScriptRun>,
): Promise<AppsScriptResult> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'apps-script.ts')], {
    stdin: Buffer.from(JSON.stringify(withDefaults(account, options))),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect([await child.exited, err]).toEqual([0, '']);
  return JSON.parse(out);
}

export const SHEETS = [
  {
    name: 'Google Sheets',
    run: (account: Owner, options: Options<SheetRun>): Promise<SheetResult> =>
      runAppsScript(account, options),
    /** What the product takes for a date, and is none. */
    noDate: { date: '1899-12-30' } as Cell,
  },
  {
    name: 'Excel',
    run: (account: Owner, options: Options<SheetRun>): Promise<SheetResult> =>
      runOfficeScript(withDefaults(account, options)),
    noDate: 60 as Cell,
  },
];

export const HEADER = [
  ...['Date', 'Description', 'Type', 'Amount', 'Category', 'Reference'],
  ...['Ledger id', 'Ledger status'],
];

/** A row below it, that was not pushed yet. */
export const row = (
  date: Cell,
  description: string,
  amount: Cell,
  { type = '', category = '', reference = '' } = {},
): Cell[] => [date, description, type, amount, category, reference, '', ''];
export const day = (date: string): Cell => ({ date });

export function column({ cells }: Pick<SheetResult, 'cells'>, name: string): string[] {
  const [header = [], ...rows] = cells;
  return rows.map((each) => String(each[header.indexOf(name)] ?? ''));
}
