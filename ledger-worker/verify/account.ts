/** Compares the rows of one account with each other. */
import { CATEGORIES, ENTRY_TYPES, LIMITS, SOURCE_TYPES } from '../../proto/domain.ts';
import { arrayText } from '../database/array-literal.ts';
import type { Sql } from '../database/connection.ts';
import { damageIn, type Finding } from './finding.ts';

const RESTORE_ROWS = 'Compare the account with a backup, and restore the rows that differ.';
const WHO_CHANGED =
  'Compare the account and ledger.admin_action with a backup, restore what was changed, and find out who changed it.';
const CLOCKS =
  'Compare the clocks of gateways and database. If they are right, compare the account with a backup.';

interface Rule {
  fact: (subject: string, expected: number, found: number) => string;
  remedy: string;
}

/** The rules by their names in the statement below. */
const RULES = {
  counter: {
    fact: (source, expected, found) =>
      `source ${source} has a transaction_count of ${expected}, and ${found} entries`,
    remedy: `${RESTORE_ROWS} If every entry is there, set transaction_count to their number.`,
  },
  source: {
    fact: (source, _, found) => `${found} entries belong to source ${source}, which does not exist`,
    remedy: 'Restore the source from a backup.',
  },
  reference: {
    fact: (reference, _, found) => `the reference ${JSON.stringify(reference)} has ${found} entries, not 1`,
    remedy:
      'Delete the entries that are not in a backup, set transaction_count, and rebuild the index: `reindex index concurrently ledger.entry_external_ref`.',
  },
  total: {
    fact: (_, expected, found) =>
      `its log has a total of ${expected} created entries, and ${found} are stored`,
    remedy: RESTORE_ROWS,
  },
  log: {
    fact: (time, expected, found) =>
      `the write at ${time} has a total of ${found} in the log, and the writes before it lead to ${expected}`,
    remedy:
      'Restore the rows of ledger.write_log from a backup: until then the daily cap of the account is wrong.',
  },
  idempotency: {
    fact: (key) => `no entry is stored of the request with the Idempotency-Key ${JSON.stringify(key)}`,
    remedy: RESTORE_ROWS,
  },
  batch: {
    fact: (key, expected, found) =>
      `the request with the Idempotency-Key ${JSON.stringify(key)} created ${expected} entries, and ${found} are stored`,
    remedy: RESTORE_ROWS,
  },
  category: {
    fact: (category, _, found) =>
      `the category ${JSON.stringify(category)} is on ${found} of its entries, whose source and type do not have it`,
    remedy: 'Compare the entries with a backup. A right entry gets its category in the app again.',
  },
  future: {
    fact: (_, __, found) => `the ids of ${found} of its entries are more than half a day ahead of the clock`,
    remedy: CLOCKS,
  },
  shifted: {
    fact: (time) => `the write at ${time} in the log has an id that is more than half a day older or newer`,
    remedy: CLOCKS,
  },
  unlogged: {
    fact: (subject) => `the action log does not have ${subject}`,
    remedy: WHO_CHANGED,
  },
  undone: {
    fact: (subject) => `the action log has ${subject}, and the rows contradict it`,
    remedy: WHO_CHANGED,
  },
  stopped: {
    fact: (key, _, found) =>
      found === 1
        ? `key ${key} is valid, and its account is deleted`
        : `key ${key} is stopped with its account, which is not deleted`,
    remedy: WHO_CHANGED,
  },
  key: {
    fact: (key) => `key ${key} is not in ledger.account_of_key, so requests with it are refused`,
    remedy:
      'Restore the row from a backup, or create another key. On several servers, see "Repair the keys" in docs/citus.md.',
  },
  keyOfNone: {
    fact: (key) => `key ${key} is in ledger.account_of_key and not in ledger.api_key`,
    remedy: 'Restore the row of ledger.api_key from a backup, or delete the other one.',
  },
} satisfies Record<string, Rule>;

