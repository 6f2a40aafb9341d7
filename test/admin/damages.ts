/** Damages that other rows or the schema contradict. */
import { A, B } from './checked-database.ts';

const ofA = `where account_id = '${A}'`;
export const DELETED = `set session_replication_role = replica; delete from ledger.account ${ofA}`;
export const TABLES = ['account_of_key', 'api_key', 'entry', 'idempotency_key', 'source', 'write_log'];

const ERASED = /^the action log has \d actions in it and no erasure, and it does not exist$/;
const REVOKED = `select ledger.revoke_key('${A}', gen_random_uuid(), 'a test', key_id) from ledger.api_key ${ofA}`;
const DELETION = `select ledger.delete_account('${A}', gen_random_uuid(), 'a test')`;
const CATEGORISED = `select ledger.categorise('${A}', gen_random_uuid(), 'a test', source_id, entry_date, entry_id, 'periodAmount')
  from ledger.entry ${ofA} and external_ref = 'a'`;
const unlogged = (subject: string) => new RegExp(`^the action log does not have the ${subject}`);
const undone = (subject: string) =>
  new RegExp(`^the action log has the ${subject}.*, and the rows contradict it$`);

/** Each with the facts of its findings. */
export const DAMAGES: [statements: string, ...facts: RegExp[]][] = [
  [
    `delete from ledger.entry ${ofA} and external_ref = 'a'; update ledger.source set transaction_count = 4 ${ofA}`,
    /^its log has a total of 5 created entries, and 4 are stored$/,
  ],
  [
    `delete from ledger.entry ${ofA} and description is not null`,
    /^source \S+ has a transaction_count of 5, and 3 entries$/,
    / and 3 are stored$/,
    /^no entry is stored of the request with the Idempotency-Key "once"$/,
  ],
  [`delete from ledger.write_log ${ofA} and total = 4`, / has a total of 5 .* lead to 3$/],
  [
    `drop index ledger.entry_external_ref; update ledger.entry set external_ref = 'b' ${ofA} and external_ref = 'a'`,
    /^the schema does not have .*: table entry index .*external_ref/,
    /^the reference "b" has 2 entries, not 1$/,
  ],
  [
    `delete from ledger.source ${ofA}`,
    /^5 entries belong to source \S+, which does not exist$/,
    undone('creation of source'),
  ],
  [
    DELETED,
    ...TABLES.map((table) => new RegExp(`^ledger.${table} has [1-5] rows of it, and it does not exist$`)),
    ERASED,
  ],
  [
    `delete from ledger.account_of_key ${ofA}; delete from ledger.api_key where account_id = '${B}'`,
    /^key \S+ is not in ledger.account_of_key/,
    undone('creation of key'),
    /^key \S+ is in ledger.account_of_key and not in ledger.api_key$/,
  ],
  [`${REVOKED}; update ledger.api_key set revoked_at = null ${ofA}`, undone('revocation of key')],
  [
    `delete from ledger.admin_action ${ofA}`,
    unlogged('creation of key'),
    unlogged('creation of source'),
    unlogged('plan'),
  ],
  [
    `${REVOKED}; delete from ledger.admin_action ${ofA} and action = 'key revoke'`,
    unlogged('revocation of key'),
  ],
  [
    `update ledger.account set plan = 'firm' ${ofA}; update ledger.source set removed_at = now() ${ofA}`,
    unlogged('plan'),
    unlogged('removal of source'),
    undone('plan'),
  ],
  [
    `select ledger.remove_source('${A}', gen_random_uuid(), 'a test', source_id) from ledger.source ${ofA};
     update ledger.source set removed_at = null ${ofA}`,
    undone('removal of source'),
  ],
  [
    `${DELETION}; update ledger.account set deleted_at = null ${ofA}`,
    undone('deletion of the account'),
    /^key \S+ is stopped with its account, which is not deleted$/,
  ],
  [
    `${DELETION}; update ledger.api_key set revoked_at = null, stopped_with_account = false ${ofA}`,
    /^key \S+ is valid, and its account is deleted$/,
  ],
  [
    `${CATEGORISED}; update ledger.entry set category = 'otherIncome' ${ofA} and external_ref = 'a'`,
    unlogged('category otherIncome of entry'),
    undone('category periodAmount of entry'),
  ],
  [
    `update ledger.write_log set written_at = written_at - interval '1 day' ${ofA}`,
    ...[1, 2, 3].map(
      () => /^the write at \S+ \S+ in the log has an id that is more than half a day older or newer$/,
    ),
  ],
  [
    `update ledger.entry set source_id = (select source_id from ledger.source where account_id = '${B}') ${ofA} and external_ref = 'a'`,
    /^source \S+ has a transaction_count of 5, and 4 entries$/,
    /^1 entries belong to source \S+, which does not exist$/,
  ],
  [
    `update ledger.entry set account_id = '${B}' ${ofA} and external_ref = 'a'`,
    /^source \S+ has a transaction_count of 5, and 4 entries$/,
    /^its log has a total of 5 created entries, and 4 are stored$/,
    /^1 entries belong to source \S+, which does not exist$/,
    /^its log has a total of 1 created entries, and 2 are stored$/,
  ],
  [
    [...TABLES, 'account']
      .map((table) => `alter table ledger.${table} disable trigger all; delete from ledger.${table} ${ofA}`)
      .join(';'),
    ERASED,
  ],
  [
    `update ledger.api_key set account_id = '${B}' ${ofA}; update ledger.account_of_key set account_id = '${B}' ${ofA}`,
    undone('creation of key'),
    unlogged('creation of key'),
  ],
  [
    `update ledger.entry set category = 'turnover' ${ofA} and category is not null`,
    /^the category "turnover" is on 1 of its entries, whose source and type do not have it$/,
  ],
  [
    `update ledger.entry set entry_id = 'ffffffff-ffff-7000-8000-000000000000' ${ofA} and external_ref = 'a'`,
    /^the ids of 1 of its entries are more than half a day ahead of the clock$/,
  ],
  [
    `update ledger.write_log set write_id = (select entry_ids[1] from ledger.idempotency_key ${ofA}) ${ofA} and total = 4;
     delete from ledger.entry ${ofA} and description = 'x'; update ledger.source set transaction_count = 4 ${ofA};
     update ledger.write_log set total = 4 ${ofA} and total = 5; update ledger.write_log set total = 3 ${ofA} and total = 4 and created = 2`,
    / has a total of 3 in the log, and the writes before it lead to 4$/,
    /^the request with the Idempotency-Key "once" created 2 entries, and 1 are stored$/,
  ],
  [
    `alter table ledger.entry set unlogged; alter table ledger.source enable row level security;
     create policy none on ledger.source using (false);
     create rule dropped as on delete to ledger.write_log do instead nothing;
     alter function ledger.erase_some owner to pg_monitor;
     create function ledger.added() returns void language sql security definer as ''`,
    /: function erase_some\(uuid,integer\) is /,
    /: table entry r options$/,
    /: table source r options /,
    / in addition: function added\(\) is .* SECURITY DEFINER /,
    / in addition: table entry r unlogged options$/,
    / in addition: table source policy none /,
    / in addition: table source r row security options /,
    / in addition: table write_log rule dropped 4$/,
  ],
  [
    `drop function ledger.require_writable; alter table ledger.entry drop column description;
     create or replace function ledger.has_api_access(p_plan text) returns boolean language sql immutable as 'select true';
     update pg_index set indisvalid = false where indexrelid = 'ledger.source_by_id'::regclass;
     create trigger extra before insert on ledger.entry for each row execute function suppress_redundant_updates_trigger();
     grant select on ledger.entry to public`,
    /: function has_api_access\(text\) is /,
    /: function require_writable\(\) is /,
    /: grant function require_writable\(\) ledger_worker EXECUTE$/,
    /: table entry column description description$/,
    / does not .* source_by_id /,
    / in addition: grant table entry public SELECT$/,
    / in addition: table entry trigger O CREATE TRIGGER extra /,
    / in addition: .* source_by_id .* invalid$/,
  ],
  ['delete from ledger.migration', /^the schema is older .* migration 1 /],
];

