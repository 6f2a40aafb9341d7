/** Writes `functions/domain/`: functions that proto/domain.ts determines. Part of `bun run generate`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATEGORIES, CONTRACT, ENTRY_TYPES, PLANS, SOURCE_TYPES } from '../../proto/domain.ts';

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');

const plans = Object.entries(PLANS).flatMap(([plan, { apiAccess }]) => (apiAccess ? plan : []));

const categories = SOURCE_TYPES.map((sourceType) => {
  const words = ENTRY_TYPES.flatMap((type) =>
    CATEGORIES[sourceType][type].map(({ key }) => [type, key].join(' ')),
  );
  return `when '${sourceType}' then array[${quoted(words)}]`;
});

// Functions and not tables: every request needs them, and Citus plans each read of a reference table anew.
const DOMAIN_FUNCTIONS: Record<string, string> = {
  oldest_contract: `-- The oldest contract of proto/domain.ts whose workers these functions serve.
create or replace function ledger.oldest_contract() returns integer
language sql immutable
as $$
  select ${CONTRACT.oldest}
$$;
`,
  has_api_access: `-- Whether a plan has API access.
create or replace function ledger.has_api_access(p_plan text) returns boolean
language sql immutable
as $$
  select p_plan in (${quoted(plans)})
$$;
`,
  is_category: `-- Whether an entry of this type may have this category in a source of this type. Every entry may be without one.
create or replace function ledger.is_category(p_source_type text, p_entry_type ledger.entry_type, p_category text)
returns boolean
language sql stable
as $$
  select p_category is null or coalesce(p_entry_type || ' ' || p_category = any (case p_source_type
    ${categories.join('\n    ')}
  end), false)
$$;
`,
};

const SOURCE = '-- Generated from proto/domain.ts by ledger-worker/sql/generate.ts. Do not edit.\n--\n';

/** The text of each file, by its path. */
export const domainFiles = () =>
  Object.entries(DOMAIN_FUNCTIONS).map(
    ([name, text]) => [join(import.meta.dir, `functions/domain/${name}.sql`), SOURCE + text] as const,
  );

if (import.meta.main) for (const [file, text] of domainFiles()) writeFileSync(file, text);