interface Row {
  rule: keyof typeof RULES | 'entries';
  subject: string;
  expected: number;
  found: number;
}

/**
 * Checks an account. One statement is one snapshot: concurrent writes, retention and erasure cannot make its rows differ.
 * @returns the number of its entries; undefined if it does not exist or is being erased
 */
export async function verifyAccount(
  sql: Sql,
  accountId: string,
): Promise<{ entries: number | undefined; findings: Finding[] }> {
  const ofAccount = { check: 'account', accountId } as const;
  try {
    let rows: Row[] = await differences(sql, accountId);
    if (rows.length > 1) {
      // On a distributed database, a key and the row that leads to it are on servers that commit one after the other: look again.
      const before = new Set(rows.map(({ rule, subject }) => `${rule} ${subject}`));
      rows = (await differences(sql, accountId)).filter(({ rule, subject }) =>
        before.has(`${rule} ${subject}`),
      );
    }
    const findings = rows.flatMap(({ rule, subject, expected, found }) => {
      if (rule === 'entries') return [];
      const { fact, remedy }: Rule = RULES[rule];
      return [{ ...ofAccount, fact: fact(subject, expected, found), expected, found, remedy }];
    });
    return { entries: rows.find(({ rule }) => rule === 'entries')?.found, findings };
  } catch (error) {
    const fact = `its rows cannot be read: ${damageIn(error)}`;
    const remedy = 'Rebuild the index if the check of the indexes names one; otherwise restore a backup.';
    return { entries: undefined, findings: [{ ...ofAccount, fact, remedy }] };
  }
}

/** No time zone is further away, and clocks of machines are closer. */
const CLOCKS_APART_MS = 12 * 60 * 60 * 1000;

/** Each key with its type of source and of entry, as an array of the database. Not by its function, which may be damaged. */
const CATEGORY_KEYS = arrayText(
  SOURCE_TYPES.flatMap((source) =>
    ENTRY_TYPES.flatMap((type) => CATEGORIES[source][type].map(({ key }) => `"${source} ${type} ${key}"`)),
  ),
  String,
);

