/** The SQL of the schema: the files of `sql/`, and functions that are made of proto/domain.ts. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CATEGORIES, CONTRACT, ENTRY_TYPES, PLANS, SOURCE_TYPES } from '../../proto/domain.ts';

export const SQL_FOLDER = join(import.meta.dir, '../sql');
/** `<version> <checksum>` */
export const VERSION_FILE = 'functions/version.txt';
/** The description of a migrated database, of which test/ledger-worker/database/schema.test.ts is the proof. */
export const SCHEMA_FILE = join(SQL_FOLDER, 'schema.txt');

/** In ascending order. @param folder contains `migrations` and `functions` */
export function migrations(folder: string) {
  return sqlFiles(join(folder, 'migrations'))
    .filter(({ name }) => /^\d{4}_\w+$/.test(name))
    .map(({ name, body }) => ({ version: Number(name.slice(0, 4)), name: name.slice(5), body }));
}

export const newestVersion = (folder: string) =>
  Math.max(...migrations(folder).map(({ version }) => version));

/**
 * The functions of `functions/`, and the functions that are made of the domain. The version rises with each change of a text: then
 * a worker of an earlier release that restarts during an upgrade does not restore its own.
 */
export function functions(folder: string) {
  const texts = [...sqlFiles(join(folder, 'functions')).map(({ body }) => body), ...DOMAIN_FUNCTIONS];
  return {
    version: Number(readFileSync(join(folder, VERSION_FILE), 'utf8').split(' ')[0]),
    checksum: createHash('sha256').update(texts.join()).digest('hex'),
    texts,
  };
}

/** The rights of the role ledger_worker: on a table, on a column as `entry category`, on a function by its name, and on the schema. */
export function workerRights() {
  const lines = readFileSync(SCHEMA_FILE, 'utf8').matchAll(
    /^grant (\w+) (\w+(?: \w+)?).* ledger_worker (\w+)$/gm,
  );
  return [...lines].map(([, kind, object, privilege]) => ({ kind, object, privilege }));
}

// A comment, a string, an identifier, a string in dollar quotes; or a semicolon; or anything else.
const SQL_TOKENS = /--[^\n]*|\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;|[^-/'"$;]+|[^;]/g;

/** The statements of an SQL text, which has no `E'\''` and no function body outside of quotes. */
export function statementsOf(text: string): string[] {
  const statements = [''];
  for (const [token] of text.matchAll(SQL_TOKENS)) {
    if (token === ';') statements.push('');
    else statements.push(statements.pop() + token);
  }
  return statements.filter((statement) => statement.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== '');
}

function sqlFiles(directory: string) {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      name: basename(file, '.sql'),
      body: readFileSync(join(directory, file), 'utf8'),
    }));
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');

const plans = Object.entries(PLANS).flatMap(([plan, { apiAccess }]) => (apiAccess ? plan : []));

const categories = SOURCE_TYPES.map((sourceType) => {
  const words = ENTRY_TYPES.flatMap((type) =>
    CATEGORIES[sourceType][type].map(({ key }) => [type, key].join(' ')),
  );
  return `when '${sourceType}' then array[${quoted(words)}]`;
});

// Functions and not tables: every request needs them, and Citus plans each read of a reference table anew.
const DOMAIN_FUNCTIONS = [
  `-- The oldest contract of proto/domain.ts whose workers these functions serve.
create or replace function ledger.oldest_contract() returns integer
language sql immutable
as $$
  select ${CONTRACT.oldest}
$$;
`,
  `-- Whether a plan has API access.
create or replace function ledger.has_api_access(p_plan text) returns boolean
language sql immutable
as $$
  select p_plan in (${quoted(plans)})
$$;
`,
  `-- Whether an entry of this type may have this category in a source of this type. Every entry may be without one.
create or replace function ledger.is_category(p_source_type text, p_entry_type ledger.entry_type, p_category text)
returns boolean
language sql stable
as $$
  select p_category is null or coalesce(p_entry_type || ' ' || p_category = any (case p_source_type
    ${categories.join('\n    ')}
  end), false)
$$;
`,
];
