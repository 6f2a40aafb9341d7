/** The kinds of files that the command writes, and how it recognises one: no other file is replaced. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { Option } from 'commander';
import type { OutputKind } from '../files/whole-file.ts';
import { EXPORT_COLUMNS } from '../typescript/export/export-rows.ts';
import { titleOfWorkbook, type WorkbookTitle } from '../typescript/export/workbook.ts';
import { REPORT_COLUMNS } from '../typescript/push/push-report.ts';
import { APP_CHANGE_HEADINGS } from '../typescript/reconciliation/app-changes.ts';

/** The option that replaces a file of another kind. */
export const forceOption = () =>
  new Option('--force', 'replace a file that is not of the kind to be written');

export const ENTRIES = {
  // An earlier version had no `recordedOn`, the last column.
  '.csv': beginsWith(header(EXPORT_COLUMNS.slice(0, -1))),
  '.xlsx': hasTitle('entries'),
  '.json': beginsWith(/^\[\s*(\]|\{"id":"[^"]*","date":)/),
  '.ndjson': beginsWith(/^\{"id":"[^"]*","date":/),
} satisfies OutputKind;

export const PUSH_REPORT: OutputKind = { '.csv': beginsWith(header(REPORT_COLUMNS)) };

export const RECONCILIATION: OutputKind = { '.json': beginsWith(/^\{\s*"isReconciled":/) };

export const CONFORMANCE: OutputKind = { '.json': beginsWith(/^\{\s*"url":.*\s*"startedAt":/) };

export const APP_CHANGES: OutputKind = {
  '.csv': beginsWith(header(APP_CHANGE_HEADINGS)),
  '.xlsx': hasTitle('corrections'),
};

export const FIGURES_WORKBOOK: OutputKind = { '.xlsx': hasTitle('figures') };

const BEGINNING_BYTES = 4_096;

/** Spreadsheets add a byte order mark, and a report may have more columns. */
function header(columns: readonly string[]): RegExp {
  return new RegExp(`^\\ufeff?${columns.join(',')}[,\\r\\n]`);
}

function beginsWith(pattern: RegExp): (file: string) => boolean {
  return (file) => {
    const bytes = Buffer.alloc(BEGINNING_BYTES);
    const descriptor = openSync(file, 'r');
    try {
      return pattern.test(bytes.toString('utf8', 0, readSync(descriptor, bytes)));
    } finally {
      closeSync(descriptor);
    }
  };
}

function hasTitle(title: WorkbookTitle): (file: string) => boolean {
  return (file) => titleOfWorkbook(readFileSync(file)) === title;
}
