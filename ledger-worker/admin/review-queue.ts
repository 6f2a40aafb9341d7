/** The review queue: entries without a category, and how they get one. */
import type { AdminEntry } from '../../proto/contract.ts';
import { CATEGORIES, type EntryType, LIMITS, type SourceType } from '../../proto/domain.ts';
import type { Sql } from '../database/connection.ts';
import { requireDateFormat, requirePageSize, requireUuid } from '../input.ts';
import { invalidArgument } from '../status.ts';
import { requireAccount } from './accounts.ts';
import { type AdminRpcs, message, newId, pageOf, requireRow } from './rpc.ts';

export const reviewQueueRpcs: AdminRpcs<'listUncategorised' | 'categorise'> = {
  /**
   * Newest date first, newest created first within a date; without the entries of removed sources. Each source is read no further
   * than the page can reach.
   */
  async listUncategorised(sql, { accountId, sourceId, after: cursor, limit }) {
    await requireAccount(sql, accountId);
    if (sourceId !== undefined) await requireSource(sql, accountId, sourceId);
    const after = positionIn(cursor);
    const rowsMax = requirePageSize(limit, LIMITS.pageSizeMax) + 1;
    const rows = await sql<{ date: string; id: string }[]>`
      select waiting.*
        from ledger.source s
       cross join lateral (
         select entry_id as id, e.source_id as "sourceId", entry_date as date, e.type, category,
                amount_pence as "amountPence", description, external_ref as "externalRef"
           from ledger.entry e
          where e.account_id = ${accountId} and e.source_id = s.source_id and e.category is null
            ${after ? sql`and (e.entry_date, e.entry_id) < (${after.date}::date, ${after.id}::uuid)` : sql``}
          order by e.entry_date desc, e.entry_id desc
          limit ${rowsMax}
       ) as waiting
       where s.account_id = ${accountId} and s.removed_at is null
         ${sourceId === undefined ? sql`` : sql`and s.source_id = ${sourceId}`}
       order by date desc, id desc
       limit ${rowsMax}`;
    const { shown, last } = pageOf(rows, limit);
    return { entries: shown.map(message<AdminEntry>), ...(last && { next: `${last.date}_${last.id}` }) };
  },

  /** Sets the category of an entry, whether or not it has one. Changes nothing else: no counter, and not the daily cap. */
  async categorise(sql, { accountId, sourceId, date, id, category }, context) {
    const rows = await sql`
      select (entry).entry_id as id, (entry).source_id as "sourceId", (entry).entry_date as date, (entry).type,
             (entry).category, (entry).amount_pence as "amountPence", (entry).description,
             (entry).external_ref as "externalRef", source_type as "sourceType", is_valid as "isValid"
        from ledger.categorise(
          ${requireUuid('account', accountId)}, ${newId()}, ${context.actor()}, ${requireUuid('source', sourceId)}, ${requireDateFormat(date)},
          ${requireUuid('entry', id)}, ${category})`;
    const { isValid, sourceType, ...entry } = requireRow<Categorised>(
      rows,
      `entry ${id} of ${date} in source`,
      sourceId,
    );
    if (isValid) return entry;
    const keys = CATEGORIES[sourceType][entry.type].map(({ key }) => key);
    throw invalidArgument(
      `category of this ${entry.type} must be one of ${keys.join(', ')}, not ${JSON.stringify(category)}`,
    );
  },
};

/** `isValid`: the category is in the list of the source's type for the entry's own type. Otherwise nothing was changed. */
type Categorised = AdminEntry & { type: EntryType; sourceType: SourceType; isValid: boolean };

async function requireSource(sql: Sql, accountId: string, id: string): Promise<void> {
  const rows = await sql`
    select from ledger.source
     where account_id = ${accountId} and source_id = ${requireUuid('source', id)} and removed_at is null`;
  requireRow(rows, 'source', id);
}

/** @param cursor the last entry of the previous page */
function positionIn(cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const [date = '', id = ''] = cursor.split('_');
  return { date: requireDateFormat(date), id: requireUuid('entry', id) };
}
