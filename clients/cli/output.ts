/** The output of a command: tables and sentences for people, one JSON document for programs. */
import { printable, printableJson } from '../../platform/terminal.ts';
import type { Io } from '../settings/io.ts';

/** Cells as text; numbers are right-aligned. */
export type PrintedRow = Record<string, string | number | null>;

/** The lines of a table with a header. */
export function table(rows: readonly PrintedRow[]): string[] {
  const [first] = rows;
  if (!first) return [];
  const names = Object.keys(first);
  const cell = (value: string | number | null | undefined) => printable(String(value ?? ''));
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => textWidth(cell(row[name])))));
  const isNumeric = names.map((name) =>
    rows.every((row) => typeof row[name] === 'number' || isAmountCell(row[name])),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((text, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - textWidth(text));
        return isNumeric[column] ? space + text : text + space;
      })
      .join('  ')
      .trimEnd();
  return [line(names), ...rows.map((row) => line(names.map((name) => cell(row[name]))))];
}

export const TABLE_ROWS_MAX = 20;

/** The table of the first rows, and the number of the others. @param place of all rows, such as `: --report has all` */
export const shortTable = (rows: readonly PrintedRow[], place = '', max = TABLE_ROWS_MAX): string[] => [
  ...table(rows.slice(0, max)),
  ...(rows.length > max ? [`… and ${rows.length - max} more${place}`] : []),
];

function isAmountCell(value: string | number | null | undefined): boolean {
  return typeof value === 'string' && /^-?[\d,]+\.\d{2}$/.test(value);
}

/** Counts code points: enough to align names and descriptions. */
function textWidth(text: string): number {
  return [...text].length;
}

/** The start of a description, for a table. */
export const excerpt = (text: string): string => [...text].slice(0, 40).join('');

/** The command line with these arguments, quoted for a shell. */
export const commandOf = (args: readonly string[]): string => ['ledger', ...args].map(shellText).join(' ');

/** An argument, quoted for a shell where that is needed. */
export const shellText = (text: string): string =>
  /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Local time, as `2026-11-22 15:04:05`. */
export function localTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}

export interface Output {
  isJson: boolean;
  /** A result: `lines` for people, `document` for programs. Called once. */
  result(document: unknown, lines: readonly string[]): void;
  /** A note for people, on standard error. */
  note(lines: readonly string[]): void;
}

/** The output of a command: with --json a document, otherwise lines. */
export function createOutput({ json: isJson = false, io }: { json?: boolean; io: Io }): Output {
  return {
    isJson,
    result(document, lines) {
      if (isJson) printDocument(io, document);
      else print(io.stdout, lines);
    },
    note(lines) {
      if (!isJson) print(io.stderr, lines);
    },
  };
}

/** Prints lines for people. A text of a file or of the service cannot end a line, or control the terminal. */
export function print(stream: NodeJS.WritableStream, lines: readonly string[]): void {
  stream.write(lines.map((line) => `${printable(line)}\n`).join(''));
}

/** Prints a document as JSON. A text in it cannot control the terminal. */
export function printDocument({ stdout }: Pick<Io, 'stdout'>, document: unknown): void {
  stdout.write(`${printableJson(document, 2)}\n`);
}

/** On standard error, with or without --json. */
export function printError(
  { stderr }: Pick<Io, 'stderr'>,
  message: string,
  details: readonly string[] = [],
): void {
  print(stderr, [`error: ${message}`, ...details]);
}
