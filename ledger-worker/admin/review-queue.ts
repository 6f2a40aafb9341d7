/** The review queue: entries without a category, and how they get one. */
import type { EntryType, SourceType } from '../../proto/vocabulary.ts';
import type { Sql } from '../database/connection.ts';

export interface Entry {
  id: string;
  sourceId: string;
  /** `YYYY-MM-DD` */
  date: string;
  type: EntryType;
  category: string | null;
  amountPence: number;
  description: string | null;
  externalRef: string | null;
}

/** An entry's position in the order of its source. */
export interface Position {
  date: string;
  id: string;
}

const entryColumns = (sql: Sql) => sql`
  entry_id as id, e.source_id as "sourceId", entry_date as date, e.type, category, amount_pence as "amountPence",
  description, external_ref as "externalRef"`;

export interface QueueQuery {
  accountId: string;
  /** Undefined: all sources. */
  sourceId: string | undefined;
  /** The last entry of the page before. */
  after: Position | undefined;
  limit: number;
}

/**
 * Entries without a category, newest date first, newest created first within a date; not those of removed sources. Each
 * source is read no further than the page can reach.
 */
export function listUncategorised(sql: Sql, query: QueueQuery): Promise<Entry[]> {
  const { accountId, sourceId, after, limit } = query;
  return sql<Entry[]>`
    select waiting.*
      from ledger.source s
     cross join lateral (
       select ${entryColumns(sql)}
         from ledger.entry e
        where e.account_id = ${accountId} and e.source_id = s.source_id and e.category is null
          ${after ? sql`and (e.entry_date, e.entry_id) < (${after.date}::date, ${after.id}::uuid)` : sql``}
        order by e.entry_date desc, e.entry_id desc
        limit ${limit}
     ) as waiting
     where s.account_id = ${accountId} and s.removed_at is null
       ${sourceId === undefined ? sql`` : sql`and s.source_id = ${sourceId}`}
     order by date desc, id desc
     limit ${limit}`;
}

/** The primary key of an entry: no index finds an entry by its id alone. */
export interface EntryKey extends Position {
  accountId: string;
  sourceId: string;
}

type Categorised =
  | { outcome: 'categorised'; entry: Entry }
  /** The key is not in the list of the source's type for the entry's own type: nothing was changed. */
  | { outcome: 'invalidCategory'; sourceType: SourceType; type: EntryType }
  | { outcome: 'notFound' };

/**
 * Sets the category of an entry, whether or not it has one. It changes nothing else of the entry, no counter, and not the daily
 * cap.
 */
export async function categorise(
  sql: Sql,
  actor: string,
  place: EntryKey,
  category: string,
): Promise<Categorised> {
  type Row = Entry & { isValid: boolean; sourceType: SourceType };
  const { accountId, sourceId, date, id } = place;
  const [row] = await sql<Row[]>`
    select (entry).entry_id as id, (entry).source_id as "sourceId", (entry).entry_date as date, (entry).type,
           (entry).category, (entry).amount_pence as "amountPence", (entry).description,
           (entry).external_ref as "externalRef", source_type as "sourceType", is_valid as "isValid"
      from ledger.categorise(${accountId}, ${Bun.randomUUIDv7()}, ${actor}, ${sourceId}, ${date}, ${id}, ${category})`;
  if (!row) return { outcome: 'notFound' };
  const { isValid, sourceType, ...entry } = row;
  return isValid
    ? { outcome: 'categorised', entry }
    : { outcome: 'invalidCategory', sourceType, type: entry.type };
}
