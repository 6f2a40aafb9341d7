/** Mutations of the reads. */
import type { Mutation } from './mutations.ts';

const READS = 'ledger-worker/ledger/reads.ts';
const CALLER = 'ledger-worker/ledger/caller.ts';
const PAGES = 'ledger-worker/sql/functions/read/list_entries.sql';
const CURSOR = 'gateway/input/page-query.ts';
const READS_TEST = 'test/gateway/reads.test.ts';
const KEYSET_TEST = 'test/gateway/keyset.test.ts';

export const PAGE_MUTATIONS: Mutation[] = [
  {
    name: 'a cursor is accepted for any list',
    breaks: ['I1'],
    file: CURSOR,
    edits: [['if (!bytes.subarray(0, DIGEST_BYTES).equals(digest(scope, position))) return undefined;', '']],
    tests: ['test/gateway/pages.test.ts'],
  },
  {
    name: 'a cursor is rejected when the id of the source is in upper case',
    breaks: [],
    file: CURSOR,
    edits: [['sourceId.toLowerCase()', 'sourceId']],
    tests: [KEYSET_TEST],
  },
  {
    name: 'a cursor may contain an invalid date',
    breaks: ['I8'],
    file: CURSOR,
    edits: [['if (!dateValidator.Check(date)) return undefined;', '']],
    tests: [KEYSET_TEST],
  },
  {
    name: 'entries of one date are listed oldest first',
    breaks: ['S10'],
    file: PAGES,
    edits: [['order by e.entry_date desc, e.entry_id desc', 'order by e.entry_date desc, e.entry_id']],
    tests: ['test/gateway/pages.test.ts'],
    only: 'the newest date comes first',
  },
  {
    name: 'a page begins with the last entry of the previous page',
    breaks: ['I1'],
    file: PAGES,
    edits: [['(e.entry_date, e.entry_id) < (v_query.', '(e.entry_date, e.entry_id) <= (v_query.']],
    tests: [KEYSET_TEST],
  },
  {
    name: 'a page continues where both date and id are smaller',
    breaks: ['I1'],
    file: PAGES,
    edits: [
      [
        '(e.entry_date, e.entry_id) < (v_query.before_date, v_query.before_id)',
        'e.entry_date <= v_query.before_date and e.entry_id < v_query.before_id',
      ],
    ],
    tests: [KEYSET_TEST],
  },
  {
    name: 'a page continues with the next date',
    breaks: ['I1'],
    file: PAGES,
    edits: [
      [
        '(e.entry_date, e.entry_id) < (v_query.before_date, v_query.before_id)',
        'e.entry_date < v_query.before_date',
      ],
    ],
    tests: [KEYSET_TEST],
  },
  {
    name: 'a page that ends on the last day of its range is read again',
    breaks: ['I1'],
    file: READS,
    edits: [['after.date <= to ?', 'after.date < to ?']],
    tests: [KEYSET_TEST],
  },
  {
    name: 'a full last page has a next page without entries',
    breaks: [],
    file: PAGES,
    edits: [['cardinality(v_page) > v_query', 'cardinality(v_page) >= v_query']],
    tests: [KEYSET_TEST],
  },
  {
    name: 'a list ends with its first page',
    breaks: ['I1'],
    file: PAGES,
    edits: [['limit v_query.page_size + 1', 'limit v_query.page_size']],
    tests: [KEYSET_TEST],
  },
  {
    name: 'the entries before the first date of a list are in it',
    breaks: [],
    file: PAGES,
    edits: [['and e.entry_date >= v_query.first_date', '']],
    tests: ['test/gateway/pages.test.ts'],
  },
  {
    name: 'a removed source can be read',
    breaks: [],
    file: PAGES,
    edits: [['s.source_id = v_query.source_id and s.removed_at is null', 's.source_id = v_query.source_id']],
    tests: [READS_TEST],
  },
  {
    name: 'a removed source is listed',
    breaks: [],
    file: 'ledger-worker/sql/functions/read/list_sources.sql',
    edits: [[' and s.removed_at is null', '']],
    tests: [READS_TEST],
  },
  {
    name: 'a plan without API access lists its sources',
    breaks: [],
    file: 'ledger-worker/sql/functions/read/list_sources.sql',
    edits: [['  if api_access then', '  if api_access is not null then']],
    tests: ['test/ledger-worker/ledger/contract.test.ts'],
    also: [
      { file: CALLER, edits: [['return apiAccess ? undefined : UPGRADE_REQUIRED;', 'return undefined;']] },
    ],
  },
  {
    name: 'a plan without API access reads pages',
    breaks: [],
    file: PAGES,
    edits: [['    if api_access then', '    if api_access is not null then']],
    also: [
      { file: CALLER, edits: [['return apiAccess ? undefined : UPGRADE_REQUIRED;', 'return undefined;']] },
    ],
    tests: ['test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'a page of the review queue begins with the last entry of the previous page',
    breaks: [],
    file: 'ledger-worker/admin/review-queue.ts',
    edits: [['(e.entry_date, e.entry_id) < (', '(e.entry_date, e.entry_id) <= (']],
    tests: ['test/admin/review-queue.test.ts'],
  },
  {
    name: 'a full last page of the review queue has a next page without entries',
    breaks: [],
    file: 'ledger-worker/admin/rpc.ts',
    edits: [['rows.length > limit', 'rows.length >= limit']],
    tests: ['test/admin/review-queue.test.ts'],
  },
];