/** The lowest UUIDv7 of a time. */
function uuidOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** A row for each rule that is broken, and one with the number of entries. On several servers all rows are on one node. */
function differences(sql: Sql, id: string) {
  return sql<Row[]>`
    with entry as materialized (
      select source_id, entry_id, external_ref, type, category from ledger.entry where account_id = ${id}
    ),
    stored as (
      select source_id, count(*) as entries from entry group by source_id
    ),
    log as (
      select written_at, created, total, write_id, lag(total) over (order by written_at, total) as before,
             row_number() over (order by written_at desc, total desc) as age
        from ledger.write_log where account_id = ${id}
    ),
    source as (
      select source_id, transaction_count, type, removed_at from ledger.source where account_id = ${id}
    ),
    keyed_write as (
      -- A gateway takes the id of the first entry for its write.
      select idempotency_key, entry_ids[1] as write_id, unnest(entry_ids) as entry_id from ledger.idempotency_key where account_id = ${id}
    ),
    key as (
      select key_id, key_hash from ledger.api_key where account_id = ${id}
    ),
    action as (
      select action, details, at, action_id from ledger.admin_action where account_id = ${id}
    ),
    logged as (
      -- Of the actions with one topic the last counts.
      select distinct on (coalesce(topic, subject)) subject
        from action join lateral (values
               ('key create',       null,               'the creation of key ' || (details->>'keyId')),
               ('key revoke',       null,               'the revocation of key ' || (details->>'keyId')),
               ('source create',    null,               'the creation of source ' || (details->>'sourceId')),
               ('source remove',    null,               'the removal of source ' || (details->>'sourceId')),
               ('account create',   'plan',             'the plan ' || (details->>'plan')),
               ('account set-plan', 'plan',             'the plan ' || (details->>'plan')),
               ('account delete',   'deletion',         'the deletion of the account'),
               ('account restore',  'deletion',         null),
               ('entry categorise', details->>'entryId',
                'the category ' || (details->>'category') || ' of entry ' || (details->>'entryId'))
             ) as meaning (action, topic, subject) using (action)
       order by coalesce(topic, subject), at desc, action_id desc
    ),
    present as (
      select 'the creation of key ' || key_id as subject from key
      union all
      select 'the creation of source ' || source_id from source
      union all
      select 'the revocation of key ' || key_id from ledger.api_key
       where account_id = ${id} and revoked_at is not null and not stopped_with_account
      union all
      select 'the removal of source ' || source_id from source where removed_at is not null
      union all
      select 'the plan ' || plan from ledger.account where account_id = ${id}
      union all
      select 'the deletion of the account' from ledger.account where account_id = ${id} and deleted_at is not null
      union all
      select 'the category ' || category || ' of entry ' || entry_id from entry
       where entry_id in (select (details->>'entryId')::uuid from action where action = 'entry categorise')
    ),
    listed as (
      select key_id, key_hash from ledger.account_of_key where account_id = ${id}
    ),
    result as (
      select 'entries' as rule, '' as subject, 0::bigint as expected, count(*) as found from entry
      union all
      select 'counter', source_id::text, transaction_count, coalesce(entries, 0)
        from source left join stored using (source_id)
       where transaction_count <> coalesce(entries, 0)
      union all
      select 'source', source_id::text, 0, entries from stored where source_id not in (select source_id from source)
      union all
      select 'reference', external_ref, 1, count(*) from entry where external_ref is not null
       group by external_ref having count(*) > 1
      union all
      -- Retention keeps the newest row, so that this holds for an account of any age.
      select 'total', '', coalesce(min(total), 0), (select count(*) from entry) from log where age = 1
      having coalesce(min(total), 0) <> (select count(*) from entry)
      union all
      select 'log', written_at::text, before + created, total from log
       where before + created <> total and written_at > now() - ${`${LIMITS.writesKeptMs} ms`}::interval
      union all
      -- A row has the ids of all entries of its write, and only new ones are stored under them.
      select 'idempotency', idempotency_key, 1, 0 from keyed_write left join entry using (entry_id)
       group by idempotency_key having count(entry.entry_id) = 0
      union all
      select 'batch', idempotency_key, min(log.created), count(entry.entry_id)
        from keyed_write join log using (write_id) left join entry using (entry_id)
       group by idempotency_key having count(entry.entry_id) between 1 and min(log.created) - 1
      union all
      select 'category', category, 0, count(*) from entry join source using (source_id)
       where category is not null and concat_ws(' ', source.type, entry.type, category) not in (select unnest(${CATEGORY_KEYS}::text[]))
       group by category
      union all
      select 'future', '', 0, count(*) from entry where entry_id > ${uuidOf(Date.now() + CLOCKS_APART_MS)} having count(*) > 0
      union all
      select 'shifted', written_at::text, 0, 1
        from (select written_at, replace(write_id::text, '-', '') as hex from log) as log
       where hex like '____________7%'
         and abs(extract(epoch from written_at) * 1000 - ('x' || left(hex, 12))::bit(48)::bigint) > ${CLOCKS_APART_MS}
      union all
      select 'unlogged', subject, 1, 0 from (table present except table logged order by 1) as missing
      union all
      select 'undone', subject, 1, 0 from (table logged except table present order by 1) as missing where subject is not null
      union all
      select 'stopped', key_id::text, 0, case when revoked_at is null then 1 else 2 end
        from ledger.api_key join ledger.account using (account_id)
       where account_id = ${id} and case when deleted_at is null then stopped_with_account else revoked_at is null end
      union all
      select 'key', key_id::text, 1, 0 from (table key except table listed) as missing
      union all
      select 'keyOfNone', key_id::text, 0, 1 from (table listed except table key) as missing
    )
    select result.* from ledger.account, result where account_id = ${id} and erasing_at is null`;
}
