/** What the command prints: tables and sentences for people, one JSON document for programs. */

/** Cells as text; numbers are aligned to the right. */
export type Row = Record<string, string | number | null>;

/** A table with a header. Control characters, which could drive a terminal, are shown as spaces. */
export function table(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return '';
  const names = Object.keys(first);
  const cell = (value: string | number | null | undefined) => String(value ?? '').replace(/\p{C}/gu, ' ');
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => widthOf(cell(row[name])))));
  const line = (cells: string[], isNumber: (column: number) => boolean) =>
    cells
      .map((text, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - widthOf(text));
        return isNumber(column) ? space + text : text + space;
      })
      .join('  ')
      .trimEnd();
  const numeric = names.map((name) =>
    rows.every((row) => typeof row[name] === 'number' || isMoney(row[name])),
  );
  return [
    line(names, (column) => numeric[column] ?? false),
    ...rows.map((row) =>
      line(
        names.map((name) => cell(row[name])),
        (column) => numeric[column] ?? false,
      ),
    ),
  ].join('\n');
}

function isMoney(value: string | number | null | undefined): boolean {
  return typeof value === 'string' && /^-?[\d,]+\.\d{2}$/.test(value);
}

/** Counts code points: enough to align names and descriptions. */
function widthOf(text: string): number {
  return [...text].length;
}

/** Local time, as `2026-11-22 15:04:05`. */
export function timeText(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}

export interface Output {
  isJson: boolean;
  /** A result: `text` for people, `document` for programs. Called once. */
  result(document: unknown, text: string): void;
  /** A note for people, on standard error. */
  note(text: string): void;
}

export function createOutput(isJson: boolean): Output {
  return {
    isJson,
    result: (document, text) => write(isJson ? JSON.stringify(document, null, 2) : text),
    note(text) {
      if (!isJson) process.stderr.write(`${text}\n`);
    },
  };
}

function write(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}
