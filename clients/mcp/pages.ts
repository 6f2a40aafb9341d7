/** Lists in results. A result has the first rows of its lists, and `read_page` the others. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ToolError } from './errors.ts';

/** The most characters of all rows in a result, as JSON. A result of 500 rows had 155,000, and filled the memory of an assistant. */
const ROWS_LENGTH_MAX = 10_000;
/** The number of results whose other rows are kept. */
const RESULTS_MAX = 50;

/** A list: the number of all its rows, the rows of this result, and the cursor of the next ones. */
export const listOf = <Item extends z.ZodRawShape>(item: Item) =>
  z.object({ count: z.int(), rows: z.array(z.object(item)), next: z.string().nullable() });

export interface List<Row = unknown> {
  count: number;
  rows: Row[];
  next: string | null;
}

/** A list with all its rows. `Pages` cuts it. */
export function list<Item, Row = Item>(
  all: readonly Item[],
  show: (item: Item) => Row = (item) => item as unknown as Row,
): List<Row> {
  return { count: all.length, rows: all.map(show), next: null };
}

/** Whether a part of a result is a list. */
export const isList = (value: unknown): value is List =>
  typeof value === 'object' && value !== null && 'next' in value && 'rows' in value;

export class Pages {
  readonly #results = new Map<string, readonly (readonly unknown[])[]>();

  /** The result with the first rows of its lists. Each list has at least the share of rows that an equal division gives it. */
  firstOf<Result>(result: Result): Result {
    const copy = structuredClone(result);
    const lists = listsIn(copy);
    const whole = lists.map(({ rows }) => rows);
    const id = randomUUID();
    const shortest = [...lists.keys()].sort((one, other) => lengthOf(whole[one]) - lengthOf(whole[other]));
    let left = ROWS_LENGTH_MAX;
    let isCut = false;
    for (const [rank, index] of shortest.entries()) {
      const [each, rows] = [lists[index], whole[index]];
      if (!each || !rows) continue;
      each.rows = fitting(rows, left / (lists.length - rank));
      left -= lengthOf(each.rows);
      if (each.rows.length === rows.length) continue;
      each.next = `${id}:${index}:${each.rows.length}`;
      isCut = true;
    }
    if (isCut) this.#keep(id, whole);
    return copy;
  }

  /** The rows at a cursor, at least one. @throws ToolError */
  at(cursor: string): List & { from: number } {
    const [id = '', index, start] = cursor.split(':');
    const rows = this.#results.get(id)?.[Number(index)];
    const from = Number(start);
    if (!rows || !Number.isSafeInteger(from) || from < 0 || from >= rows.length) {
      throw new ToolError(
        `No list of this server has this cursor. The lists of the last ${RESULTS_MAX} results are kept, until the server restarts. Call the tool of the list again. A preview of the same rows creates nothing, and has the same token while the books stay as they are.`,
      );
    }
    const page = fitting(rows.slice(from), ROWS_LENGTH_MAX);
    const shown = page.length > 0 ? page : rows.slice(from, from + 1);
    const end = from + shown.length;
    return {
      count: rows.length,
      from,
      rows: shown,
      next: end === rows.length ? null : `${id}:${index}:${end}`,
    };
  }

  #keep(id: string, lists: readonly (readonly unknown[])[]): void {
    this.#results.set(id, lists);
    // The first of the map is the oldest.
    for (const [oldest] of this.#results) {
      if (this.#results.size > RESULTS_MAX) this.#results.delete(oldest);
    }
  }
}

function listsIn(value: unknown): List[] {
  if (isList(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listsIn) : [];
}

const lengthOf = (rows: readonly unknown[] = []) => JSON.stringify(rows).length;

/** The first rows that have at most so many characters together. */
function fitting<Row>(rows: readonly Row[], lengthMax: number): Row[] {
  let length = 0;
  const end = rows.findIndex((row) => {
    length += JSON.stringify(row).length + 1;
    return length > lengthMax;
  });
  return rows.slice(0, end === -1 ? rows.length : end);
}
