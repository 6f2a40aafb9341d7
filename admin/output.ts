/** Formats the output of the command line: tables, or JSON with --json. */
import { type ServiceError, status } from '@grpc/grpc-js';
import { workerReason } from '../platform/remedies.ts';
import { printable, printableJson } from '../platform/terminal.ts';

type Row = Record<string, unknown>;

/** The output of the command line, for results and errors, and the lines of its standard input. */
export type Terminal = Pick<Console, 'log' | 'error' | typeof Symbol.asyncIterator>;

export interface Output {
  terminal: Terminal;
  json: boolean;
}

/** Prints a response of the service, or a list: as JSON on one line, or as aligned columns. */
export function show(result: object | object[], { terminal, json }: Output): void {
  const rows = (Array.isArray(result) ? result : [result]).map(withoutOneofs);
  const [first] = rows;
  if (json) printDocument(Array.isArray(result) ? rows : first, terminal.log);
  else if (!first) print(['none'], terminal.log);
  else print(Array.isArray(result) ? columns(rows) : pairs(first), terminal.log);
}

/** Prints a page of a list: as JSON `{rows, next}`, or as columns and the option for the next page. */
export function showPage(rows: object[], next: string | undefined, output: Output): void {
  const { terminal, json } = output;
  if (json) {
    printDocument({ rows: rows.map(withoutOneofs), next }, terminal.log);
  } else {
    show(rows, output);
    if (next !== undefined) print([`next: --after ${next}`], terminal.log);
  }
}

/** Prints lines, or with --json the `document` that they are made of. */
export function showLines(lines: string[], document: object, { terminal, json }: Output): void {
  if (json) printDocument(document, terminal.log);
  else print(lines, terminal.log);
}

/** Prints on stderr what a long command does. */
export function showProgress(progress: string, { terminal, json }: Output): void {
  if (json) printDocument({ progress }, terminal.error);
  else print([progress], terminal.error);
}

/** A decoded message has an extra member, such as `_after`, for each optional field. This removes them. */
function withoutOneofs(message: object): Row {
  return Object.fromEntries(Object.entries(message).filter(([name]) => !name.startsWith('_')));
}

/** Formats every text that operators read. A name or a description cannot end a line. */
function print(lines: string[], write: Terminal['log']): void {
  write(lines.map(printable).join('\n'));
}

function printDocument(document: unknown, write: Terminal['log']): void {
  write(printableJson(document));
}

function pairs(row: Row): string[] {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row).map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

function columns(rows: Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => printable(String(row[name] ?? '-'))))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Formats an error of the Admin service as one sentence. */
export function explain(error: ServiceError, address: string): string {
  switch (error.code) {
    case status.INVALID_ARGUMENT:
    case status.NOT_FOUND:
      return error.details;
    case status.UNAVAILABLE:
    case status.DEADLINE_EXCEEDED:
      return `no response from the admin service at ${address} (LEDGER_ADMIN_ADDRESS): ${workerReason(error.details)}`;
    default:
      return `the admin service failed: ${error.details || error.message}`;
  }
}

/** Prints an error on stderr. */
export function showError(message: string, { terminal, json }: Output): void {
  if (json) printDocument({ error: { message } }, terminal.error);
  else print([`error: ${message}`], terminal.error);
}
