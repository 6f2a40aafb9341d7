/** The SQL of the schema: the files of `sql/`. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

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
 * The functions of `functions/`. The version rises with each change of a text: then
 * a worker of an earlier release that restarts during an upgrade does not restore its own.
 */
export function functions(folder: string) {
  const texts = sqlFiles(join(folder, 'functions')).map(({ body }) => body);
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
