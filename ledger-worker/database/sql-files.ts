/** The files of `sql/`: migrations, functions, and what distributes the books. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const SQL_FOLDER = join(import.meta.dir, '../sql');

// Distributes the tables and functions that are not distributed yet.
export const DISTRIBUTE_NEW = readFileSync(join(SQL_FOLDER, 'citus/distribute_new.sql'), 'utf8');

/** In ascending order. @param folder contains `migrations` and `functions` */
export function migrations(folder: string) {
  return sqlFiles(join(folder, 'migrations'))
    .filter(({ name }) => /^\d{4}_\w+$/.test(name))
    .map(({ name, body }) => ({ version: Number(name.slice(0, 4)), name: name.slice(5), body }));
}

export const newestVersion = (folder: string) =>
  Math.max(...migrations(folder).map(({ version }) => version));

/** Of every folder below `functions`. The database records the SHA-256 of each function's text. */
export function functions(folder: string) {
  return sqlFiles(join(folder, 'functions')).map(({ path, name, body }) => ({
    path,
    name,
    body,
    checksum: createHash('sha256').update(body).digest('hex'),
  }));
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
    .map((file) => {
      const path = join(directory, file);
      return { path, name: basename(file, '.sql'), body: readFileSync(path, 'utf8') };
    });
}
