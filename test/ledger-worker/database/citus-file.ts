/** How the file that distributes the tables treats each of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const FILE = readFileSync(
  join(import.meta.dir, '../../../ledger-worker/sql/citus/distribute.sql'),
  'utf8',
);

const named = (pattern: RegExp) => [...FILE.matchAll(pattern)].map(([, table]) => table ?? '');

/** By account: of a row, only the node of its account knows. */
export const DISTRIBUTED = named(
  /^select create_distributed_table\('(ledger\.\w+)', 'account_id'(?:, colocate_with => 'ledger\.account')?\);$/gm,
);
/** A copy on every node. */
export const REFERENCE = named(/^select create_reference_table\('(ledger\.\w+)'\);$/gm);
/** On the coordinator alone. */
export const LOCAL = named(/^-- {3}local: (ledger\.\w+)$/gm);