const add = (reference: string, n: number) => `
  insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type, external_ref)
  select account_id, '01900000-0000-7000-8000-00000000000${n}', source_id, entry_date, 1, type, '${reference}'
    from ledger.entry ${ofA} and category is not null`;

/** No row contradicts them. Each has its words in the list of docs/operations.md. */
export const UNNOTICED: [words: string, statement: string][] = [
  ['amount', `update ledger.entry set amount_pence = 9 ${ofA} and external_ref = 'a'`],
  ['date', `update ledger.entry set entry_date = '2025-04-06' ${ofA} and external_ref = 'a'`],
  ['description', `update ledger.entry set description = 'z' ${ofA} and external_ref = 'a'`],
  ['reference', `update ledger.entry set external_ref = 'z' ${ofA} and external_ref = 'a'`],
  ['type without a category', `update ledger.entry set type = 'expense' ${ofA} and external_ref = 'b'`],
  [
    'category by another one',
    `update ledger.entry set category = 'otherIncome' ${ofA} and category is not null`,
  ],
  [
    'entries that were swapped',
    `update ledger.entry set description = case description when 'x' then 'y' else 'x' end ${ofA} and description in ('x', 'y')`,
  ],
  [
    'entry that was replaced by another one',
    `delete from ledger.entry ${ofA} and external_ref = 'b'; ${add('other', 1)}`,
  ],
  [
    'together with the counter of its source and the write log',
    `${add('added', 2)}; update ledger.source set transaction_count = 6 ${ofA};
    update ledger.write_log set total = 6, created = 2 ${ofA} and total = 5`,
  ],
  [
    'name, the country, the role and the share of a source',
    `update ledger.source set name = 'z', role = 'sharer', share_percent = 1 ${ofA}`,
  ],
  [
    'hash of a key in both of its tables',
    `update ledger.api_key set key_hash = sha256('z') ${ofA}; update ledger.account_of_key set key_hash = sha256('z') ${ofA}`,
  ],
  ['row of an `Idempotency-Key`', `delete from ledger.idempotency_key ${ofA}`],
  [
    'less than half a day',
    `update ledger.write_log set written_at = written_at - interval '11 hours' ${ofA}`,
  ],
  [
    'who carried out an action, and when',
    `update ledger.admin_action set actor = 'nobody', at = now() ${ofA}`,
  ],
];
